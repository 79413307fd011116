#include "compositor/cpu/effects/drop_shadow.h"

#include <algorithm>
#include <cstring>

#include "compositor/plan/effects/shadow_plan.h"
#include "core/planes.h"
#include "kernels/mean/shifted_mean.h"
#include "kernels/shadow.h"

namespace framewright {

void DropShadows::apply(const Surface& surface, const std::vector<DropShadow>& shadows, GaussianBlur& blur) {
  for (const PlaneGroup group : kPlaneGroups)
    applyToGroup(planesOf(surface.planes, group), group, shadows, blur);
}

void DropShadows::applyToGroup(const std::array<Plane, 3>& planes, PlaneGroup group,
                               const std::vector<DropShadow>& shadows, GaussianBlur& blur) {
  const Plane& alpha = planes[kAlphaPlane];
  const int width = alpha.width, height = alpha.height;
  const auto count = static_cast<size_t>(width);
  shape_.resize(count * static_cast<size_t>(height));
  const auto shapeRow = [&](int y) { return &shape_[static_cast<size_t>(y) * count]; };
  for (int y = 0; y < height; ++y) std::memcpy(shapeRow(y), rowOf(alpha, y), count);
  const ptrdiff_t step = width + 2;
  const auto castAt = [&](int x, int y) { return cast_.data() + (y + 1) * step + x + 1; };
  for (const DropShadow& shadow : shadows) {
    const ShadowPlan plan = planShadow(shadow, group);
    cast_.assign(static_cast<size_t>(step * (height + 2)), 0);
    for (int y = 0; y < height; ++y) std::memcpy(castAt(0, y), shapeRow(y), count);
    blur.blurAlpha({castAt(0, 0), step, width, height}, plan.sigma);
    const int first = std::max(0, -1 - plan.left), end = std::min(width, width - plan.left);
    if (first >= end) continue;
    const auto covered = static_cast<size_t>(end - first);
    for (int y = std::max(0, -1 - plan.top); y < std::min(height, height - plan.top); ++y) {
      cover_.assign(covered, 0);
      kernels::addShifted(cover_.data(), castAt(first + plan.left, y + plan.top),
                          castAt(first + plan.left, y + plan.top + 1), plan.right, plan.down, covered);
      const uint8_t* const above = rowOf(alpha, y) + first;
      const auto lay = [&](const Plane& plane, int value) {
        kernels::layUnder(rowOf(plane, y) + first, above, cover_.data(), value, plan.opacity, plan.intensity,
                          covered);
      };
      for (int p = 0; p < colourPlanes(group); ++p)
        lay(planes[static_cast<size_t>(p)], plan.color[static_cast<size_t>(p)]);
      lay(alpha, 255);
    }
  }
}

}  // namespace framewright
