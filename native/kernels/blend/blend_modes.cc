#include "kernels/blend/blend_modes.h"

#include <algorithm>
#include <cmath>

#include "kernels/blend/blend_formulas.h"
#include "kernels/blend/blend_matrix.h"

namespace framewright::kernels::reference {
namespace {

struct Rgb {
  float r, g, b;
};

float unit(float value) { return std::min(std::max(value, 0.0f), 1.0f); }

Rgb rgbOf(const StraightRow& row, size_t i) {
  const float y = (static_cast<float>(row.y[i]) - 16.0f) * kUnitLuma;
  const float cb = static_cast<float>(row.u[i]) - 128.0f, cr = static_cast<float>(row.v[i]) - 128.0f;
  return {unit(y + cr * kRedPerCr), unit((y - cb * kGreenPerCb) - cr * kGreenPerCr),
          unit(y + cb * kBluePerCb)};
}

float change(BlendMode mode, float b, float s, float weight) {
  if (mode == BlendMode::kAdd) return std::min(b + s * weight, 1.0f) - b;
  return (mixedChannel(mode, b, s) - b) * weight;
}

}  // namespace

void blendRow(BlendMode mode, const BlendedRow& dst, const StraightRow& backdrop, const StraightRow& source,
              const uint8_t* alpha, const uint16_t* weights, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const float weight = static_cast<float>(alpha[i] * weights[i]) * kUnitWeightOfAlpha;
    const Rgb b = rgbOf(backdrop, i), s = rgbOf(source, i);
    const float r = change(mode, b.r, s.r, weight), g = change(mode, b.g, s.g, weight),
                blue = change(mode, b.b, s.b, weight);
    const float luma = (r * kLumaOfRed + g * kLumaOfGreen) + blue * kLumaOfBlue;
    const float y = static_cast<float>(backdrop.y[i]) + luma * static_cast<float>(kLumaRange);
    dst.y[i] = static_cast<uint8_t>(std::lrint(std::min(std::max(y, 0.0f), 255.0f)));
    dst.du[i] = static_cast<int16_t>(std::lrint((blue - luma) * (kCbPerBlue * kDeltaUnit)));
    dst.dv[i] = static_cast<int16_t>(std::lrint((r - luma) * (kCrPerRed * kDeltaUnit)));
  }
}

}  // namespace framewright::kernels::reference
