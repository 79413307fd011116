#include "compositor/cpu/effects/correction.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace framewright {
namespace {

using Curve8 = std::array<uint8_t, 256>;

// eq's order: contrast about the middle, brightness, gamma.
Curve8 lumaCurve(const Correction& correction) {
  Curve8 curve{};
  for (size_t i = 0; i < curve.size(); ++i) {
    const double v = correction.contrast * (static_cast<double>(i) / 255 - 0.5) + 0.5 + correction.brightness;
    const double bent = v <= 0 ? 0 : std::min(1.0, std::pow(v, 1 / correction.gamma));
    curve[i] = static_cast<uint8_t>(std::lround(bent * 255));
  }
  return curve;
}

Curve8 chromaCurve(const Correction& correction) {
  Curve8 curve{};
  for (size_t i = 0; i < curve.size(); ++i) {
    const double v = 128 + correction.saturation * (static_cast<double>(i) - 128);
    curve[i] = static_cast<uint8_t>(std::lround(std::clamp(v, 0.0, 255.0)));
  }
  return curve;
}

void bend(const Plane& plane, const Plane& alphas, const Curve8& curve) {
  for (int y = 0; y < plane.height; ++y) {
    uint8_t* const row = plane.data + y * plane.stride;
    const uint8_t* const alpha = alphas.data + y * alphas.stride;
    for (int x = 0; x < plane.width; ++x) {
      const unsigned a = alpha[x];
      if (a == 255) {
        row[x] = curve[row[x]];
      } else if (a != 0) {
        const unsigned straight = std::min(255u, (row[x] * 255u + a / 2) / a);
        row[x] = static_cast<uint8_t>((curve[straight] * a + 127) / 255);
      }
    }
  }
}

}  // namespace

void correctColors(const Surface& surface, const Correction& correction) {
  const PictureLevel& planes = surface.planes;
  if (correction.brightness != 0 || correction.contrast != 1 || correction.gamma != 1) {
    bend(planes.y, planes.alpha, lumaCurve(correction));
  }
  if (correction.saturation == 1) return;
  const Curve8 curve = chromaCurve(correction);
  bend(planes.u, planes.chromaAlpha, curve);
  bend(planes.v, planes.chromaAlpha, curve);
}

}  // namespace framewright
