#include "compositor/cpu/effects/correction.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace framewright {
namespace {

constexpr double kLargestLinear = 7.9;  // eq bends what is steeper through a table

// The arithmetic is eq's own, its roundings too, so that both give the same samples.
Curve8 linearCurve(double contrast, double brightness) {
  const int slope = static_cast<int>(contrast * 4096);
  const int offset = static_cast<int>(100 * brightness + 100) * 511 / 200 - 128 - slope / 32;
  Curve8 curve{};
  for (int i = 0; i < 256; ++i) {
    curve[static_cast<size_t>(i)] = static_cast<uint8_t>(std::clamp((i * slope >> 12) + offset, 0, 255));
  }
  return curve;
}

}  // namespace

Curve8 lumaCurve(const Correction& correction) {
  if (correction.gamma == 1 && std::abs(correction.contrast) < kLargestLinear) {
    return linearCurve(correction.contrast, correction.brightness);
  }
  Curve8 curve{};
  for (size_t i = 0; i < curve.size(); ++i) {
    const double v = correction.contrast * (static_cast<double>(i) / 255 - 0.5) + 0.5 + correction.brightness;
    const double bent = v <= 0 ? 0 : std::pow(v, 1 / correction.gamma);
    curve[i] = bent >= 1 ? 255 : static_cast<uint8_t>(256 * bent);
  }
  return curve;
}

namespace {

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

Curve8 chromaCurve(const Correction& correction) { return linearCurve(correction.saturation, 0); }

bool bendsLuma(const Correction& correction) {
  return correction.brightness != 0 || correction.contrast != 1 || correction.gamma != 1;
}

void correctColors(const Surface& surface, const Correction& correction) {
  const PictureLevel& planes = surface.planes;
  if (bendsLuma(correction)) {
    bend(planes.y, planes.alpha, lumaCurve(correction));
  }
  if (correction.saturation == 1) return;
  const Curve8 curve = chromaCurve(correction);
  bend(planes.u, planes.chromaAlpha, curve);
  bend(planes.v, planes.chromaAlpha, curve);
}

}  // namespace framewright
