#pragma once

#include <cstdint>
#include <vector>

namespace framewright {

// Keeps a stereo sum within full scale by looking 5 ms ahead: the level is already down when a peak comes,
// so nothing wraps, clips or crackles. Sound that stays within full scale passes bit by bit unchanged.
// Output lags input by kLimiterLatency samples. One thread.
inline constexpr int kLimiterLatency = 240;

class Limiter {
 public:
  Limiter();
  // Replaces `count` samples of both channels by the ones that entered kLimiterLatency samples ago
  // (silence before the first).
  void process(float* left, float* right, int64_t count);

 private:
  float windowMinimum(float needed);

  static constexpr int kWindow = kLimiterLatency + 1;
  struct Step {
    int64_t at;
    float gain;
  };
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
