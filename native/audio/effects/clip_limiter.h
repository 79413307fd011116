#pragma once

#include <cstdint>

#include "audio/limiter.h"
#include "audio/time_stretch.h"
#include "core/limiter_settings.h"
#include "core/result.h"

namespace framewright {

// A limiter that reads ahead, so that its output is not late. Used by one thread.
class ClipLimiter {
 public:
  // After that many samples the result no longer depends on those before.
  static constexpr int64_t kSettling = 24000;

  explicit ClipLimiter(const LimiterSettings& settings);

  // The next samples of `source`, limited; fewer at its end.
  Result<int64_t> read(float* left, float* right, int64_t count, const SampleSource& source);

 private:
  Result<int64_t> process(float* left, float* right, int64_t count, const SampleSource& source);

  Limiter limiter_;
  const float gain_;
  int64_t received_ = 0, returned_ = 0;
  bool isPrimed_ = false;
};

}  // namespace framewright
