#include "compositor/cpu/effects/projection.h"

#include <algorithm>
#include <array>

#include "core/planes.h"
#include "kernels/projection.h"

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
      const kernels::ProjectedRow row{positions_.data(), below_.data(), plan.across(), plan.down()};
      const auto draw = [&](size_t p) {
        kernels::sampleProjected(rowOf(to[p], y), sampleable(from[p]), row,
                                 static_cast<size_t>(plan.width()));
      };
      for (int p = 0; p < colourPlanes(group); ++p) draw(static_cast<size_t>(p));
      draw(kAlphaPlane);
      positions_.swap(below_);
    }
  }
}

}  // namespace framewright
