#include "compositor/cpu/draw_fill.h"

#include <algorithm>
#include <cmath>

#include "compositor/cpu/stack_row.h"
#include "kernels/color_matrix.h"

namespace framewright {
namespace {

constexpr PlaneGroup kGroups[] = {PlaneGroup::kLuma, PlaneGroup::kChroma};

}  // namespace

std::array<uint8_t, 3> yuvOf(const Color& color) {
  using namespace kernels;
  const double r = color.r / 255.0, g = color.g / 255.0, b = color.b / 255.0;
  const double luma = kRedShare * r + kGreenShare * g + kBlueShare * b;
  const auto sample = [](double value) { return static_cast<uint8_t>(std::lround(value)); };
  return {sample(kLumaOffset + kLumaRange * luma),
          sample(kChromaOffset + kChromaRange * kBlueScale * (b - luma)),
          sample(kChromaOffset + kChromaRange * kRedScale * (r - luma))};
}

void FillDrawer::begin(const CanvasSize& size, const Color& color, const FillPlacement& placement) {
  yuv_ = yuvOf(color);
  strength_ = placement.opacity * color.a / 255.0;
  const Affine& m = placement.toCanvas;
  isUpright_ = m.isAxisAligned();
  const Rect covered = isUpright_ ? intersection(drawnRect(m), placement.window) : placement.window;
  for (size_t i = 0; i < 2; ++i) {
    coverage_[i].cover(covered, size, kGroups[i]);
    const int firstColumn = coverage_[i].columns.first;
    coverage_[i].trim(placement.part, kGroups[i]);
    if (!isUpright_ && !coverage_[i].empty()) quad_[i].cover(m, kGroups[i], coverage_[i], firstColumn);
  }
}

void FillDrawer::drawRows(const Surface& to, int top, int bottom) {
  for (size_t i = 0; i < 2; ++i) {
    if (coverage_[i].empty()) continue;
    const PlaneGroup group = kGroups[i];
    const SampleRange rows = samplesOf(top, bottom, group);
    const std::array<Plane, 3> planes = planesOf(to.planes, group);
    for (int colour = 0; colour < colourPlanes(group); ++colour) {
      const uint8_t value = yuv_[group == PlaneGroup::kLuma ? 0 : 1 + static_cast<size_t>(colour)];
      drawPlane(planes[static_cast<size_t>(colour)], value, group, rows);
    }
    if (planes[kAlphaPlane].data != nullptr) drawPlane(planes[kAlphaPlane], 255, group, rows);
  }
}

void FillDrawer::drawPlane(const Plane& plane, uint8_t value, PlaneGroup group, SampleRange range) {
  const size_t i = group == PlaneGroup::kLuma ? 0 : 1;
  if (isUpright_) {
    const AxisCoverage& rows = coverage_[i].rows;
    for (int y = std::max(range.first, rows.first); y < std::min(range.end, rows.end); ++y) {
      const uint16_t weight = toWeight(strength_ * rows.at(y) / kernels::kFullWeight);
      stackValue(plane.data + y * plane.stride, value, coverage_[i].columns, weight);
    }
    return;
  }
  row_.assign(static_cast<size_t>(plane.width), value);
  QuadCoverage& quad = quad_[i];
  for (int y = std::max(range.first, quad.firstRow()); y < std::min(range.end, quad.endRow()); ++y) {
    if (!quad.coverRow(y, strength_)) continue;
    kernels::overRowMasked(plane.data + y * plane.stride + quad.first, row_.data(), nullptr,
                           quad.weights.data(), quad.weights.size());
  }
}

}  // namespace framewright
