#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/result.h"

namespace framewright {

// Plays 48 kHz stereo faster or slower. Output sample 0 is input sample 0. Used by one thread.
class TimeStretch {
 public:
  // Fills both channels with up to `count` samples of the input; returns fewer only at its end.
  using Source = std::function<Result<int64_t>(float* left, float* right, int64_t count)>;

  // `speed`: input samples per output sample. `keepsPitch` false: the pitch rises and falls with it.
  TimeStretch(double speed, bool keepsPitch);
  ~TimeStretch();
  TimeStretch(const TimeStretch&) = delete;
  TimeStretch& operator=(const TimeStretch&) = delete;

  // Fills both channels with up to `count` samples; returns fewer only after the end of the source.
  Result<int64_t> read(float* left, float* right, int64_t count, const Source& source);

 private:
  Status feed(const Source& source);
  void process(const std::vector<float>& left, const std::vector<float>& right, int64_t count, bool isFinal);
  void retrieve();

  struct Stretcher;
  const std::unique_ptr<Stretcher> stretcher_;
  const double speed_;
  std::vector<float> left_, right_;  // stretched samples that wait
  size_t taken_ = 0;                 // of those
  int64_t discard_ = 0;              // samples before output sample 0
  int64_t fed_ = 0, made_ = 0;       // samples of the source, and of the output
  bool hasEnded_ = false;
};

}  // namespace framewright
