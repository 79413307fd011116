#include "compositor/cpu/list_composer.h"

#include <array>
#include <cstring>

#include "compositor/cpu/changed_rects.h"
#include "core/stopwatch.h"

namespace framewright {
namespace {

void clear(Image& frame, const PixelRect& part) {
  const std::array<uint8_t, 3> black = yuvOf(Color{0, 0, 0, 255});
  for (int i = 0; i < 3; ++i) {
    const Plane plane = partOf(frame.plane(i), part, i == 0 ? PlaneGroup::kLuma : PlaneGroup::kChroma);
    for (int y = 0; y < plane.height; ++y) {
      std::memset(plane.data + y * plane.stride, black[static_cast<size_t>(i)],
                  static_cast<size_t>(plane.width));
    }
  }
}

Error noPicture(int index) {
  return {ErrorCode::UNEXPECTED, "A layer has no picture.", "picture " + std::to_string(index)};
}

PicturePtr sharedPictureAt(int index, std::span<const PicturePtr> pictures) {
  return frameAt(index, pictures) == nullptr ? nullptr : pictures[static_cast<size_t>(index)];
}

}  // namespace

Plane partOf(const Plane& plane, const PixelRect& part, PlaneGroup group) {
  const SampleRange across = samplesOf(part.left, part.right, group),
                    down = samplesOf(part.top, part.bottom, group);
  return {plane.data + down.first * plane.stride + across.first, plane.stride, across.end - across.first,
          down.end - down.first};
}

void copyPart(Image& to, const Image& from, const PixelRect& part) {
  for (int i = 0; i < 3; ++i) {
    const PlaneGroup group = i == 0 ? PlaneGroup::kLuma : PlaneGroup::kChroma;
    const Plane target = partOf(to.plane(i), part, group), source = partOf(from.plane(i), part, group);
    for (int y = 0; y < target.height; ++y) {
      std::memcpy(target.data + y * target.stride, source.data + y * source.stride,
                  static_cast<size_t>(target.width));
    }
  }
}

void ListComposer::endFrame() {
  effects_.endFrame();
  for (Stage& stage : stages_) {
    if (!stage.isUsed) stage = {};
    stage.isUsed = false;
  }
}

Status ListComposer::composeList(const ListedLayers& layers, Image& frame, const PixelRect& part,
                                 size_t depth) {
  const std::optional<size_t> lowest = lowestVisible(layers, {frame.width(), frame.height()}, part);
  if (!lowest) clear(frame, part);
  while (runs_.size() <= depth) runs_.emplace_back(times_);
  LayerRun& run = runs_[depth];
  for (size_t i = lowest.value_or(0); i < layers.list.layers.size(); ++i) {
    const Status status = drawLayer(layers.list.layers[i], layers.pictures, frame, part, depth);
    if (status.ok()) continue;
    run.clear();
    return status;
  }
  run.flush(surfaceOf(frame), part);
  return {};
}

// Adds the layer to the run of this depth, or draws it over what the run has.
Status ListComposer::drawLayer(const Layer& layer, std::span<const PicturePtr> pictures, Image& frame,
                               const PixelRect& part, size_t depth) {
  const CanvasSize canvas{frame.width(), frame.height()};
  const PlacedLayer placed = placeLayer(layer, canvas);
  LayerRun& run = runs_[depth];
  if (placed.way == PlacedLayer::Way::kTransition) {
    run.flush(surfaceOf(frame), part);
    return drawTransition(layer, pictures, frame, depth);
  }
  const LayerContent content{layer, frameAt(layer.picture, pictures)};
  if (layer.kind == Layer::Kind::kPicture && content.picture == nullptr) return noPicture(layer.picture);
  if (intersection(placed.extent, part).empty()) return {};
  if (placed.way == PlacedLayer::Way::kApart) {
    const ApartPictures needed{sharedPictureAt(layer.picture, pictures),
                               sharedPictureAt(layer.effects->mask, pictures)};
    if (layer.effects->mask >= 0 && needed.mask == nullptr) return noPicture(layer.effects->mask);
    run.flush(surfaceOf(frame), part);
    const Stopwatch watch(times_.of(layer.picture));
    return effects_.draw(frame, content, needed, placed, part);
  }
  if (layer.kind == Layer::Kind::kWaveform) {
    run.flush(surfaceOf(frame), part);
    const Stopwatch watch(times_.of(LayerTimes::kNoPicture));
    contents_.draw(surfaceOf(frame), content, {layer.toCanvas, placed.window, placed.opacity, false, part});
    return {};
  }
  run.add(content, placed, canvas, part);
  return {};
}

ListComposer::Stage& ListComposer::stageAt(size_t index) {
  while (stages_.size() <= index) stages_.emplace_back();
  stages_[index].isUsed = true;
  return stages_[index];
}

Status ListComposer::drawTransition(const Layer& layer, std::span<const PicturePtr> pictures, Image& frame,
                                    size_t depth) {
  const TransitionStyle* const style = findTransition(layer.style);
  if (style == nullptr) return unknownTransition(layer.style);
  static const DrawList kNothing;
  const DrawList& from = layer.from ? *layer.from : kNothing;
  const DrawList& to = layer.to ? *layer.to : kNothing;
  const PixelRect whole{0, 0, frame.width(), frame.height()};
  if (layer.progress <= 0) return composeList({from, pictures}, frame, whole, depth + 1);
  if (layer.progress >= 1) return composeList({to, pictures}, frame, whole, depth + 1);
  Crossing crossing{frame,   layer.progress,       nullptr,   nullptr, nullptr,
                    nullptr, contents_.pictures(), crossings_};
  FW_RETURN_IF_ERROR(composeBoth(from, to, style->inputs, pictures, crossing, depth));
  const Stopwatch watch(times_.of(LayerTimes::kNoPicture));
  if (style->mask != nullptr) {
    drawMask(crossing, style->mask(layer.progress, crossing.canvas()));
  } else {
    style->draw(crossing);
  }
  return {};
}

// Puts the pictures of a transition where its style wants them.
Status ListComposer::composeBoth(const DrawList& from, const DrawList& to, CrossingInputs inputs,
                                 std::span<const PicturePtr> pictures, Crossing& crossing, size_t depth) {
  using Inputs = CrossingInputs;
  const CanvasSize canvas = crossing.canvas();
  Stage &next = stageAt(2 * depth), &leaving = stageAt(2 * depth + 1);
  const ListedLayers entering{to, pictures}, old{from, pictures};
  if (inputs == Inputs::kFromInFrame || inputs == Inputs::kApart) {
    FW_RETURN_IF_ERROR(composeApart(next, entering, canvas, depth));
    crossing.to = next.image.get();
    crossing.toPicture = next.picture.get();
  }
  if (inputs == Inputs::kToInFrame || inputs == Inputs::kApart) {
    FW_RETURN_IF_ERROR(composeApart(leaving, old, canvas, depth));
    crossing.from = leaving.image.get();
    crossing.fromPicture = leaving.picture.get();
  }
  if (inputs == Inputs::kApart) return {};
  const bool isOld =
      inputs == Inputs::kFromInFrame || (inputs == Inputs::kHalfInFrame && crossing.progress < 0.5);
  return isOld ? composeInFrame(leaving, old, crossing.frame, depth)
               : composeInFrame(next, entering, crossing.frame, depth);
}

// The stage's image shows the list afterwards; what it shows already is not drawn again.
Status ListComposer::composeApart(Stage& stage, const ListedLayers& layers, const CanvasSize& canvas,
                                  size_t depth) {
  FW_RETURN_IF_ERROR(drawStage(stage, layers, canvas, depth));
  stage.list = layers.list;
  stage.pictures.assign(layers.pictures.begin(), layers.pictures.end());
  stage.isKnown = stage.isDrawn = true;
  return {};
}

// Draws into the frame, unless it is the second time: then apart, for the times to come.
Status ListComposer::composeInFrame(Stage& stage, const ListedLayers& layers, Image& frame, size_t depth) {
  const CanvasSize canvas{frame.width(), frame.height()};
  if (stage.isKnown && changedRects({stage.list, stage.pictures}, layers, canvas).empty()) {
    FW_RETURN_IF_ERROR(composeApart(stage, layers, canvas, depth));
    copyPart(frame, *stage.image, canvas.pixels());
    return {};
  }
  stage.list = layers.list;
  stage.pictures.assign(layers.pictures.begin(), layers.pictures.end());
  stage.isKnown = true;
  stage.isDrawn = false;
  return composeList(layers, frame, canvas.pixels(), depth + 1);
}

Status ListComposer::drawStage(Stage& stage, const ListedLayers& layers, const CanvasSize& canvas,
                               size_t depth) {
  if (!stage.image || stage.image->width() != canvas.width || stage.image->height() != canvas.height) {
    FW_ASSIGN_OR_RETURN(stage.image, Image::create(PixelFormat::kI420, canvas.width, canvas.height));
    stage.picture = wrapImage(stage.image);
    stage.isDrawn = false;
  }
  const bool isDrawn = stage.isDrawn;
  stage.isDrawn = false;  // until all of it is
  if (!isDrawn) return composeList(layers, *stage.image, canvas.pixels(), depth + 1);
  for (const PixelRect& rect : changedRects({stage.list, stage.pictures}, layers, canvas)) {
    FW_RETURN_IF_ERROR(composeList(layers, *stage.image, rect, depth + 1));
  }
  return {};
}

}  // namespace framewright
