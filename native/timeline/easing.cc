#include "timeline/easing.h"

#include <cmath>

namespace framewright {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kOvershoot = 1.70158;  // of Penner's "back" easing: overshoots by 10 %
constexpr double kInOutOvershoot = kOvershoot * 1.525;

// Four parabolas of equal curvature, each a quarter as high as the one before it.
double bounceOut(double t) {
  constexpr double kCurvature = 7.5625;
  constexpr double kDuration = 2.75;
  if (t < 1 / kDuration) return kCurvature * t * t;
  const auto parabola = [t](double vertex, double low) {
    const double u = t - vertex / kDuration;
    return kCurvature * u * u + low;
  };
  if (t < 2 / kDuration) return parabola(1.5, 0.75);
  if (t < 2.5 / kDuration) return parabola(2.25, 0.9375);
  return parabola(2.625, 0.984375);
}

// The "in" function of each family; "out" and "in-out" mirror it.
double easeIn(Easing family, double t) {
  switch (family) {
    case Easing::kInQuad:
      return t * t;
    case Easing::kInCubic:
      return t * t * t;
    case Easing::kInQuart:
      return t * t * t * t;
    case Easing::kInQuint:
      return t * t * t * t * t;
    case Easing::kInSine:
      return 1 - std::cos(t * kPi / 2);
    case Easing::kInExpo:
      return std::pow(2, 10 * t - 10);
    case Easing::kInCirc:
      return 1 - std::sqrt(1 - t * t);
    case Easing::kInBack:
      return (kOvershoot + 1) * t * t * t - kOvershoot * t * t;
    case Easing::kInElastic:
      return -std::pow(2, 10 * t - 10) * std::sin((t * 10 - 10.75) * (2 * kPi) / 3);
    case Easing::kInBounce:
      return 1 - bounceOut(1 - t);
    default:
      return t;
  }
}

double easeInOutBack(double t) {
  const auto half = [](double u) { return u * u * ((kInOutOvershoot + 1) * u - kInOutOvershoot) / 2; };
  return t < 0.5 ? half(2 * t) : 1 - half(2 - 2 * t);
}

double easeInOutElastic(double t) {
  const double wave = std::sin((20 * t - 11.125) * (2 * kPi) / 4.5) / 2;
  return t < 0.5 ? -std::pow(2, 20 * t - 10) * wave : std::pow(2, -20 * t + 10) * wave + 1;
}

// The enum lists each family as In, Out, InOut.
double easeFamily(Easing easing, double t) {
  const int offset = static_cast<int>(easing) - static_cast<int>(Easing::kInQuad);
  const auto family = static_cast<Easing>(static_cast<int>(Easing::kInQuad) + offset / 3 * 3);
  switch (offset % 3) {
    case 0:
      return easeIn(family, t);
    case 1:
      return 1 - easeIn(family, 1 - t);
    default:
      return t < 0.5 ? easeIn(family, 2 * t) / 2 : 1 - easeIn(family, 2 - 2 * t) / 2;
  }
}

}  // namespace

double ease(Easing easing, double progress) {
  if (progress <= 0) return 0;
  if (progress >= 1) return 1;
  switch (easing) {
    case Easing::kLinear:
      return progress;
    case Easing::kHold:
      return 0;
    case Easing::kInOutBack:
      return easeInOutBack(progress);
    case Easing::kInOutElastic:
      return easeInOutElastic(progress);
    default:
      return easeFamily(easing, progress);
  }
}

}  // namespace framewright
