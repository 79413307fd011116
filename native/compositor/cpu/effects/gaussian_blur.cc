#include "compositor/cpu/effects/gaussian_blur.h"

#include <algorithm>

#include "compositor/cpu/effects/cut_plane.h"
#include "compositor/plan/effects/blur_plan.h"
#include "core/planes.h"
#include "kernels/blur.h"

namespace framewright {

void GaussianBlur::apply(const Surface& surface, double sigma) {
  const ImagePlanes& planes = surface.planes;
  blurPlane(planes.y, sigma);
  blurAlpha(planes.alpha, sigma);
  for (const Plane* plane : {&planes.u, &planes.v}) blurPlane(*plane, sigma / 2);
  blurAlpha(planes.chromaAlpha, sigma / 2);
}

void GaussianBlur::blurPlane(const Plane& plane, double sigma) {
  const auto count = static_cast<size_t>(plane.width);
  rows_.apply(
      plane.width, plane.height, planBlur(sigma),
      [&](int y, int16_t* row) { kernels::widenRow(row, rowOf(plane, y), count); },
      [&](int y, const int16_t* row) { kernels::narrowRow(rowOf(plane, y), row, count); });
}

void GaussianBlur::blurAlpha(const Plane& plane, double sigma) {
  const BlurPlan plan = planBlur(sigma);
  const int unit = 1 << plan.halvings;
  int16_t weights[kMaxBlurTaps];
  // What the result of a sample depends on; halving and doubling reach three samples.
  const int reach = plan.sigma > 0 ? (makeBlurFilter(weights, plan.sigma) / 2 + 3) * unit : 0;
  const std::optional<CutPlane> cut = plan.sigma > 0 ? cutUniform(plane, reach, unit) : std::nullopt;
  if (!cut) {
    blurPlane(plane, sigma);
    return;
  }
  small_.resize(static_cast<size_t>(cut->width()) * static_cast<size_t>(cut->height()));
  const Plane small{small_.data(), cut->width(), cut->width(), cut->height()};
  cut->shrink(plane, small);
  blurPlane(small, sigma);
  cut->expand(small, plane);
}

}  // namespace framewright
