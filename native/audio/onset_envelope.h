#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "audio/fourier_transform.h"

namespace framewright {

// Measures how strongly sounds begin at each moment of 48 kHz stereo: the spectral flux of bands as wide as
// the ear's. Used by one thread.
class OnsetEnvelope {
 public:
  static constexpr int64_t kHop = 256;
  static constexpr double kRate = 48000.0 / kHop;  // values per second

  OnsetEnvelope();

  // Samples that are not finite count as silence.
  void add(const float* left, const float* right, int64_t count);

  // Adds the rest. Value i belongs to the time i / kRate.
  std::span<const float> finish();

 private:
  static constexpr size_t kWindow = 1024;
  static constexpr size_t kBands = 36;

  void addSample(float sample);
  void addFrame();

  const FourierTransform transform_{kWindow};
  std::array<float, kWindow> window_, samples_{};  // samples_: the last ones, a ring
  std::array<size_t, kBands + 1> edges_;           // first bin of each band
  std::array<float, kBands> weights_;
  std::array<float, kBands> before_{};  // logarithmic levels of the last frame
  std::array<std::complex<float>, kWindow> bins_;
  size_t at_ = 0;
  int64_t count_ = 0;
  float loudest_ = 0;  // recent maximum of the bands
  std::vector<float> envelope_;
};

}  // namespace framewright
