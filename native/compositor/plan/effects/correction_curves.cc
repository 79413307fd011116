#include "compositor/plan/effects/correction_curves.h"

#include <algorithm>
#include <cmath>

namespace framewright {
namespace {

constexpr double kMaxLinearContrast = 7.9;  // eq uses a floating-point table above this value

// Arithmetic and rounding follow eq, for identical samples.
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
  if (correction.gamma == 1 && std::abs(correction.contrast) < kMaxLinearContrast) {
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

Curve8 chromaCurve(const Correction& correction) { return linearCurve(correction.saturation, 0); }

bool changesLuma(const Correction& correction) {
  return correction.brightness != 0 || correction.contrast != 1 || correction.gamma != 1;
}

}  // namespace framewright
