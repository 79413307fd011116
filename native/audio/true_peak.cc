#include "audio/true_peak.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace framewright {
namespace {

constexpr int kTaps = 2 * TruePeakDetector::kLatency;
constexpr int kPhases = 4;
constexpr int kHistory = kTaps - 1;
constexpr int kBlock = 1024;

using Phase = std::array<float, kTaps>;

// Kaiser-windowed sinc for the three points between two samples.
std::array<Phase, kPhases - 1> designPhases() {
  constexpr double kBeta = 5.0;
  std::array<Phase, kPhases - 1> phases{};
  for (int p = 1; p < kPhases; ++p) {
    std::array<double, kTaps> taps{};
    double sum = 0;
    for (int k = 0; k < kTaps; ++k) {
      const double distance = k - (kTaps / 2 - 1) - static_cast<double>(p) / kPhases;
      const double across = distance / (kTaps / 2);
      const double window = std::cyl_bessel_i(0.0, kBeta * std::sqrt(std::max(0.0, 1 - across * across)));
      taps[static_cast<size_t>(k)] =
          window * std::sin(std::numbers::pi * distance) / (std::numbers::pi * distance);
      sum += taps[static_cast<size_t>(k)];
    }
    for (int k = 0; k < kTaps; ++k) {
      phases[static_cast<size_t>(p - 1)][static_cast<size_t>(k)] =
          static_cast<float>(taps[static_cast<size_t>(k)] / sum);
    }
  }
  return phases;
}

const std::array<Phase, kPhases - 1>& phases() {
  static const std::array<Phase, kPhases - 1> kDesigned = designPhases();
  return kDesigned;
}

// Upper bound of waveform peak relative to the largest sample.
float worstRise() {
  float worst = 1;
  for (const Phase& phase : phases()) {
    float sum = 0;
    for (const float tap : phase) sum += std::fabs(tap);
    worst = std::max(worst, sum);
  }
  return worst;
}

}  // namespace

TruePeakDetector::TruePeakDetector() : line_(kHistory + kBlock, 0.0f) {}

void TruePeakDetector::detect(const float* samples, int64_t count, float floor, float* peaks) {
  for (int64_t done = 0; done < count; done += kBlock) {
    detectBlock(samples + done, static_cast<int>(std::min<int64_t>(kBlock, count - done)), floor,
                peaks + done);
  }
}

void TruePeakDetector::detectBlock(const float* samples, int count, float floor, float* peaks) {
  static const float kWorstRise = worstRise();
  float* const line = line_.data();
  std::copy_n(samples, count, line + kHistory);
  float highest = 0;
  for (int i = 0; i < kHistory + count; ++i) highest = std::max(highest, std::fabs(line[i]));
  if (highest * kWorstRise > floor) {
    for (int i = 0; i < count; ++i) peaks[i] = std::max(peaks[i], std::fabs(line[i + kTaps / 2 - 1]));
    std::array<float, kBlock> between;
    for (const Phase& phase : phases()) {
      std::fill_n(between.data(), count, 0.0f);
      for (int k = 0; k < kTaps; ++k) {
        const float tap = phase[static_cast<size_t>(k)];
        for (int i = 0; i < count; ++i) between[static_cast<size_t>(i)] += tap * line[i + k];
      }
      for (int i = 0; i < count; ++i) {
        peaks[i] = std::max(peaks[i], std::fabs(between[static_cast<size_t>(i)]));
      }
    }
  }
  std::copy_n(line + count, kHistory, line);
}

}  // namespace framewright
