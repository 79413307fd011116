#pragma once

#include <cstdint>
#include <vector>

#include "audio/true_peak.h"

namespace framewright {

// -1 dBTP, as a linear factor: what streaming services require, with room for overshoot of the encoder.
inline constexpr float kTruePeakCeiling = 0.891251f;

// Limits the true peak of 48 kHz stereo to `ceiling` with a look-ahead of 5 ms: the gain is already reduced
// when a peak arrives, so nothing clips. Audio below the ceiling passes bit-exactly. The output lags the
// input by kLimiterLatency samples. Not thread-safe.
inline constexpr int kLimiterLatency = 240 + TruePeakDetector::kLatency;

class Limiter {
 public:
  explicit Limiter(float ceiling = kTruePeakCeiling);
  // Replaces `count` samples of both channels with the limited ones from kLimiterLatency samples ago
  // (silence before the first).
  void process(float* left, float* right, int64_t count);

 private:
  float windowMinimum(float needed);
  bool isOpen() const;
  void delay(float* samples, int count, std::vector<float>& delayed) const;
  void processBlock(float* left, float* right, int count);

  static constexpr int kWindow = 241;  // samples: the look-ahead and the sample itself
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
  std::vector<Step> steps_;         // ring buffer of ascending gains in the window
  int stepsBegin_ = 0, stepsCount_ = 0;
  double reductionSum_ = 0;
  int reduced_ = 0;  // number of nonzero entries of reductions_
  double gain_ = 1;
  int64_t holdEnd_ = 0;  // position before which the gain does not rise
  int64_t position_ = 0;
};

}  // namespace framewright
