#include "compositor/cpu/effects/finish_effects.h"

#include <algorithm>
#include <cstring>

#include "core/planes.h"

namespace framewright {
namespace {

using kernels::kSharpenReach;
using kernels::kSharpenTaps;

constexpr int kNeutralLuma = 16, kNeutralChroma = 128;

// Null for an opaque surface.
const uint8_t* alphaRow(const Plane& alpha, int y) {
  return alpha.data != nullptr ? rowOf(alpha, y) : nullptr;
}

}  // namespace

void FinishEffects::Rows::begin(const Plane& plane) {
  for (auto& row : copies) row.resize(static_cast<size_t>(plane.width + 2 * kSharpenReach));
  for (int y = 0; y < kSharpenReach; ++y) copy(plane, y);
}

void FinishEffects::Rows::copy(const Plane& plane, int y) {
  std::vector<uint8_t>& row = copies[static_cast<size_t>(y % kSharpenTaps)];
  const uint8_t* const from = rowOf(plane, std::min(y, plane.height - 1));
  const auto width = static_cast<size_t>(plane.width);
  std::memset(row.data(), from[0], kSharpenReach);
  std::memcpy(row.data() + kSharpenReach, from, width);
  std::memset(row.data() + kSharpenReach + width, from[width - 1], kSharpenReach);
}

void FinishEffects::Rows::advance(const Plane& plane, int y) {
  if (y + kSharpenReach < plane.height) copy(plane, y + kSharpenReach);
  for (int i = 0; i < kSharpenTaps; ++i) {
    const int row = std::clamp(y + i - kSharpenReach, 0, plane.height - 1);
    at[static_cast<size_t>(i)] = copies[static_cast<size_t>(row % kSharpenTaps)].data();
  }
}

void FinishEffects::sharpen(const Surface& surface, double amount) {
  const Plane &luma = surface.planes.y, &alpha = surface.planes.alpha;
  const int strength = sharpenStrength(amount);
  luma_.begin(luma);
  alpha_.begin(alpha);
  for (int y = 0; y < luma.height; ++y) {
    luma_.advance(luma, y);
    alpha_.advance(alpha, y);
    kernels::sharpenRow(rowOf(luma, y), luma_.at.data(), alpha_.at.data(), strength,
                        static_cast<size_t>(luma.width));
  }
}

void FinishEffects::beginVignette(const LayerBuffer& layer, const LayerEffects& effects) {
  const Surface& surface = layer.surface();
  const Affine box = translation(surface.insetX, surface.insetY) * layer.fromCanvas() * effects.vignetteBox;
  for (size_t i = 0; i < vignettes_.size(); ++i)
    vignettes_[i] = planVignette(*effects.finish.vignette, box, kPlaneGroups[i]);
}

void FinishEffects::darkenCorners(const Surface& surface) {
  for (const PlaneGroup group : kPlaneGroups) {
    const bool isLuma = group == PlaneGroup::kLuma;
    const VignettePlan& plan = vignettes_[isLuma ? 0 : 1];
    const std::array<Plane, 3> planes = planesOf(surface.planes, group);
    const Plane& alpha = planes[kAlphaPlane];
    const auto width = static_cast<size_t>(planes[0].width);
    brightness_.resize(width);
    const int neutral = isLuma ? kNeutralLuma : kNeutralChroma, shift = isLuma ? 0 : 1;
    for (int y = 0; y < planes[0].height; ++y) {
      kernels::vignetteRow(brightness_.data(),
                           plan.row(y + (surface.insetY >> shift), surface.insetX >> shift),
                           plan.table.data(), width);
      for (int p = 0; p < colourPlanes(group); ++p) {
        kernels::shadeRow(rowOf(planes[static_cast<size_t>(p)], y), alphaRow(alpha, y), brightness_.data(),
                          neutral, surface.rounding(y, group), width);
      }
    }
  }
}

void FinishEffects::addGrain(const LayerBuffer& layer, const LayerEffects& effects) {
  const Plane &luma = layer.surface().planes.y, &alpha = layer.surface().planes.alpha;
  const GrainPlan plan = planGrain(effects, layer.x(), layer.y());
  const int8_t* const tile = grainTile(effects.grainSize).noise.data();
  constexpr int kSide = GrainTile::kSide;
  noise_.resize(static_cast<size_t>(luma.width));
  for (int y = 0; y < luma.height; ++y) {
    const int8_t* const row = tile + (plan.y + y) % kSide * kSide;
    for (int x = 0; x < luma.width;) {
      const int from = (plan.x + x) % kSide, count = std::min(kSide - from, luma.width - x);
      std::copy_n(row + from, count, noise_.data() + x);
      x += count;
    }
    kernels::grainRow(rowOf(luma, y), alphaRow(alpha, y), noise_.data(), plan.strength, noise_.size());
  }
}

}  // namespace framewright
