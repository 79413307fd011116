#include "audio/limiter.h"

#include <algorithm>
#include <cmath>

namespace framewright {
namespace {

// Back to full level with a time constant of 60 ms at 48 kHz.
const double kRelease = 1.0 - std::exp(-1.0 / (0.060 * 48000.0));
constexpr double kDone = 1e-5;  // a reduction this small is over

}  // namespace

Limiter::Limiter()
    : delayedLeft_(kWindow, 0.0f), delayedRight_(kWindow, 0.0f), reductions_(kWindow, 0.0), steps_(kWindow) {}

// The smallest gain needed anywhere in the window that ends here.
float Limiter::windowMinimum(float needed) {
  const auto at = [&](int index) -> Step& { return steps_[(stepsBegin_ + index) % kWindow]; };
  if (stepsCount_ > 0 && at(0).at <= position_ - kWindow) {
    stepsBegin_ = (stepsBegin_ + 1) % kWindow;
    --stepsCount_;
  }
  while (stepsCount_ > 0 && at(stepsCount_ - 1).gain >= needed) --stepsCount_;
  at(stepsCount_) = {position_, needed};
  ++stepsCount_;
  return at(0).gain;
}

void Limiter::process(float* left, float* right, int64_t count) {
  for (int64_t i = 0; i < count; ++i, ++position_) {
    const float peak = std::max(std::fabs(left[i]), std::fabs(right[i]));
    const double held = windowMinimum(peak > 1.0f ? 1.0f / peak : 1.0f);
    gain_ = held < gain_ ? held : gain_ + (held - gain_) * kRelease;
    if (held >= 1.0 && gain_ > 1.0 - kDone) gain_ = 1.0;

    // The mean over the look-ahead turns the steps into ramps that never rise above what a sample needs,
    // because every gain in it was held for the whole window.
    const int slot = static_cast<int>(position_ % kWindow);
    const double reduction = 1.0 - gain_;
    reduced_ += (reduction > 0) - (reductions_[slot] > 0);
    reductionSum_ = reduced_ == 0 ? 0.0 : reductionSum_ + reduction - reductions_[slot];
    reductions_[slot] = reduction;

    delayedLeft_[slot] = left[i];
    delayedRight_[slot] = right[i];
    const int oldest = static_cast<int>((position_ + 1) % kWindow);  // kLimiterLatency samples ago
    left[i] = delayedLeft_[oldest];
    right[i] = delayedRight_[oldest];
    if (reduced_ > 0) {
      const auto gain = static_cast<float>(1.0 - reductionSum_ / kWindow);
      left[i] = std::clamp(left[i] * gain, -1.0f, 1.0f);
      right[i] = std::clamp(right[i] * gain, -1.0f, 1.0f);
    }
  }
}

}  // namespace framewright
