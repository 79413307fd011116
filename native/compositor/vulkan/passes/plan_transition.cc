#include "compositor/plan/color.h"
#include "compositor/plan/transitions/transition_layers.h"
#include "compositor/vulkan/passes/frame_planner.h"
#include "compositor/vulkan/transitions/transition_passes.h"

namespace framewright::gpu {

Status FramePlanner::planTransition(const Layer& layer, Stack& stack) {
  const TransitionStyle* const style = findTransition(layer.style);
  if (style == nullptr) return unknownTransition(layer.style);
  static const DrawList kNothing;
  const DrawList& from = layer.from ? *layer.from : kNothing;
  const DrawList& to = layer.to ? *layer.to : kNothing;
  const DeviceSurface& target = *stack.target;
  if (layer.progress <= 0 || layer.progress >= 1) {
    FW_RETURN_IF_ERROR(planList(layer.progress <= 0 ? from : to, target));
    stack.startsEmpty = false;
    return {};
  }
  const int width = target.layout.width, height = target.layout.height;
  DeviceSurface sides[2];
  const bool isHalf = style->inputs == TransitionInputs::kHalfInFrame;
  for (size_t i = 0; i < 2; ++i) {
    FW_ASSIGN_OR_RETURN(sides[i], scratch(width, height, false));
    if (isHalf && (layer.progress < 0.5) != (i == 0)) continue;
    FW_RETURN_IF_ERROR(planList(i == 0 ? from : to, sides[i]));
  }
  if (style->kind == TransitionKind::kZoomBlur) return planZoomBlur(layer.progress, sides, stack);
  if (isDrawnAsLayers(style->kind)) {
    addTransitionLayers(*style, layer.progress, sides, stack);
    return {};
  }
  // The stack is empty: a transition is always the lowest visible layer.
  stack.startsEmpty = false;
  DeviceTransition transition{layer.progress, format_, target, sides[0], sides[1], layer.wipe};
  if (style->kind == TransitionKind::kLuma) {
    FW_ASSIGN_OR_RETURN(transition.luma, maskImage(layer.image));
  }
  return TransitionPasses(patterns_, *plan_, transition).draw(*style);
}

void FramePlanner::addTransitionLayer(const TransitionLayer& layer, std::span<const DeviceSurface> sides,
                                      Stack& stack, bool withLuma, bool withChroma) {
  if (layer.opacity <= 0) return;
  const CanvasSize canvas = stack.target->layout.size();
  if (layer.side == TransitionSide::kBlack) {
    addRecords(stack, [&](uint32_t record, PlaneGroup group) {
      return records_->writeFill(record, group, canvas, valuesOf(kBlack),
                                 {layer.toCanvas, layer.window, layer.opacity});
    });
    return;
  }
  const size_t index = layer.side == TransitionSide::kFrom ? 0 : layer.side == TransitionSide::kTo ? 1 : 2;
  const DeviceSurface& side = sides[index];
  const uint32_t source = sourceIn(stack, side.buffer.get());
  addRecords(stack, [&](uint32_t record, PlaneGroup group) {
    if (!(group == PlaneGroup::kLuma ? withLuma : withChroma)) return RecordNeeds{.empty = true};
    return records_->writeImage(record, group, canvas, sourceOf(side.layout), source, canvas.rect(),
                                {layer.toCanvas, layer.window, layer.opacity, layer.extendsEdges});
  });
}

Status FramePlanner::planZoomBlur(double progress, std::span<const DeviceSurface> sides, Stack& stack) {
  const CanvasSize canvas = stack.target->layout.size();
  const auto passes = zoomBlurPasses(progress, canvas);
  // The sides, and the result of the previous pass.
  std::array<DeviceSurface, 3> surfaces{sides[0], sides[1], {}};
  DeviceSurface results[2];
  for (size_t i = 0; i + 1 < passes.size(); ++i) {
    DeviceSurface& result = results[i % 2];
    if (!result.buffer) {
      FW_ASSIGN_OR_RETURN(result, scratch(canvas.width, canvas.height, false));
    }
    Stack own{&result};
    for (const TransitionLayer& layer : passes[i]) addTransitionLayer(layer, surfaces, own);
    flush(own);
    surfaces[2] = result;
  }
  for (const TransitionLayer& layer : passes.back()) addTransitionLayer(layer, surfaces, stack);
  return {};
}

void FramePlanner::addTransitionLayers(const TransitionStyle& style, double progress,
                                       std::span<const DeviceSurface> sides, Stack& stack) {
  const CanvasSize canvas = stack.target->layout.size();
  const auto addSide = [&](const TransitionLayer& layer, bool withLuma = true, bool withChroma = true) {
    addTransitionLayer(layer, sides, stack, withLuma, withChroma);
  };
  const auto fadeThrough = [&](const FillValues& color, bool withLuma) {
    const FadeThroughColor fade = fadeThroughColor(progress);
    const Affine whole = unitSquareTo(canvas.rect());
    addSide({TransitionSide::kFrom, whole, canvas.rect()}, withLuma);
    addSide({TransitionSide::kTo, whole, canvas.rect(), fade.towardsNext}, withLuma);
    addRecords(stack, [&](uint32_t record, PlaneGroup group) {
      if (group == PlaneGroup::kLuma && !withLuma) return RecordNeeds{.empty = true};
      return records_->writeFill(record, group, canvas, color, {whole, canvas.rect(), fade.towardsColor});
    });
  };
  if (style.kind == TransitionKind::kFadeThroughBlack) return fadeThrough(valuesOf(kBlack), true);
  if (style.kind == TransitionKind::kFadeThroughWhite) return fadeThrough({format_.white()}, true);
  const bool isGray = style.kind == TransitionKind::kFadeThroughGray;
  for (const TransitionLayer& layer : transitionLayers(style, progress, canvas))
    addSide(layer, true, !isGray);
  if (isGray) fadeThrough(valuesOf(kBlack), false);
}

}  // namespace framewright::gpu
