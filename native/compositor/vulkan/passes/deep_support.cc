#include "compositor/vulkan/passes/deep_support.h"

#include <algorithm>

#include "compositor/plan/transitions/transition_layers.h"

namespace framewright::gpu {
namespace {

bool canDrawEffects(const LayerEffects& effects, const CanvasCurves& curves) {
  const bool hasGlow =
      std::ranges::any_of(effects.shadows, [](const DropShadow& shadow) { return shadow.intensity != 1; });
  return !(effects.correction && curves.color().isHdr()) && !effects.chromaKey && effects.grade < 0 &&
         effects.finish == Finish{} && effects.motion.empty() && !effects.projection && !hasGlow;
}

bool canDrawTransition(const Layer& layer) {
  const TransitionStyle* const style = findTransition(layer.style);
  return style == nullptr || blendsSides(style->kind);  // the planner reports unknown ones
}

bool canDraw(const Layer& layer, const CanvasCurves& curves, bool isMember) {
  const auto canDrawSide = [&](const std::shared_ptr<const DrawList>& side) {
    return side == nullptr || canDrawDeep(*side, curves);
  };
  if (layer.kind == Layer::Kind::kTransition)
    return canDrawTransition(layer) && canDrawSide(layer.from) && canDrawSide(layer.to);

  if (layer.kind == Layer::Kind::kWaveform) return false;
  if (layer.effects && !canDrawEffects(*layer.effects, curves)) return false;
  // A member has no backdrop to blend with.
  if (isMember && layer.effects && layer.effects->blend != BlendMode::kNormal) return false;
  return std::ranges::all_of(layer.group, [&](const Layer& member) { return canDraw(member, curves, true); });
}

}  // namespace

bool canDrawDeep(const DrawList& list, const CanvasCurves& curves) {
  return std::ranges::all_of(list.layers, [&](const Layer& layer) { return canDraw(layer, curves, false); });
}

}  // namespace framewright::gpu
