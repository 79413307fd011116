#pragma once

#include <cstdint>
#include <vector>

#include "audio/time_warp.h"
#include "core/result.h"

namespace framewright {

// Plays stereo at a changing speed, with which the pitch rises and falls. Output sample 0 is input sample 0.
// Used by one thread.
class Varispeed {
 public:
  explicit Varispeed(TimeWarp warp);

  // As TimeStretch::read().
  Result<int64_t> read(float* left, float* right, int64_t count, const SampleSource& source);

 private:
  Status fill(int64_t end, const SampleSource& source);
  void interpolate(double position, double speed, float& left, float& right) const;

  const TimeWarp warp_;
  const std::vector<float> kernel_;
  std::vector<float> left_, right_;  // input samples from first_ on
  int64_t first_ = 0;
  int64_t made_ = 0;
  bool hasEnded_ = false;  // left_ and right_ reach to the end of the input
};

}  // namespace framewright
