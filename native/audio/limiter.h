#pragma once

#include <cstdint>
#include <vector>

#include "audio/true_peak.h"

namespace framewright {

// -1 dBTP: what streaming services ask for, and room for what an encoder adds to the wave.
inline constexpr float kTruePeakCeiling = 0.891251f;

// Keeps a stereo sum's true peak at `ceiling` by looking 5 ms ahead: the level is already down when a peak
// comes, so nothing wraps, clips or crackles. Sound whose wave stays below passes bit by bit unchanged.
// Output lags input by kLimiterLatency samples. One thread.
inline constexpr int kLimiterLatency = 240 + TruePeakDetector::kLatency;

class Limiter {
 public:
  explicit Limiter(float ceiling = kTruePeakCeiling);
  // Replaces `count` samples of both channels by the ones that entered kLimiterLatency samples ago
  // (silence before the first).
  void process(float* left, float* right, int64_t count);

 private:
  float windowMinimum(float needed);
  bool isOpen() const;
  void delay(float* samples, int count, std::vector<float>& delayed) const;
  void processBlock(float* left, float* right, int count);

  static constexpr int kWindow = 241;  // samples that share a gain: the look-ahead and the sample itself
  static constexpr int kDelay = kLimiterLatency + 1;
  struct Step {
    int64_t at;
    float gain;
  };
  const float ceiling_;
  TruePeakDetector leftPeaks_, rightPeaks_;
  std::vector<float> peaks_;
  std::vector<float> delayedLeft_, delayedRight_;
  std::vector<double> reductions_;  // 1 - gain of the last kWindow samples
  std::vector<Step> steps_;         // ascending gains of the window, a ring
  int stepsBegin_ = 0, stepsCount_ = 0;
  double reductionSum_ = 0;
  int reduced_ = 0;  // entries of reductions_ that are not zero
  double gain_ = 1;
  int64_t position_ = 0;
};

}  // namespace framewright
