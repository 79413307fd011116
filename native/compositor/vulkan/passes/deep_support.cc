#include "compositor/vulkan/passes/deep_support.h"

#include <algorithm>

#include "compositor/plan/transitions/transition_styles.h"

namespace framewright::gpu {
namespace {

bool canDrawEffects(const LayerEffects& effects) {
  return !effects.correction && !effects.chromaKey && effects.grade < 0 && effects.finish == Finish{} &&
         effects.motion.empty() && !effects.projection && effects.blur == 0 && effects.shadows.empty() &&
         effects.blend == BlendMode::kNormal;
}

bool canDrawTransition(const Layer& layer) {
  const TransitionStyle* const style = findTransition(layer.style);
  if (style == nullptr) return true;  // the planner reports it
  switch (style->kind) {
    case TransitionKind::kFade:
    case TransitionKind::kFadeThroughBlack:
    case TransitionKind::kFadeThroughWhite:
    case TransitionKind::kMask:
    case TransitionKind::kLuma:
    case TransitionKind::kWipe:
    case TransitionKind::kSlide:
    case TransitionKind::kCover:
    case TransitionKind::kReveal:
    case TransitionKind::kZoomIn:
    case TransitionKind::kPush:
      return true;
    default:
      return false;
  }
}

bool canDraw(const Layer& layer, const CanvasCurves& curves) {
  const auto canDrawSide = [&](const std::shared_ptr<const DrawList>& side) {
    return side == nullptr || canDrawDeep(*side, curves);
  };
  if (layer.kind == Layer::Kind::kTransition)
    return canDrawTransition(layer) && canDrawSide(layer.from) && canDrawSide(layer.to);
  if (layer.kind == Layer::Kind::kWaveform) return false;
  if (layer.effects && !canDrawEffects(*layer.effects)) return false;
  return std::ranges::all_of(layer.group, [&](const Layer& member) { return canDraw(member, curves); });
}

}  // namespace

bool canDrawDeep(const DrawList& list, const CanvasCurves& curves) {
  return std::ranges::all_of(list.layers, [&](const Layer& layer) { return canDraw(layer, curves); });
}

}  // namespace framewright::gpu
