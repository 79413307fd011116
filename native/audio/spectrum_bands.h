#pragma once

#include <array>
#include <complex>
#include <vector>

#include "audio/fourier_transform.h"

namespace framewright {

// Measures the levels of frequency bands of 48 kHz audio, evenly spaced in pitch. Used by one thread.
class SpectrumBands {
 public:
  static constexpr int kWindow = 2048;  // samples
  static constexpr size_t kCount = 48;
  using Levels = std::array<float, kCount>;

  SpectrumBands();
  // Root mean square of each band around the middle of kWindow samples; full scale is 1.
  Levels measure(const float* samples);

 private:
  FourierTransform transform_;
  std::vector<float> window_;
  double windowPower_ = 0;
  std::vector<std::complex<float>> values_;
};

}  // namespace framewright
