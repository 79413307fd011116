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
  if (isDrawnAsLayers(style->kind)) {
    addTransitionLayers(*style, layer.progress, sides, stack);
    return {};
  }
  // The stack is empty: a transition is always the lowest visible layer.
  stack.startsEmpty = false;
  const DeviceTransition transition{layer.progress, target, sides[0], sides[1]};
  return TransitionPasses(patterns_, *plan_, transition).draw(*style);
}

void FramePlanner::addTransitionLayers(const TransitionStyle& style, double progress,
                                       std::span<const DeviceSurface> sides, Stack& stack) {
  const CanvasSize canvas = stack.target->layout.size();
  const auto addSide = [&](const TransitionLayer& layer, bool withLuma = true, bool withChroma = true) {
    if (layer.opacity <= 0) return;
    const DeviceSurface& side = sides[layer.side == TransitionSide::kFrom ? 0 : 1];
    const uint32_t source = sourceIn(stack, side.buffer.get());
    addRecords(stack, [&](uint32_t record, PlaneGroup group) {
      if (!(group == PlaneGroup::kLuma ? withLuma : withChroma)) return RecordNeeds{.empty = true};
      return records_->writeImage(record, group, canvas, sourceOf(side.layout), source, canvas.rect(),
                                  {layer.toCanvas, layer.window, layer.opacity, layer.extendsEdges});
    });
  };
  const auto fadeThrough = [&](const Color& color, bool withLuma) {
    const FadeThroughColor fade = fadeThroughColor(progress);
    const Affine whole = unitSquareTo(canvas.rect());
    addSide({TransitionSide::kFrom, whole, canvas.rect()}, withLuma);
    addSide({TransitionSide::kTo, whole, canvas.rect(), fade.towardsNext}, withLuma);
    addRecords(stack, [&](uint32_t record, PlaneGroup group) {
      if (group == PlaneGroup::kLuma && !withLuma) return RecordNeeds{.empty = true};
      return records_->writeFill(record, group, canvas, color, {whole, canvas.rect(), fade.towardsColor});
    });
  };
  if (style.kind == TransitionKind::kFadeThroughBlack) return fadeThrough(kBlack, true);
  if (style.kind == TransitionKind::kFadeThroughWhite) return fadeThrough(kWhite, true);
  const bool isGray = style.kind == TransitionKind::kFadeThroughGray;
  for (const TransitionLayer& layer : transitionLayers(style, progress, canvas))
    addSide(layer, true, !isGray);
  if (isGray) fadeThrough(kBlack, false);
}

}  // namespace framewright::gpu
