#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "audio/time_warp.h"
#include "core/result.h"

namespace framewright {

// A value at a sample.
using PitchCurve = std::function<double(double)>;

// Plays 48 kHz stereo faster or slower. Output sample 0 is input sample 0. Used by one thread.
class TimeStretch {
 public:
  // `speed`: input samples per output sample. `pitchScale`: factor of all frequencies.
  TimeStretch(double speed, double pitchScale);
  // At a changing speed.
  TimeStretch(TimeWarp warp, double pitchScale);
  // Lets the pitch change: its factor at a sample of the output. Before the first read().
  void setPitch(PitchCurve pitch) { pitch_ = std::move(pitch); }
  ~TimeStretch();
  TimeStretch(const TimeStretch&) = delete;
  TimeStretch& operator=(const TimeStretch&) = delete;

  // Fills both channels with up to `count` samples; returns fewer only after the end of the source.
  Result<int64_t> read(float* left, float* right, int64_t count, const SampleSource& source);

 private:
  TimeStretch(double speed, double pitchScale, TimeWarp warp);
  Status feed(const SampleSource& source);
  int64_t followWarp();
  void process(const std::vector<float>& left, const std::vector<float>& right, int64_t count, bool isFinal);
  void retrieve();

  struct Stretcher;
  const std::unique_ptr<Stretcher> stretcher_;
  const double speed_;               // the first one, if it changes
  const TimeWarp warp_;              // empty: constant
  PitchCurve pitch_;                 // empty: constant
  int64_t pad_ = 0;                  // silent samples before the input
  int64_t delay_ = 0;                // samples before output sample 0
  std::vector<float> left_, right_;  // stretched samples that wait
  size_t taken_ = 0;                 // of those
  int64_t discard_ = 0;              // of the delay
  int64_t fed_ = 0, made_ = 0;       // samples of the source, and of the output
  bool hasEnded_ = false;
};

}  // namespace framewright
