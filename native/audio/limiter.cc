#include "audio/limiter.h"

#include <algorithm>
#include <cmath>

namespace framewright {
namespace {

// A gain is kept for half a wave of 40 Hz before it rises: a rise between the peaks of a low tone would
// distort it. The rise itself can then be fast (time constant of 15 ms), so that what is quiet behind a peak
// is not lowered with it.
constexpr int kHold = 600;
const double kRelease = 1.0 - std::exp(-1.0 / (0.015 * 48000.0));
constexpr double kDone = 1e-5;  // a reduction below this counts as none
constexpr int kBlock = 1024;

}  // namespace

Limiter::Limiter(float ceiling)
    : ceiling_(ceiling),
      peaks_(kBlock),
      delayedLeft_(kDelay, 0.0f),
      delayedRight_(kDelay, 0.0f),
      reductions_(kWindow, 0.0),
      steps_(kWindow) {}

// Minimum of the gains needed in the window that ends here.
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
  for (int64_t done = 0; done < count; done += kBlock) {
    processBlock(left + done, right + done, static_cast<int>(std::min<int64_t>(kBlock, count - done)));
  }
}

// Whether no reduction is active or upcoming.
bool Limiter::isOpen() const {
  const Step& lowest = steps_[static_cast<size_t>(stepsBegin_)];
  return reduced_ == 0 && gain_ >= 1 && (stepsCount_ == 0 || lowest.gain >= 1);
}

// Fast path of the loop below for a gain of 1: delays one channel.
void Limiter::delay(float* samples, int count, std::vector<float>& delayed) const {
  for (int i = 0; i < count; ++i) {
    auto entering = static_cast<size_t>(position_ + i) % kDelay;
    delayed[entering] = samples[i];
    samples[i] = delayed[entering + 1 == kDelay ? 0 : entering + 1];
  }
}

void Limiter::processBlock(float* left, float* right, int count) {
  std::fill_n(peaks_.data(), count, 0.0f);
  leftPeaks_.detect(left, count, ceiling_, peaks_.data());
  rightPeaks_.detect(right, count, ceiling_, peaks_.data());
  if (isOpen() && *std::max_element(peaks_.begin(), peaks_.begin() + count) <= ceiling_) {
    delay(left, count, delayedLeft_);
    delay(right, count, delayedRight_);
    position_ += count;
    steps_[static_cast<size_t>(stepsBegin_)] = {position_ - 1, 1.0f};
    stepsCount_ = 1;
    return;
  }
  for (int i = 0; i < count; ++i, ++position_) {
    const float peak = peaks_[static_cast<size_t>(i)];
    const double needed = windowMinimum(peak > ceiling_ ? ceiling_ / peak : 1.0f);
    if (needed <= gain_) {
      gain_ = needed;
      holdEnd_ = position_ + kHold;
    } else if (position_ >= holdEnd_) {
      gain_ += (needed - gain_) * kRelease;
    }
    if (needed >= 1.0 && gain_ > 1.0 - kDone) gain_ = 1.0;

    // The mean over the look-ahead turns steps into ramps that never exceed the gain that a sample needs,
    // because each gain lasted for the whole window.
    const auto slot = static_cast<size_t>(position_ % kWindow);
    const double reduction = 1.0 - gain_;
    reduced_ += (reduction > 0) - (reductions_[slot] > 0);
    reductionSum_ = reduced_ == 0 ? 0.0 : reductionSum_ + reduction - reductions_[slot];
    reductions_[slot] = reduction;

    const auto entering = static_cast<size_t>(position_ % kDelay);
    delayedLeft_[entering] = left[i];
    delayedRight_[entering] = right[i];
    const auto oldest = static_cast<size_t>((position_ + 1) % kDelay);  // kLimiterLatency samples ago
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
