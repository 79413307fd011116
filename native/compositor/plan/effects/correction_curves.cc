#include "compositor/plan/effects/correction_curves.h"

#include <algorithm>
#include <cmath>

namespace framewright {
namespace {

constexpr double kMaxLinearContrast = 7.9;  // eq uses a floating-point table above this value

struct LinearTerms {
  int slope, offset;
};
// Arithmetic and rounding follow eq, for identical samples.
LinearTerms linearTerms(double contrast, double brightness) {
  const int slope = static_cast<int>(contrast * (1 << kernels::LinearCurve::kSlopeBits));
  return {slope, static_cast<int>(100 * brightness + 100) * 511 / 200 - 128 - slope / 32};
}

Curve8 linearCurve(const LinearTerms& terms) {
  Curve8 curve{};
  for (int i = 0; i < 256; ++i) {
    const int value = (i * terms.slope >> kernels::LinearCurve::kSlopeBits) + terms.offset;
    curve[static_cast<size_t>(i)] = static_cast<uint8_t>(std::clamp(value, 0, 255));
  }
  return curve;
}

std::optional<kernels::LinearCurve> inWords(const LinearTerms& terms) {
  const auto fits = [](int value) { return value == static_cast<int16_t>(value); };
  if (!fits(terms.slope) || !fits(terms.offset)) return std::nullopt;
  return kernels::LinearCurve{static_cast<int16_t>(terms.slope), static_cast<int16_t>(terms.offset)};
}

bool isLinear(const Correction& correction) {
  return correction.gamma == 1 && std::abs(correction.contrast) < kMaxLinearContrast;
}

}  // namespace

Curve8 lumaCurve(const Correction& correction) {
  if (isLinear(correction)) return linearCurve(linearTerms(correction.contrast, correction.brightness));
  Curve8 curve{};
  for (size_t i = 0; i < curve.size(); ++i) {
    const double v = correction.contrast * (static_cast<double>(i) / 255 - 0.5) + 0.5 + correction.brightness;
    const double bent = v <= 0 ? 0 : std::pow(v, 1 / correction.gamma);
    curve[i] = bent >= 1 ? 255 : static_cast<uint8_t>(256 * bent);
  }
  return curve;
}

Curve8 chromaCurve(const Correction& correction) {
  return linearCurve(linearTerms(correction.saturation, 0));
}

std::optional<kernels::LinearCurve> linearLumaCurve(const Correction& correction) {
  if (!isLinear(correction)) return std::nullopt;
  return inWords(linearTerms(correction.contrast, correction.brightness));
}

std::optional<kernels::LinearCurve> linearChromaCurve(const Correction& correction) {
  return inWords(linearTerms(correction.saturation, 0));
}

bool changesLuma(const Correction& correction) {
  return correction.brightness != 0 || correction.contrast != 1 || correction.gamma != 1;
}

}  // namespace framewright
