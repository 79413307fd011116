#include "timeline/waveform.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace framewright {
namespace {

constexpr double kReachSeconds = 1;  // from the middle to either side
constexpr double kMinBars = 8, kMaxBars = 72;
constexpr double kBarPixels = 14;  // minimum distance between bars
// Standard deviations of the smoothing before and after a sound: bars rise fast and fall slowly.
constexpr double kRiseHops = 2.0, kFallHops = 6.0;
constexpr int kRiseReach = 6, kFallReach = 24;  // hops
// Speech, at about -20 dBFS, reaches half the box at amplitude 5; louder audio approaches the full height.
constexpr double kSpeechLevel = 0.1, kSpeechHeight = 0.5, kExponent = 0.65;
constexpr double kDefaultAmplitude = 5;
constexpr double kEdgeHeight = 0.25;  // relative to the middle

// Odd, so that one bar is in the middle.
int barCount(const Rect& box) {
  return 2 * static_cast<int>(std::clamp(box.width / kBarPixels, kMinBars, kMaxBars) / 2) + 1;
}

double smoothed(MixLevels& levels, double hop) {
  const auto middle = static_cast<int64_t>(std::floor(hop));
  double sum = 0, weights = 0;
  for (int64_t k = middle - kFallReach; k <= middle + kRiseReach; ++k) {
    // Distance from the middle of the hop to the bar's time.
    const double distance = hop - (static_cast<double>(k) + 0.5);
    const double across = distance / (distance < 0 ? kRiseHops : kFallHops);
    const double weight = std::exp(-0.5 * across * across);
    sum += weight * levels.at(k);
    weights += weight;
  }
  return sum / weights;
}

double heightOf(double level, double amplitude) {
  const double x = amplitude / kDefaultAmplitude * kSpeechHeight * std::pow(level / kSpeechLevel, kExponent);
  return x / std::pow(1 + x * x * x * x, 0.25);
}

}  // namespace

std::vector<uint16_t> waveformBars(const Timeline& timeline, const Waveform& waveform, const Rect& box,
                                   int64_t frame, MixLevels* levels) {
  std::vector<uint16_t> bars(static_cast<size_t>(barCount(box)));
  if (levels == nullptr) return bars;
  const auto half = static_cast<double>(bars.size() / 2);
  const double now =
      static_cast<double>(sampleAtFrame(timeline, frame)) * MixLevels::kPerSecond / kSampleRate;
  for (size_t i = 0; i < bars.size(); ++i) {
    const double offset = (static_cast<double>(i) - half) / half;
    const double level = smoothed(*levels, now + offset * kReachSeconds * MixLevels::kPerSecond);
    const double arch = std::cos(offset * std::numbers::pi / 2);
    const double height = heightOf(level, waveform.amplitude) * (kEdgeHeight + (1 - kEdgeHeight) * arch);
    bars[i] = static_cast<uint16_t>(std::lround(std::clamp(height, 0.0, 1.0) * kWaveformSteps));
  }
  return bars;
}

}  // namespace framewright
