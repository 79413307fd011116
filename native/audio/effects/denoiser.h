#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "audio/effects/noise_floor.h"
#include "audio/fourier_transform.h"
#include "audio/time_warp.h"
#include "core/result.h"

namespace framewright {

// Lowers steady noise in 48 kHz stereo, such as that of rooms, fans and microphones, by a filter that
// attenuates each frequency that does not exceed the noise. Both channels have the same filter. Reads ahead,
// so output sample 0 is input sample 0. Used by one thread.
class Denoiser {
 public:
  // After that many samples the result no longer depends on those before, if it starts at a multiple of
  // kGrid.
  static constexpr int64_t kSettling = 512 * 24 * 24, kGrid = 512 * 24;

  // `reduction`: dB by which noise alone becomes quieter.
  explicit Denoiser(double reduction);

  // Fills both channels; returns less than `count` only after the end of the source. Samples that are not
  // finite count as silence.
  Result<int64_t> read(float* left, float* right, int64_t count, const SampleSource& source);

 private:
  static constexpr size_t kHop = 512;
  static constexpr size_t kHops = 4;  // of a window
  static constexpr size_t kWindow = kHops * kHop;
  static constexpr size_t kBins = kWindow / 2 + 1;

  // A frame that waits for the noise after it. Channels are the real and the imaginary part of its samples.
  struct Frame {
    std::vector<std::complex<float>> spectrum;
    std::vector<float> power;
  };

  Status feed(const SampleSource& source);
  void analyze(bool isComplete);
  void filterNext();
  void computeGains(std::span<const float> power, std::span<const float> noise);

  const FourierTransform transform_{kWindow};
  const float floor_;  // smallest gain
  std::vector<float> window_;
  NoiseFloor noise_{kBins};
  std::vector<std::complex<float>> input_, overlap_;  // of the last window
  std::deque<Frame> frames_;
  int64_t filtered_ = 0;               // frames
  int64_t fed_ = 0, made_ = 0;         // samples
  std::vector<float> gains_, speech_;  // speech_: power of the last frame without its noise
  std::deque<std::complex<float>> output_;
  bool hasEnded_ = false;
};

}  // namespace framewright
