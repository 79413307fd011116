#include "audio/effects/clip_limiter.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "audio/effects/valid_sample.h"

namespace framewright {
namespace {

float factorOf(double decibels) { return static_cast<float>(std::pow(10.0, decibels / 20)); }

}  // namespace

ClipLimiter::ClipLimiter(const LimiterSettings& settings)
    : limiter_(factorOf(settings.ceiling)), gain_(factorOf(settings.gain)) {}

Result<int64_t> ClipLimiter::read(float* left, float* right, int64_t count, const SampleSource& source) {
  if (!isPrimed_) {
    isPrimed_ = true;
    std::array<float, kLimiterLatency> before{}, beside{};
    FW_ASSIGN_OR_RETURN(received_, process(before.data(), beside.data(), kLimiterLatency, source));
  }
  FW_ASSIGN_OR_RETURN(const int64_t got, process(left, right, count, source));
  received_ += got;
  const int64_t limited = std::min(count, received_ - returned_);
  returned_ += limited;
  return limited;
}

// Silence follows the end of the source and pushes its last samples out of the limiter.
Result<int64_t> ClipLimiter::process(float* left, float* right, int64_t count, const SampleSource& source) {
  FW_ASSIGN_OR_RETURN(const int64_t got, source(left, right, count));
  std::fill(left + got, left + count, 0.0f);
  std::fill(right + got, right + count, 0.0f);
  for (int64_t i = 0; i < got; ++i) {
    left[i] = validSample(left[i]) * gain_;
    right[i] = validSample(right[i]) * gain_;
  }
  limiter_.process(left, right, count);
  return got;
}

}  // namespace framewright
