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
constexpr size_t kCircleBars = 72;
// The levels of about this many bands make up that of speech.
constexpr double kSpeechBands = 14;

// Odd, so that one bar is in the middle.
int barCount(const Rect& box) {
  return 2 * static_cast<int>(std::clamp(box.width / kBarPixels, kMinBars, kMaxBars) / 2) + 1;
}

// The mean around a time of what `levelAt` returns for a hop.
template <class LevelAt>
double smoothed(double hop, const LevelAt& levelAt) {
  const auto middle = static_cast<int64_t>(std::floor(hop));
  double sum = 0, weights = 0;
  for (int64_t k = middle - kFallReach; k <= middle + kRiseReach; ++k) {
    // Distance from the middle of the hop to the bar's time.
    const double distance = hop - (static_cast<double>(k) + 0.5);
    const double across = distance / (distance < 0 ? kRiseHops : kFallHops);
    const double weight = std::exp(-0.5 * across * across);
    sum += weight * levelAt(k);
    weights += weight;
  }
  return sum / weights;
}

double heightOf(double level, double amplitude) {
  const double x = amplitude / kDefaultAmplitude * kSpeechHeight * std::pow(level / kSpeechLevel, kExponent);
  return x / std::pow(1 + x * x * x * x, 0.25);
}

// From -1 a second ago to 1 in a second, by the place of a bar.
double offsetOf(WaveformStyle style, size_t bar, size_t count) {
  const auto half = static_cast<double>(count / 2), at = static_cast<double>(bar);
  if (style == WaveformStyle::kCircle) return -std::min(at, static_cast<double>(count) - at) / half;
  const double offset = (at - half) / half;
  return style == WaveformStyle::kMirrored ? -std::abs(offset) : offset;
}

// Lower towards the ends of a row; a circle has none.
double archOf(WaveformStyle style, double offset) {
  if (style == WaveformStyle::kCircle) return 1;
  return kEdgeHeight + (1 - kEdgeHeight) * std::cos(offset * std::numbers::pi / 2);
}

uint16_t stepsOf(double height) {
  return static_cast<uint16_t>(std::lround(std::clamp(height, 0.0, 1.0) * kWaveformSteps));
}

std::vector<uint16_t> spectrumBars(double amplitude, size_t count, double now, MixLevels& levels) {
  std::vector<double> bands;
  for (size_t i = 0; i < levels.bandsAt(static_cast<int64_t>(now)).size(); ++i) {
    bands.push_back(smoothed(now, [&](int64_t hop) {
      const std::span<const float> found = levels.bandsAt(hop);
      return i < found.size() ? found[i] : 0.0f;
    }));
  }
  std::vector<uint16_t> bars(count);
  if (bands.empty()) return bars;
  for (size_t i = 0; i < count; ++i) {
    const double at =
        (static_cast<double>(i) + 0.5) / static_cast<double>(count) * static_cast<double>(bands.size()) - 0.5;
    const double first = std::clamp(std::floor(at), 0.0, static_cast<double>(bands.size() - 1));
    const auto low = static_cast<size_t>(first), high = std::min(low + 1, bands.size() - 1);
    const double level = std::lerp(bands[low], bands[high], std::clamp(at - first, 0.0, 1.0));
    bars[i] = stepsOf(heightOf(level * std::sqrt(kSpeechBands), amplitude));
  }
  return bars;
}

}  // namespace

std::vector<uint16_t> waveformBars(const Timeline& timeline, WaveformStyle style, double amplitude,
                                   const Rect& box, int64_t frame, MixLevels* levels) {
  std::vector<uint16_t> bars(style == WaveformStyle::kCircle ? kCircleBars
                                                             : static_cast<size_t>(barCount(box)));
  if (levels == nullptr) return bars;
  const double now =
      static_cast<double>(sampleAtFrame(timeline, frame)) * MixLevels::kPerSecond / kSampleRate;
  if (style == WaveformStyle::kSpectrum) return spectrumBars(amplitude, bars.size(), now, *levels);
  for (size_t i = 0; i < bars.size(); ++i) {
    const double offset = offsetOf(style, i, bars.size());
    const double level = smoothed(now + offset * kReachSeconds * MixLevels::kPerSecond,
                                  [&](int64_t hop) { return levels->at(hop); });
    bars[i] = stepsOf(heightOf(level, amplitude) * archOf(style, offset));
  }
  return bars;
}

}  // namespace framewright
