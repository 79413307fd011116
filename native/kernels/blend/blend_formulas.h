#pragma once

#include <algorithm>
#include <cmath>

#include "core/blend_mode.h"

// The separable blend modes of W3C Compositing and Blending for one channel: backdrop and source from 0 to 1.
namespace framewright::kernels {

inline float screen(float b, float s) { return (b + s) - b * s; }

inline float hardLight(float b, float s) {
  const float twice = s + s;
  return s <= 0.5f ? b * twice : screen(b, twice - 1.0f);
}

inline float softLight(float b, float s) {
  const float twice = s + s;
  if (s <= 0.5f) return b - (1.0f - twice) * b * (1.0f - b);
  const float lit = b <= 0.25f ? ((16.0f * b - 12.0f) * b + 4.0f) * b : std::sqrt(b);
  return b + (twice - 1.0f) * (lit - b);
}

inline float colorDodge(float b, float s) {
  if (b <= 0.0f) return 0.0f;
  return s >= 1.0f ? 1.0f : std::min(1.0f, b / (1.0f - s));
}

inline float colorBurn(float b, float s) {
  if (b >= 1.0f) return 1.0f;
  return s <= 0.0f ? 0.0f : 1.0f - std::min(1.0f, (1.0f - b) / s);
}

// The mixed channel under a full source; of kNormal and kAdd, which need the weight, the source.
inline float mixedChannel(BlendMode mode, float b, float s) {
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

}  // namespace framewright::kernels
