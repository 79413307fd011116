#include "compositor/plan/plane_mapping.h"

#include <algorithm>
#include <cmath>

namespace framewright {

SampleBounds boundsOf(const Rect& crop, PlaneGroup group, int level, const Plane& plane) {
  constexpr double kTolerance = 1e-6;  // crops are rounded fractions of the image size
  const double shrink = 1.0 / (1 << (group == PlaneGroup::kLuma ? level : level + 1));
  const auto first = [&](double edge, int size) {
    return std::clamp(static_cast<int>(std::floor(edge * shrink + kTolerance)), 0, size - 1);
  };
  const auto last = [&](double edge, int size) {
    return std::clamp(static_cast<int>(std::ceil(edge * shrink - kTolerance)) - 1, 0, size - 1);
  };
  SampleBounds bounds{first(crop.x, plane.width), first(crop.y, plane.height),
                      last(crop.right(), plane.width), last(crop.bottom(), plane.height)};
  bounds.right = std::max(bounds.left, bounds.right);
  bounds.bottom = std::max(bounds.top, bounds.bottom);
  return bounds;
}

}  // namespace framewright
