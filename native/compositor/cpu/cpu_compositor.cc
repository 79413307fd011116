#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <deque>

#include "compositor/compositor.h"
#include "compositor/cpu/draw_content.h"
#include "compositor/cpu/effects/draw_layer.h"
#include "compositor/cpu/planar_picture.h"
#include "compositor/cpu/still_planes.h"
#include "compositor/cpu/transition.h"

namespace framewright {
namespace {

// Opacity from which no 8-bit sample of what is below can show through.
constexpr double kOpaque = 1 - 1.0 / 1024;

bool covers(const Rect& rect, const CanvasSize& canvas) {
  constexpr double kTolerance = 1.0 / 512;
  return rect.x <= kTolerance && rect.y <= kTolerance && rect.right() >= canvas.width - kTolerance &&
         rect.bottom() >= canvas.height - kTolerance;
}

int preparedSize(int own, double drawn) {
  if (drawn <= 0) return own;
  return std::clamp(static_cast<int>(std::lround(drawn)), 1, own);
}

class CpuCompositor : public Compositor {
 public:
  Result<PicturePtr> prepareStill(const Image& image, double drawnWidth, double drawnHeight) override {
    const int width = preparedSize(image.width(), drawnWidth),
              height = preparedSize(image.height(), drawnHeight);
    const bool planar = image.format() == PixelFormat::kI420;
    std::shared_ptr<const PlanarPicture> picture;
    if (planar) {
      FW_ASSIGN_OR_RETURN(picture, wrapForReading(image));
    } else {
      FW_ASSIGN_OR_RETURN(picture, convertRgba(image));
    }
    // An I420 image belongs to the caller, so its samples are copied even where nothing is scaled; that also
    // moves centred chroma to where frames have it.
    if (planar || width != image.width() || height != image.height()) {
      FW_ASSIGN_OR_RETURN(picture, scalePicture(*picture, width, height));
    }
    return PicturePtr(picture);
  }

  Result<PicturePtr> prepareVideoFrame(ImagePtr image, double drawnWidth, double drawnHeight) override {
    if (image->format() != PixelFormat::kI420) return prepareStill(*image, drawnWidth, drawnHeight);
    return PicturePtr(wrapImage(std::move(image)));
  }

  Status compose(const DrawList& list, std::span<const PicturePtr> pictures, Image& frame) override {
    return composeList(list, pictures, frame, 0);
  }

 private:
  // A whole composed picture for transitions, as a target and as a picture.
  struct Stage {
    std::shared_ptr<Image> image;
    std::shared_ptr<const PlanarPicture> picture;
  };

  static Result<std::shared_ptr<const PlanarPicture>> wrapForReading(const Image& image) {
    const Plane planes[3] = {image.plane(0), image.plane(1), image.plane(2)};
    auto view = Image::wrap(PixelFormat::kI420, image.width(), image.height(), planes, nullptr);
    view->siting = image.siting;
    return wrapImage(view);
  }

  Status composeList(const DrawList& list, std::span<const PicturePtr> pictures, Image& frame, size_t depth) {
    const CanvasSize canvas{frame.width(), frame.height()};
    size_t first = list.layers.size();
    while (first > 0 && !hidesAll(list.layers[first - 1], pictures, canvas)) --first;
    if (first > 0) {
      --first;
    } else {
      clear(frame);
    }
    for (size_t i = first; i < list.layers.size(); ++i) {
      FW_RETURN_IF_ERROR(drawLayer(list.layers[i], pictures, frame, depth));
    }
    return {};
  }

  static void clear(Image& frame) {
    const std::array<uint8_t, 3> black = yuvOf(Color{0, 0, 0, 255});
    for (int i = 0; i < 3; ++i) {
      const Plane& plane = frame.plane(i);
      for (int y = 0; y < plane.height; ++y) {
        std::memset(plane.data + y * plane.stride, black[static_cast<size_t>(i)],
                    static_cast<size_t>(plane.width));
      }
    }
  }

  // `index` as in Layer::picture.
  static const PlanarPicture* pictureAt(int index, std::span<const PicturePtr> pictures) {
    if (index < 0 || static_cast<size_t>(index) >= pictures.size()) return nullptr;
    return static_cast<const PlanarPicture*>(pictures[static_cast<size_t>(index)].get());
  }

  // Whether what is opaque stays so.
  static bool keepsOpaque(const LayerEffects& effects) {
    LayerEffects others = effects;
    others.correction.reset();
    return others ==
           LayerEffects{.box = effects.box, .boxWidth = effects.boxWidth, .boxHeight = effects.boxHeight};
  }

  // Whether nothing below the layer can be seen.
  static bool hidesAll(const Layer& layer, std::span<const PicturePtr> pictures, const CanvasSize& canvas) {
    if (layer.kind == Layer::Kind::kTransition) return true;
    if (layer.opacity < kOpaque || !layer.toCanvas.isAxisAligned()) return false;
    if (layer.effects && !keepsOpaque(*layer.effects)) return false;
    if (!covers(drawnRect(layer.toCanvas), canvas) || (layer.window && !covers(*layer.window, canvas)))
      return false;
    if (layer.kind == Layer::Kind::kFill) return layer.fill.a == 255;
    if (layer.kind == Layer::Kind::kWaveform) return false;
    const PlanarPicture* picture = pictureAt(layer.picture, pictures);
    return picture != nullptr && picture->isOpaque();
  }

  Status drawLayer(const Layer& layer, std::span<const PicturePtr> pictures, Image& frame, size_t depth) {
    if (layer.kind == Layer::Kind::kTransition) return drawTransition(layer, pictures, frame, depth);
    const CanvasSize canvas{frame.width(), frame.height()};
    const Rect window = layer.window ? intersection(*layer.window, canvas.rect()) : canvas.rect();
    if (window.width <= 0 || window.height <= 0) return {};
    const double opacity = layer.opacity >= kOpaque ? 1 : layer.opacity;
    const LayerContent content{layer, pictureAt(layer.picture, pictures)};
    if (layer.kind == Layer::Kind::kPicture && content.picture == nullptr) return noPicture(layer.picture);
    if (!layer.effects) {
      contents_.draw(surfaceOf(frame), content, {layer.toCanvas, window, opacity});
      return {};
    }
    const PlanarPicture* const mask = pictureAt(layer.effects->mask, pictures);
    if (layer.effects->mask >= 0 && mask == nullptr) return noPicture(layer.effects->mask);
    return effects_.draw(frame, content, mask, window, opacity);
  }

  static Error noPicture(int index) {
    return {ErrorCode::UNEXPECTED, "A layer has no picture.", "picture " + std::to_string(index)};
  }

  Result<Stage*> stage(size_t index, const CanvasSize& canvas) {
    while (stages_.size() <= index) stages_.emplace_back();
    Stage& stage = stages_[index];
    if (!stage.image || stage.image->width() != canvas.width || stage.image->height() != canvas.height) {
      FW_ASSIGN_OR_RETURN(stage.image, Image::create(PixelFormat::kI420, canvas.width, canvas.height));
      stage.picture = wrapImage(stage.image);
    }
    return &stage;
  }

  Status drawTransition(const Layer& layer, std::span<const PicturePtr> pictures, Image& frame,
                        size_t depth) {
    const TransitionStyle* const style = findTransition(layer.style);
    if (style == nullptr) {
      return Error{
          ErrorCode::INVALID_TIMELINE,
          "The transition \"" + layer.style + "\" is not known; known are " + transitionNames() + ".", ""};
    }
    static const DrawList kNothing;
    const DrawList& from = layer.from ? *layer.from : kNothing;
    const DrawList& to = layer.to ? *layer.to : kNothing;
    if (layer.progress <= 0) return composeList(from, pictures, frame, depth);
    if (layer.progress >= 1) return composeList(to, pictures, frame, depth);
    Crossing crossing{frame,   layer.progress,       nullptr,   nullptr, nullptr,
                      nullptr, contents_.pictures(), crossings_};
    FW_RETURN_IF_ERROR(composeBoth(from, to, style->inputs, pictures, crossing, depth));
    style->draw(crossing);
    return {};
  }

  // Puts the pictures of a transition where its style wants them.
  Status composeBoth(const DrawList& from, const DrawList& to, CrossingInputs inputs,
                     std::span<const PicturePtr> pictures, Crossing& crossing, size_t depth) {
    using Inputs = CrossingInputs;
    const CanvasSize canvas = crossing.canvas();
    if (inputs == Inputs::kFromInFrame || inputs == Inputs::kApart) {
      FW_ASSIGN_OR_RETURN(Stage* const next, stage(2 * depth, canvas));
      FW_RETURN_IF_ERROR(composeList(to, pictures, *next->image, depth + 1));
      crossing.to = next->image.get();
      crossing.toPicture = next->picture.get();
    }
    if (inputs == Inputs::kToInFrame || inputs == Inputs::kApart) {
      FW_ASSIGN_OR_RETURN(Stage* const leaving, stage(2 * depth + 1, canvas));
      FW_RETURN_IF_ERROR(composeList(from, pictures, *leaving->image, depth + 1));
      crossing.from = leaving->image.get();
      crossing.fromPicture = leaving->picture.get();
    }
    if (inputs == Inputs::kApart) return {};
    const bool old =
        inputs == Inputs::kFromInFrame || (inputs == Inputs::kHalfInFrame && crossing.progress < 0.5);
    return composeList(old ? from : to, pictures, crossing.frame, depth);
  }

  ContentDrawer contents_;
  EffectDrawer effects_{contents_};
  CrossingBuffers crossings_;
  std::deque<Stage> stages_;  // two per depth of nesting; a deque, since nested lists add to it
};

}  // namespace

std::unique_ptr<Compositor> createCpuCompositor() { return std::make_unique<CpuCompositor>(); }

}  // namespace framewright
