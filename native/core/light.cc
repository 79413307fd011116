#include "core/light.h"

#include <algorithm>
#include <cmath>

namespace framewright {
namespace {

// BT.2100's constants of PQ.
constexpr double kM1 = 2610.0 / 16384, kM2 = 2523.0 / 32;
constexpr double kC1 = 3424.0 / 4096, kC2 = 2413.0 / 128, kC3 = 2392.0 / 128;

// BT.2100's constants of HLG.
constexpr double kHlgA = 0.17883277, kHlgB = 1 - 4 * kHlgA;
const double kHlgC = 0.5 - kHlgA * std::log(4 * kHlgA);

}  // namespace

double pqSignal(double nits) {
  const double y = std::pow(std::max(0.0, nits) / kMaxPqNits, kM1);
  return std::pow((kC1 + kC2 * y) / (1 + kC3 * y), kM2);
}

double pqNits(double signal) {
  const double y = std::pow(std::max(0.0, signal), 1 / kM2);
  return kMaxPqNits * std::pow(std::max(0.0, y - kC1) / (kC2 - kC3 * y), 1 / kM1);
}

double hlgScene(double signal) {
  if (signal <= 0) return 0;
  return signal <= 0.5 ? signal * signal / 3 : (std::exp((signal - kHlgC) / kHlgA) + kHlgB) / 12;
}

double hlgSignal(double scene) {
  if (scene <= 0) return 0;
  return scene <= 1.0 / 12 ? std::sqrt(3 * scene) : kHlgA * std::log(12 * scene - kHlgB) + kHlgC;
}

double hlgDisplayGain(double sceneLuminance) {
  return sceneLuminance > 0 ? kHlgPeakNits * std::pow(sceneLuminance, kHlgGamma - 1) : 0;
}

double hlgSceneGain(double displayShare) {
  return displayShare > 0 ? std::pow(displayShare, (1 - kHlgGamma) / kHlgGamma) / kHlgPeakNits : 0;
}

double srgbLight(double signal) {
  return signal <= 0.04045 ? signal / 12.92 : std::pow((signal + 0.055) / 1.055, 2.4);
}

double srgbSignal(double light) {
  return light <= 0.0031308 ? light * 12.92 : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
}

}  // namespace framewright
