#include "timeline/color_curve.h"

#include <algorithm>
#include <cmath>

namespace framewright {
namespace {

constexpr double kMinAlpha = 1e-6;

uint8_t byteOf(double share) { return static_cast<uint8_t>(std::lround(std::clamp(share, 0.0, 1.0) * 255)); }

uint8_t encodedSrgb(double linear) {
  const double value = std::max(0.0, linear);
  return byteOf(value <= 0.0031308 ? 12.92 * value : 1.055 * std::pow(value, 1 / 2.4) - 0.055);
}

// Ottosson, "A perceptual color space for image processing", 2020.
Color fromOklab(double lightness, double a, double b, double alpha) {
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return {encodedSrgb(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          encodedSrgb(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          encodedSrgb(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s), byteOf(alpha)};
}

}  // namespace

Color ColorCurve::at(double frame) const {
  if (!channels_) return constant_;
  const double alpha = channels_->alpha.at(frame);
  if (alpha < kMinAlpha) return {0, 0, 0, 0};
  return fromOklab(channels_->lightness.at(frame) / alpha, channels_->a.at(frame) / alpha,
                   channels_->b.at(frame) / alpha, std::min(1.0, alpha));
}

}  // namespace framewright
