#include "compositor/cpu/transition.h"
#include "compositor/vulkan/crossing_passes.h"
#include "compositor/vulkan/frame_planner.h"
#include "compositor/vulkan/transition_layers.h"

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
  const bool isHalf = style->inputs == CrossingInputs::kHalfInFrame;
  for (size_t i = 0; i < 2; ++i) {
    FW_ASSIGN_OR_RETURN(sides[i], scratch(width, height, false));
    if (isHalf && (layer.progress < 0.5) != (i == 0)) continue;
    FW_RETURN_IF_ERROR(planList(i == 0 ? from : to, sides[i]));
  }
  if (const LayeredTransition* const layered = findLayeredTransition(layer.style)) {
    layTransition(*layered, layer.progress, sides, stack);
    return {};
  }
  // Nothing waits in the stack: a transition is always the lowest layer that is seen.
  stack.startsEmpty = false;
  const DeviceCrossing crossing{layer.progress, target, sides[0], sides[1]};
  CrossingPasses passes(patterns_, *plan_, crossing);
  if (style->mask != nullptr) return passes.mask(style->mask(layer.progress, target.layout.size()));
  const CrossedTransition* const crossed = findCrossedTransition(layer.style);
  if (crossed == nullptr)
    return Error{ErrorCode::UNEXPECTED, "A transition cannot be drawn on the device.", layer.style};
  crossed->draw(passes);
  return {};
}

void FramePlanner::layTransition(const LayeredTransition& style, double progress,
                                 std::span<const DeviceSurface> sides, Stack& stack) {
  const DeviceSurface& target = *stack.target;
  const auto isIn = [](PlaneGroup group, Groups groups) {
    return (groups & (group == PlaneGroup::kLuma ? kLumaGroup : kChromaGroup)) != 0;
  };
  TransitionLayers layers{
      progress, static_cast<double>(target.layout.width), static_cast<double>(target.layout.height), {}, {}};
  layers.lay = [&](Side side, const Placement& placement, Groups groups) {
    const DeviceSurface& picture = sides[side == Side::kFrom ? 0 : 1];
    const uint32_t source = sourceIn(stack, picture.buffer.get());
    const SourcePicture drawn = sourceOf(picture.layout);
    const Rect crop = picture.layout.size().rect();
    addRecords(stack, [&](uint32_t record, PlaneGroup group) {
      if (!isIn(group, groups)) return RecordNeeds{.empty = true};
      return records_->writePicture(record, group, target.layout.size(), drawn, source, crop, placement);
    });
  };
  layers.fill = [&](const Color& color, double opacity, Groups groups) {
    const Placement placement = layers.whole(opacity);
    addRecords(stack, [&](uint32_t record, PlaneGroup group) {
      if (!isIn(group, groups)) return RecordNeeds{.empty = true};
      return records_->writeFill(record, group, target.layout.size(), color, placement);
    });
  };
  style.draw(layers);
}

}  // namespace framewright::gpu
