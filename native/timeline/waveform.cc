#include "timeline/waveform.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace framewright {
namespace {

constexpr double kReachSeconds = 1;  // from the middle to either side
constexpr double kMostBars = 72, kFewestBars = 8;
constexpr double kBarPixels = 14;  // from bar to bar, where there is room
// A bar rises over the hops before a sound and sinks slower after it.
constexpr double kRiseHops = 2.0, kFallHops = 6.0;
constexpr int kRiseReach = 6, kFallReach = 24;
// Speech, which has some -20 dBFS, at amplitude 5 reaches half the box; louder sound bends towards all of it.
constexpr double kSpeech = 0.1, kSpeechHeight = 0.5, kExponent = 0.65;
constexpr double kPlainAmplitude = 5;
constexpr double kEdge = 0.25;  // of the height in the middle

// Odd, so that one is in the middle.
int barCount(const Rect& box) {
  return 2 * static_cast<int>(std::clamp(box.width / kBarPixels, kFewestBars, kMostBars) / 2) + 1;
}

double smoothed(MixLevels& levels, double hop) {
  const auto middle = static_cast<int64_t>(std::floor(hop));
  double sum = 0, weights = 0;
  for (int64_t k = middle - kFallReach; k <= middle + kRiseReach; ++k) {
    // Of the moment the bar stands for, counted from the middle of the hop.
    const double distance = hop - (static_cast<double>(k) + 0.5);
    const double across = distance / (distance < 0 ? kRiseHops : kFallHops);
    const double weight = std::exp(-0.5 * across * across);
    sum += weight * levels.at(k);
    weights += weight;
  }
  return sum / weights;
}

double heightOf(double level, double amplitude) {
  const double x = amplitude / kPlainAmplitude * kSpeechHeight * std::pow(level / kSpeech, kExponent);
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
    const double away = (static_cast<double>(i) - half) / half;
    const double level = smoothed(*levels, now + away * kReachSeconds * MixLevels::kPerSecond);
    const double arch = std::cos(away * std::numbers::pi / 2);
    const double height = heightOf(level, waveform.amplitude) * (kEdge + (1 - kEdge) * arch);
    bars[i] = static_cast<uint16_t>(std::lround(std::clamp(height, 0.0, 1.0) * kWaveformSteps));
  }
  return bars;
}

}  // namespace framewright
