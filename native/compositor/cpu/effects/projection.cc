#include "compositor/cpu/effects/projection.h"

#include <algorithm>
#include <array>

#include "core/planes.h"
#include "kernels/resample.h"

namespace framewright {
namespace {

PixelRect areaOf(const LayerBuffer& buffer) {
  const Surface& surface = buffer.surface();
  return {buffer.x(), buffer.y(), buffer.x() + surface.width, buffer.y() + surface.height};
}

kernels::SamplePlane sampleable(const Plane& plane) {
  const ptrdiff_t last = (plane.height - 1) * plane.stride + plane.width - 4;
  return {plane.data,
          static_cast<int32_t>(plane.stride),
          0,
          plane.width - 1,
          0,
          plane.height - 1,
          static_cast<int32_t>(std::max<ptrdiff_t>(0, last))};
}

}  // namespace

void Projector::apply(const LayerBuffer& flat, const LayerBuffer& projected, const Homography& toCanvas) {
  for (const PlaneGroup group : kPlaneGroups) {
    const ProjectionPlan plan(toCanvas, areaOf(flat), areaOf(projected), group);
    const std::array<Plane, 3> from = planesOf(flat.surface().planes, group),
                               to = planesOf(projected.surface().planes, group);
    positions_.resize(2 * static_cast<size_t>(plan.entries()));
    below_.resize(positions_.size());
    plan.writeRow(0, positions_.data());
    for (int y = 0; y < plan.height(); ++y) {
      plan.writeRow(y + 1, below_.data());
      for (int p = 0; p < colourPlanes(group); ++p)
        drawRow(plan, from[static_cast<size_t>(p)], to[static_cast<size_t>(p)], y);
      drawRow(plan, from[kAlphaPlane], to[kAlphaPlane], y);
      positions_.swap(below_);
    }
  }
}

void Projector::drawRow(const ProjectionPlan& plan, const Plane& from, const Plane& to, int y) {
  const kernels::SamplePlane source = sampleable(from);
  const int n = plan.samples();
  uint8_t* const row = rowOf(to, y);
  for (int entry = 0; entry + 1 < plan.entries(); ++entry) {
    const int32_t* const at = &positions_[2 * static_cast<size_t>(entry)];
    const int32_t* const down = &below_[2 * static_cast<size_t>(entry)];
    const int32_t stepX = (at[2] - at[0]) >> kProjectionShift, stepY = (at[3] - at[1]) >> kProjectionShift;
    const int first = entry * kProjectionStep;
    const auto count = static_cast<size_t>(std::min(kProjectionStep, plan.width() - first));
    if (n == 1) {
      kernels::sampleRow(row + first, source, {at[0], at[1], stepX, stepY}, count);
      continue;
    }
    samples_.resize(kProjectionStep);
    sums_.assign(kProjectionStep, 0);
    for (int k = 0; k < n; ++k) {
      for (int i = 0; i < n; ++i) {
        const int32_t x = at[0] + partOfStep(stepX, i, n) + partOfStep(down[0] - at[0], k, n);
        const int32_t top = at[1] + partOfStep(stepY, i, n) + partOfStep(down[1] - at[1], k, n);
        kernels::sampleRow(samples_.data(), source, {x, top, stepX, stepY}, count);
        for (size_t s = 0; s < count; ++s) sums_[s] = static_cast<uint16_t>(sums_[s] + samples_[s]);
      }
    }
    for (size_t s = 0; s < count; ++s)
      row[first + static_cast<int>(s)] = static_cast<uint8_t>((sums_[s] + n * n / 2) / (n * n));
  }
}

}  // namespace framewright
