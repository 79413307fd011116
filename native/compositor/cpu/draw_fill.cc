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

void FillDrawer::draw(Image& frame, const Color& color, const Affine& toCanvas, const Rect& window,
                      double opacity) {
  const CanvasSize canvas{frame.width(), frame.height()};
  const std::array<uint8_t, 3> yuv = yuvOf(color);
  const double strength = opacity * color.a / 255.0;
  const bool upright = toCanvas.isAxisAligned();
  for (int i = 0; i < 3; ++i) {
    const PlaneGroup group = i == 0 ? PlaneGroup::kLuma : PlaneGroup::kChroma;
    const Plane& plane = frame.plane(i);
    const uint8_t value = yuv[static_cast<size_t>(i)];
    coverage_.cover(upright ? intersection(drawnRect(toCanvas), window) : window, canvas, group);
    if (coverage_.empty()) continue;
    const AxisCoverage& rows = coverage_.rows;
    if (upright) {
      for (int y = rows.first; y < rows.end; ++y) {
        const uint16_t weight = toWeight(strength * rows.at(y) / kernels::kFullWeight);
        stackValue(plane.data + y * plane.stride, value, coverage_.columns, weight);
      }
      continue;
    }
    row_.assign(static_cast<size_t>(plane.width), value);
    quad_.cover(toCanvas, group, coverage_);
    for (int y = quad_.firstRow(); y < quad_.endRow(); ++y) {
      if (!quad_.coverRow(y, strength)) continue;
      kernels::overRowMasked(plane.data + y * plane.stride + quad_.first, row_.data(), nullptr,
                             quad_.weights.data(), quad_.weights.size());
    }
  }
}

}  // namespace framewright
