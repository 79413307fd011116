#include "compositor/cpu/list_composer.h"

#include <array>
#include <cstring>

#include "compositor/changes/frame_parts.h"
#include "compositor/plan/color.h"
#include "core/stopwatch.h"

namespace framewright {
namespace {

void clear(Image& frame, const PixelRect& part) {
  const std::array<uint8_t, 3> black = yuvOf(kBlack);
  for (int i = 0; i < 3; ++i) {
    const Plane plane = partOf(frame.plane(i), part, groupOfPlane(i));
    for (int y = 0; y < plane.height; ++y) {
      std::memset(plane.data + y * plane.stride, black[static_cast<size_t>(i)],
                  static_cast<size_t>(plane.width));
    }
  }
}

}  // namespace

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
    const Status status = drawLayer(layers.list.layers[i], layers.images, frame, part, depth);
    if (status.ok()) continue;
    run.clear();
    return status;
  }
  run.flush(surfaceOf(frame, isDithered_), part);
  return {};
}

// Appends the layer to this depth's run, or flushes the run and draws the layer.
Status ListComposer::drawLayer(const Layer& layer, std::span<const PreparedImagePtr> images, Image& frame,
                               const PixelRect& part, size_t depth) {
  const CanvasSize canvas{frame.width(), frame.height()};
  const LayerPlacement placed = placeLayer(layer, canvas);
  LayerRun& run = runs_[depth];
  if (placed.method == LayerPlacement::Method::kTransition) {
    run.flush(surfaceOf(frame, isDithered_), part);
    return drawTransition(layer, images, frame, depth);
  }
  const LayerContent content{layer, imageAt(layer.image, images)};
  if (layer.kind == Layer::Kind::kImage && content.image == nullptr) return missingImage(layer.image);
  if (intersection(placed.extent, part).empty()) return {};
  if (placed.method == LayerPlacement::Method::kOffscreen) {
    FW_ASSIGN_OR_RETURN(const EffectInputs needed, inputsOf(layer, images));
    run.flush(surfaceOf(frame, isDithered_), part);
    const Stopwatch watch(times_.of(layer.image));
    return effects_.draw(frame, layer, needed, placed, part);
  }
  if (layer.kind == Layer::Kind::kWaveform) {
    run.flush(surfaceOf(frame, isDithered_), part);
    const Stopwatch watch(times_.of(LayerTimes::kNoImage));
    contents_.draw(surfaceOf(frame, isDithered_), content,
                   {layer.toCanvas, placed.window, placed.opacity, false, part});
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

Status ListComposer::drawTransition(const Layer& layer, std::span<const PreparedImagePtr> images,
                                    Image& frame, size_t depth) {
  const TransitionStyle* const style = findTransition(layer.style);
  if (style == nullptr) return unknownTransition(layer.style);
  static const DrawList kNothing;
  const DrawList& from = layer.from ? *layer.from : kNothing;
  const DrawList& to = layer.to ? *layer.to : kNothing;
  const PixelRect whole{0, 0, frame.width(), frame.height()};
  if (layer.progress <= 0) return composeList({from, images}, frame, whole, depth + 1);
  if (layer.progress >= 1) return composeList({to, images}, frame, whole, depth + 1);
  TransitionFrame transition{
      frame,       layer.progress, nullptr, nullptr, nullptr, nullptr, contents_.images(), transitionBuffers_,
      isDithered_, layer.wipe};
  if (style->kind == TransitionKind::kLuma) {
    if (imageAt(layer.image, images) == nullptr) return missingImage(layer.image);
    transition.luma = std::static_pointer_cast<const PlanarImage>(images[static_cast<size_t>(layer.image)]);
  }
  FW_RETURN_IF_ERROR(composeSides(from, to, style->inputs, images, transition, depth));
  const Stopwatch watch(times_.of(LayerTimes::kNoImage));
  return framewright::drawTransition(transition, *style);
}

// Composes the sides of a transition to the targets that its style requires.
Status ListComposer::composeSides(const DrawList& from, const DrawList& to, TransitionInputs inputs,
                                  std::span<const PreparedImagePtr> images, TransitionFrame& transition,
                                  size_t depth) {
  using Inputs = TransitionInputs;
  const CanvasSize canvas = transition.canvas();
  Stage &next = stageAt(2 * depth), &leaving = stageAt(2 * depth + 1);
  const ListedLayers entering{to, images}, old{from, images};
  if (inputs == Inputs::kFromInFrame || inputs == Inputs::kSeparate) {
    FW_RETURN_IF_ERROR(composeSeparately(next, entering, canvas, depth));
    transition.to = next.image.get();
    transition.toPlanes = next.planes.get();
  }
  if (inputs == Inputs::kToInFrame || inputs == Inputs::kSeparate) {
    FW_RETURN_IF_ERROR(composeSeparately(leaving, old, canvas, depth));
    transition.from = leaving.image.get();
    transition.fromPlanes = leaving.planes.get();
  }
  if (inputs == Inputs::kSeparate) return {};
  const bool isOld =
      inputs == Inputs::kFromInFrame || (inputs == Inputs::kHalfInFrame && transition.progress < 0.5);
  return isOld ? composeInFrame(leaving, old, transition.frame, depth)
               : composeInFrame(next, entering, transition.frame, depth);
}

// Updates the stage's image to the list; unchanged regions are reused.
Status ListComposer::composeSeparately(Stage& stage, const ListedLayers& layers, const CanvasSize& canvas,
                                       size_t depth) {
  FW_RETURN_IF_ERROR(drawStage(stage, layers, canvas, depth));
  stage.list = layers.list;
  stage.images.assign(layers.images.begin(), layers.images.end());
  stage.isKnown = stage.isDrawn = true;
  return {};
}

// Composes into the frame the first time; from the second time on into the stage, for reuse.
Status ListComposer::composeInFrame(Stage& stage, const ListedLayers& layers, Image& frame, size_t depth) {
  const CanvasSize canvas{frame.width(), frame.height()};
  if (stage.isKnown && changedRects({stage.list, stage.images}, layers, canvas, isOpaquePlanar).empty()) {
    FW_RETURN_IF_ERROR(composeSeparately(stage, layers, canvas, depth));
    copyPart(frame, *stage.image, canvas.pixels());
    return {};
  }
  stage.list = layers.list;
  stage.images.assign(layers.images.begin(), layers.images.end());
  stage.isKnown = true;
  stage.isDrawn = false;
  return composeList(layers, frame, canvas.pixels(), depth + 1);
}

Status ListComposer::drawStage(Stage& stage, const ListedLayers& layers, const CanvasSize& canvas,
                               size_t depth) {
  if (!stage.image || stage.image->width() != canvas.width || stage.image->height() != canvas.height) {
    FW_ASSIGN_OR_RETURN(stage.image, Image::create(PixelFormat::kI420, canvas.width, canvas.height));
    stage.planes = wrapImage(stage.image);
    stage.isDrawn = false;
  }
  const bool isDrawn = stage.isDrawn;
  stage.isDrawn = false;  // set again after success
  if (!isDrawn) return composeList(layers, *stage.image, canvas.pixels(), depth + 1);
  for (const PixelRect& rect : changedRects({stage.list, stage.images}, layers, canvas, isOpaquePlanar)) {
    FW_RETURN_IF_ERROR(composeList(layers, *stage.image, rect, depth + 1));
  }
  return {};
}

}  // namespace framewright
