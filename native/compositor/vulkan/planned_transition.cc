#include <algorithm>

#include "compositor/vulkan/frame_planner.h"
#include "compositor/vulkan/transition_layers.h"

namespace framewright::gpu {

bool FramePlanner::draws(const DrawList& list) {
  return std::all_of(list.layers.begin(), list.layers.end(), [](const Layer& layer) {
    if (layer.kind != Layer::Kind::kTransition) return true;
    if (findLayeredTransition(layer.style) == nullptr) return false;
    return (layer.from == nullptr || draws(*layer.from)) && (layer.to == nullptr || draws(*layer.to));
  });
}

Status FramePlanner::planTransition(const Layer& layer, Stack& stack) {
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
  for (size_t i = 0; i < 2; ++i) {
    FW_ASSIGN_OR_RETURN(sides[i], scratch(width, height, false));
    FW_RETURN_IF_ERROR(planList(i == 0 ? from : to, sides[i]));
  }
  const auto isIn = [](PlaneGroup group, Groups groups) {
    return (groups & (group == PlaneGroup::kLuma ? kLumaGroup : kChromaGroup)) != 0;
  };
  TransitionLayers layers{layer.progress, static_cast<double>(width), static_cast<double>(height), {}, {}};
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
  findLayeredTransition(layer.style)->draw(layers);
  return {};
}

}  // namespace framewright::gpu
