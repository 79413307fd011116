#include "compositor/deep/deep_compositor.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>

#include "compositor/changes/changed_rects.h"
#include "compositor/changes/frame_history.h"
#include "compositor/changes/frame_parts.h"
#include "compositor/deep/layer_drawer.h"
#include "compositor/deep/planes/plane_composer.h"
#include "compositor/deep/transition_drawer.h"
#include "compositor/deep/write_frame.h"
#include "compositor/plan/layer_placement.h"

namespace framewright {
namespace {

// How often an image can be halved and still be as large as it is drawn.
int firstLevelOf(const Image& image, double drawnWidth, double drawnHeight) {
  if (drawnWidth <= 0 || drawnHeight <= 0) return 0;
  const double shrink = std::min(image.width() / drawnWidth, image.height() / drawnHeight);
  return shrink < 2 ? 0 : static_cast<int>(std::floor(std::log2(shrink)));
}

// Scales a still once to the size at which it is drawn, so that drawing it needs the shortest filters.
// Returns it as it is unless it is larger, by less than twice.
Result<std::shared_ptr<const DeepImage>> scaledTo(double drawnWidth, double drawnHeight,
                                                  std::shared_ptr<const DeepImage> still,
                                                  const std::shared_ptr<const CanvasCurves>& curves) {
  FW_ASSIGN_OR_RETURN(const FloatImage* const first, still->first());
  const int width = std::min(first->width(), static_cast<int>(std::lround(drawnWidth))),
            height = std::min(first->height(), static_cast<int>(std::lround(drawnHeight)));
  const bool isSmaller = width < first->width() || height < first->height();
  if (width < 1 || height < 1 || !isSmaller || 2 * width < first->width() || 2 * height < first->height())
    return still;
  FW_ASSIGN_OR_RETURN(FloatImage scaled, FloatImage::create(width, height, first->hasAlpha()));
  scaled.clear();
  const DeepImage whole(first->width(), first->height(), 0, *first, curves);
  DeepImageDrawer drawer(curves->color());
  FW_RETURN_IF_ERROR(drawer.draw(scaled, whole,
                                 {first->size().rect(), scaling(width, height), scaled.size().rect(), 1, true,
                                  first->hasAlpha() ? FilterKernel::kCatmullRom : FilterKernel::kLanczos3}));
  return std::make_shared<const DeepImage>(width, height, 0, std::move(scaled), curves);
}

class DeepCompositor final : public Compositor {
 public:
  DeepCompositor(const CanvasColor& color, bool hasAlpha, DeepPrecision precision)
      : hasAlpha_(hasAlpha),
        usesPlanes_(!hasAlpha && !color.isLinear && precision == DeepPrecision::kPlanes),
        curves_(std::make_shared<const CanvasCurves>(color)),
        maskCurves_(curves_->keepsSdr() ? curves_ : std::make_shared<const CanvasCurves>(CanvasColor{})),
        eightBits_(*curves_),
        layers_(*curves_, eightBits_),
        surfaces_(*curves_, layers_, !hasAlpha && !color.isLinear),
        planeTransitions_(*curves_, eightBits_),
        transitions_(*curves_, eightBits_, planeTransitions_),
        planes_(curves_, layers_, surfaces_, planeTransitions_) {
    layers_.useSurfaces(surfaces_);
  }

  std::optional<CanvasColor> deepColor() const override { return curves_->color(); }

  Result<PreparedImagePtr> prepareStill(const Image& image, double drawnWidth, double drawnHeight) override {
    const auto& curves = curvesFor(image);
    FW_ASSIGN_OR_RETURN(auto still,
                        DeepImage::ofStill(image, firstLevelOf(image, drawnWidth, drawnHeight), curves));
    FW_ASSIGN_OR_RETURN(auto scaled, scaledTo(drawnWidth, drawnHeight, std::move(still), curves));
    return PreparedImagePtr(std::move(scaled));
  }
  Result<PreparedImagePtr> prepareVideoFrame(ImagePtr image, double, double) override {
    const auto& curves = curvesFor(*image);
    return PreparedImagePtr(std::make_shared<const DeepImage>(std::move(image), curves));
  }
  Result<std::shared_ptr<Image>> createFrame(PixelFormat, int width, int height) override {
    return Image::create(hasAlpha_ ? PixelFormat::kRgbaStraight : PixelFormat::kI010, width, height);
  }

  ImagePtr passThrough(const DrawList& list, std::span<const PreparedImagePtr> images, int width,
                       int height) const override {
    const CanvasSize canvas{width, height};
    const auto shown = usesPlanes_ ? imageShownAlone(list, canvas) : std::nullopt;
    if (!shown || *shown >= images.size()) return nullptr;
    const ImagePtr& source = static_cast<const DeepImage&>(*images[*shown]).source();
    return source != nullptr && isComposedFrame(*source, PixelFormat::kI010, canvas) ? source : nullptr;
  }

  Status compose(const DrawList& list, std::span<const PreparedImagePtr> images, Image& frame) override {
    if (usesPlanes_) {
      const PixelRect whole{0, 0, frame.width(), frame.height()};
      return redraw(list, images, frame, {whole});
    }
    FW_RETURN_IF_ERROR(canvas_.resize(frame.width(), frame.height(), hasAlpha_));
    FW_RETURN_IF_ERROR(composeList(list, images, canvas_, 0));
    if (hasAlpha_) {
      writeStraight(canvas_, *curves_, frame);
    } else {
      writeDeepFrame(canvas_, *curves_, list.isDithered, frame);
    }
    return {};
  }

  Status recompose(const DrawList& list, std::span<const PreparedImagePtr> images,
                   const ComposedFrame& before, Image& frame) override {
    const CanvasSize canvas{frame.width(), frame.height()};
    const bool hasSize = before.frame.width() == canvas.width && before.frame.height() == canvas.height;
    if (!usesPlanes_ || !hasSize) return compose(list, images, frame);
    std::vector<PixelRect> changed =
        changedRects({before.list, before.images}, {list, images}, canvas, isOpaqueDeep);
    // Layers may change chroma beside their last pair of columns.
    for (PixelRect& rect : changed) rect.right = std::min(rect.right + 2, canvas.width);
    const bool all = changed.size() == 1 && changed[0] == canvas.pixels();
    if (!all && &before.frame != &frame) {
      for (const PixelRect& rect : history_.between(frame.contents, before.frame.contents, canvas))
        copyPart(frame, before.frame, rect);
    }
    history_.continueFrom(before.frame.contents);
    return redraw(list, images, frame, changed);
  }

 private:
  const std::shared_ptr<const CanvasCurves>& curvesFor(const Image& image) const {
    return image.isMask ? maskCurves_ : curves_;
  }

  static bool isOpaqueDeep(const PreparedImage& image) {
    return static_cast<const DeepImage&>(image).isOpaque();
  }

  // Composes parts of a frame that shows everything else already.
  Status redraw(const DrawList& list, std::span<const PreparedImagePtr> images, Image& frame,
                const std::vector<PixelRect>& parts) {
    frame.contents = 0;
    FW_RETURN_IF_ERROR(planes_.redraw(list, images, frame, parts));
    frame.contents = history_.add(parts);
    return {};
  }

  struct Sides {
    FloatImage from, to;
  };

  Status composeList(const DrawList& list, std::span<const PreparedImagePtr> images, FloatImage& frame,
                     size_t depth) {
    const auto isOpaque = [&](int image) {
      const auto index = static_cast<size_t>(image);
      return image >= 0 && index < images.size() && static_cast<const DeepImage&>(*images[index]).isOpaque();
    };
    const auto lowest = lowestVisibleLayer(list, frame.size(), frame.size().pixels(), isOpaque);
    if (!lowest) frame.clear();
    for (size_t i = lowest.value_or(0); i < list.layers.size(); ++i) {
      const Layer& layer = list.layers[i];
      FW_RETURN_IF_ERROR(layer.kind == Layer::Kind::kTransition ? drawTransition(layer, images, frame, depth)
                                                                : layers_.draw(frame, layer, images));
    }
    return {};
  }

  Status drawTransition(const Layer& layer, std::span<const PreparedImagePtr> images, FloatImage& frame,
                        size_t depth) {
    const TransitionStyle* const style = findTransition(layer.style);
    if (style == nullptr) return unknownTransition(layer.style);
    static const DrawList kNothing;
    const DrawList& from = layer.from ? *layer.from : kNothing;
    const DrawList& to = layer.to ? *layer.to : kNothing;
    if (layer.progress <= 0) return composeList(from, images, frame, depth + 1);
    if (layer.progress >= 1) return composeList(to, images, frame, depth + 1);
    while (sides_.size() <= depth) sides_.emplace_back();
    Sides& sides = sides_[depth];
    for (FloatImage* const side : {&sides.from, &sides.to})
      FW_RETURN_IF_ERROR(side->resize(frame.width(), frame.height(), frame.hasAlpha()));
    FW_RETURN_IF_ERROR(composeList(from, images, sides.from, depth + 1));
    FW_RETURN_IF_ERROR(composeList(to, images, sides.to, depth + 1));
    return transitions_.draw(frame, layer, *style, images, sides.from, sides.to);
  }

  const bool hasAlpha_, usesPlanes_;
  const std::shared_ptr<const CanvasCurves> curves_, maskCurves_;
  EightBitDrawing eightBits_;
  DeepLayerDrawer layers_;
  SurfaceDrawer surfaces_;
  PlaneTransitions planeTransitions_;
  DeepTransitionDrawer transitions_;
  PlaneComposer planes_;
  FrameHistory history_;
  FloatImage canvas_;
  std::deque<Sides> sides_;  // by depth of transitions
};

}  // namespace

std::unique_ptr<Compositor> createDeepCompositor(const CanvasColor& color, bool hasAlpha,
                                                 DeepPrecision precision) {
  return std::make_unique<DeepCompositor>(color, hasAlpha, precision);
}

}  // namespace framewright
