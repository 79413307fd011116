#include "compositor/cpu/effects/projection.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "compositor/cpu/layers/sample_plane.h"
#include "core/planes.h"
#include "kernels/projection.h"

namespace framewright {
namespace {

constexpr int kBandRows = 8;

PixelRect areaOf(const LayerBuffer& buffer) {
  const Surface& surface = buffer.surface();
  return {buffer.x(), buffer.y(), buffer.x() + surface.width, buffer.y() + surface.height};
}

}  // namespace

void Projector::apply(const LayerBuffer& flat, const LayerBuffer& projected, const Homography& toCanvas) {
  for (const PlaneGroup group : kPlaneGroups) {
    const ProjectionPlan plan(toCanvas, areaOf(flat), areaOf(projected), group);
    const std::array<Plane, 3> from = planesOf(flat.surface().planes, group),
                               to = planesOf(projected.surface().planes, group);
    findOpaque(from[kAlphaPlane]);
    positions_.resize(2 * static_cast<size_t>(plan.entries()));
    below_.resize(positions_.size());
    plan.writeRow(0, positions_.data());
    for (int y = 0; y < plan.height(); ++y) {
      plan.writeRow(y + 1, below_.data());
      const kernels::ProjectedRow row{positions_.data(), below_.data(), plan.across(), plan.down()};
      const auto draw = [&](size_t p) {
        kernels::sampleProjected(rowOf(to[p], y), samplePlaneOf(from[p]), row,
                                 static_cast<size_t>(plan.width()));
      };
      for (int p = 0; p < colourPlanes(group); ++p) draw(static_cast<size_t>(p));
      drawAlpha(from[kAlphaPlane], rowOf(to[kAlphaPlane], y), row, plan.width());
      positions_.swap(below_);
    }
  }
}

void Projector::findOpaque(const Plane& alpha) {
  opaque_.assign(static_cast<size_t>(alpha.height / kBandRows), {0, alpha.width});
  for (int y = 0; y < static_cast<int>(opaque_.size()) * kBandRows; ++y) {
    const uint8_t* const row = rowOf(alpha, y);
    const uint8_t* const end = row + alpha.width;
    const uint8_t* const first = std::find(row, end, 255);
    const uint8_t* const last = std::find_if(first, end, [](uint8_t value) { return value != 255; });
    Span& band = opaque_[static_cast<size_t>(y / kBandRows)];
    band.first = std::max(band.first, static_cast<int>(first - row));
    band.end = std::min(band.end, static_cast<int>(last - row));
  }
}

bool Projector::isOpaque(size_t entry) const {
  const int32_t* const here = &positions_[2 * entry];
  const int32_t* const below = &below_[2 * entry];
  const auto [left, right] = std::minmax({here[0], here[2], below[0], below[2]});
  const auto [top, bottom] = std::minmax({here[1], here[3], below[1], below[3]});
  // Positions of a sample lie up to half a step before and after it; the samples around them are read too.
  const int reachX = ((right - left) >> 17) + 2, reachY = ((bottom - top) >> 17) + 2;
  const int firstX = (left >> 16) - reachX, lastX = (right >> 16) + reachX;
  const int firstY = (top >> 16) - reachY, lastY = (bottom >> 16) + reachY;
  const int firstBand = firstY / kBandRows, lastBand = lastY / kBandRows;
  if (firstY < 0 || lastBand >= static_cast<int>(opaque_.size())) return false;
  return std::all_of(opaque_.begin() + firstBand, opaque_.begin() + lastBand + 1,
                     [&](const Span& span) { return span.first <= firstX && lastX < span.end; });
}

void Projector::drawAlpha(const Plane& from, uint8_t* to, const kernels::ProjectedRow& row, int width) const {
  const int step = kernels::kProjectionStep;
  const auto entries = static_cast<size_t>((width + step - 1) / step);
  bool opaque = isOpaque(0);
  for (size_t entry = 0; entry < entries;) {
    size_t end = entry + 1;
    bool isNext = opaque;
    while (end < entries && (isNext = isOpaque(end)) == opaque) ++end;
    const int first = static_cast<int>(entry) * step;
    const auto count = static_cast<size_t>(std::min(width, static_cast<int>(end) * step) - first);
    if (opaque) {
      std::memset(to + first, 255, count);
    } else {
      kernels::sampleProjected(to + first, samplePlaneOf(from),
                               {row.here + 2 * entry, row.below + 2 * entry, row.across, row.down}, count);
    }
    entry = end;
    opaque = isNext;
  }
}

}  // namespace framewright
