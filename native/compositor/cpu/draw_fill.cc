#include "compositor/cpu/draw_fill.h"

#include <algorithm>
#include <cmath>

#include "compositor/cpu/stack_row.h"
#include "kernels/color_matrix.h"

namespace framewright {

std::array<uint8_t, 3> yuvOf(const Color& color) {
  using namespace kernels;
  const double r = color.r / 255.0, g = color.g / 255.0, b = color.b / 255.0;
  const double luma = kRedShare * r + kGreenShare * g + kBlueShare * b;
  const auto sample = [](double value) { return static_cast<uint8_t>(std::lround(value)); };
  return {sample(kLumaOffset + kLumaRange * luma),
          sample(kChromaOffset + kChromaRange * kBlueScale * (b - luma)),
          sample(kChromaOffset + kChromaRange * kRedScale * (r - luma))};
}

void FillDrawer::draw(const Surface& to, const Color& color, const Affine& toCanvas, const Rect& window,
                      double opacity) {
  const std::array<uint8_t, 3> yuv = yuvOf(color);
  const double strength = opacity * color.a / 255.0;
  const bool upright = toCanvas.isAxisAligned();
  for (const PlaneGroup group : {PlaneGroup::kLuma, PlaneGroup::kChroma}) {
    coverage_.cover(upright ? intersection(drawnRect(toCanvas), window) : window, to.size(), group);
    if (coverage_.empty()) continue;
    const std::array<Plane, 3> planes = planesOf(to.planes, group);
    for (int colour = 0; colour < colourPlanes(group); ++colour) {
      const uint8_t value = yuv[group == PlaneGroup::kLuma ? 0 : 1 + static_cast<size_t>(colour)];
      drawPlane(planes[static_cast<size_t>(colour)], value, group, toCanvas, strength);
    }
    if (planes[kAlphaPlane].data != nullptr) drawPlane(planes[kAlphaPlane], 255, group, toCanvas, strength);
  }
}

void FillDrawer::drawPlane(const Plane& plane, uint8_t value, PlaneGroup group, const Affine& toCanvas,
                           double strength) {
  if (toCanvas.isAxisAligned()) {
    const AxisCoverage& rows = coverage_.rows;
    for (int y = rows.first; y < rows.end; ++y) {
      const uint16_t weight = toWeight(strength * rows.at(y) / kernels::kFullWeight);
      stackValue(plane.data + y * plane.stride, value, coverage_.columns, weight);
    }
    return;
  }
  row_.assign(static_cast<size_t>(plane.width), value);
  quad_.cover(toCanvas, group, coverage_);
  for (int y = quad_.firstRow(); y < quad_.endRow(); ++y) {
    if (!quad_.coverRow(y, strength)) continue;
    kernels::overRowMasked(plane.data + y * plane.stride + quad_.first, row_.data(), nullptr,
                           quad_.weights.data(), quad_.weights.size());
  }
}

}  // namespace framewright
