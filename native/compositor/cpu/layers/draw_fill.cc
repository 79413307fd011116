#include "compositor/cpu/layers/draw_fill.h"

#include <algorithm>

#include "compositor/cpu/layers/composite_row.h"
#include "compositor/plan/color.h"

namespace framewright {
void FillDrawer::begin(const CanvasSize& size, const Color& color, const FillPlacement& placement) {
  yuv_ = yuvOf(color);
  strength_ = placement.opacity * color.a / 255.0;
  const Affine& m = placement.toCanvas;
  isAxisAligned_ = m.isAxisAligned();
  const Rect covered = isAxisAligned_ ? intersection(axisAlignedRect(m), placement.window) : placement.window;
  for (size_t i = 0; i < 2; ++i) {
    coverage_[i].cover(covered, size, kPlaneGroups[i]);
    const int firstColumn = coverage_[i].columns.first;
    coverage_[i].trim(placement.part, kPlaneGroups[i]);
    if (!isAxisAligned_ && !coverage_[i].empty())
      quad_[i].begin(m, kPlaneGroups[i], coverage_[i], firstColumn);
  }
}

void FillDrawer::drawRows(const Surface& to, int top, int bottom) {
  for (size_t i = 0; i < 2; ++i) {
    if (coverage_[i].empty()) continue;
    const PlaneGroup group = kPlaneGroups[i];
    const SampleRange rows = samplesOf(top, bottom, group);
    const std::array<Plane, 3> planes = planesOf(to.planes, group);
    for (int colour = 0; colour < colourPlanes(group); ++colour) {
      const uint8_t value = yuv_[group == PlaneGroup::kLuma ? 0 : 1 + static_cast<size_t>(colour)];
      drawPlane(to, planes[static_cast<size_t>(colour)], value, group, rows);
    }
    if (planes[kAlphaPlane].data != nullptr) drawPlane(to, planes[kAlphaPlane], 255, group, rows);
  }
}

void FillDrawer::drawPlane(const Surface& to, const Plane& plane, uint8_t value, PlaneGroup group,
                           SampleRange range) {
  const size_t i = group == PlaneGroup::kLuma ? 0 : 1;
  if (isAxisAligned_) {
    const AxisCoverage& rows = coverage_[i].rows;
    for (int y = std::max(range.first, rows.first); y < std::min(range.end, rows.end); ++y) {
      const uint16_t weight = toWeight(strength_ * rows.at(y) / kernels::kFullWeight);
      compositeValue(plane.data + y * plane.stride, value, coverage_[i].columns, weight, to.rounding(y));
    }
    return;
  }
  row_.assign(static_cast<size_t>(plane.width), value);
  QuadRows& quad = quad_[i];
  for (int y = std::max(range.first, quad.rows().first); y < std::min(range.end, quad.rows().end); ++y) {
    if (!quad.cover(y, strength_)) continue;
    kernels::overRowMasked(plane.data + y * plane.stride + quad.span.first, row_.data(), nullptr,
                           quad.weights.data(), quad.weights.size(), to.rounding(y).after(quad.span.first));
  }
}

}  // namespace framewright
