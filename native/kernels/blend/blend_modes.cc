#include "kernels/blend/blend_modes.h"

#include <algorithm>
#include <cmath>

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

float screen(float b, float s) { return (b + s) - b * s; }

float hardLight(float b, float s) {
  const float twice = s + s;
  return s <= 0.5f ? b * twice : screen(b, twice - 1.0f);
}

float softLight(float b, float s) {
  const float twice = s + s;
  if (s <= 0.5f) return b - (1.0f - twice) * b * (1.0f - b);
  const float lit = b <= 0.25f ? ((16.0f * b - 12.0f) * b + 4.0f) * b : std::sqrt(b);
  return b + (twice - 1.0f) * (lit - b);
}

float colorDodge(float b, float s) {
  if (b <= 0.0f) return 0.0f;
  return s >= 1.0f ? 1.0f : std::min(1.0f, b / (1.0f - s));
}

float colorBurn(float b, float s) {
  if (b >= 1.0f) return 1.0f;
  return s <= 0.0f ? 0.0f : 1.0f - std::min(1.0f, (1.0f - b) / s);
}

float mix(BlendMode mode, float b, float s) {
  switch (mode) {
    case BlendMode::kMultiply:
      return b * s;
    case BlendMode::kScreen:
      return screen(b, s);
    case BlendMode::kOverlay:
      return hardLight(s, b);
    case BlendMode::kDarken:
      return std::min(b, s);
    case BlendMode::kLighten:
      return std::max(b, s);
    case BlendMode::kColorDodge:
      return colorDodge(b, s);
    case BlendMode::kColorBurn:
      return colorBurn(b, s);
    case BlendMode::kHardLight:
      return hardLight(b, s);
    case BlendMode::kSoftLight:
      return softLight(b, s);
    case BlendMode::kDifference:
      return std::abs(b - s);
    case BlendMode::kExclusion:
      return (b + s) - 2.0f * b * s;
    case BlendMode::kNormal:
    case BlendMode::kAdd:
      break;
  }
  return s;
}

float change(BlendMode mode, float b, float s, float weight) {
  if (mode == BlendMode::kAdd) return std::min(b + s * weight, 1.0f) - b;
  return (mix(mode, b, s) - b) * weight;
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
