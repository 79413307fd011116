#include "audio/fourier_transform.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace framewright {

FourierTransform::FourierTransform(size_t size) : roots_(size / 2), swaps_(size) {
  for (size_t i = 0; i < roots_.size(); ++i) {
    const double angle = -2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(size);
    roots_[i] = {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
  }
  for (size_t i = 0; i < size; ++i) {
    for (size_t bit = 1, mirrored = size / 2; bit < size; bit *= 2, mirrored /= 2) {
      if ((i & bit) != 0) swaps_[i] |= mirrored;
    }
  }
}

// Radix 2, decimation in time.
void FourierTransform::transform(std::complex<float>* values) const {
  const size_t size = swaps_.size();
  for (size_t i = 0; i < size; ++i) {
    if (i < swaps_[i]) std::swap(values[i], values[swaps_[i]]);
  }
  for (size_t half = 1; half < size; half *= 2) {
    const size_t stride = size / (2 * half);
    for (size_t start = 0; start < size; start += 2 * half) {
      for (size_t k = 0; k < half; ++k) {
        const std::complex<float> root = roots_[k * stride], odd = values[start + k + half];
        const std::complex<float> rotated{root.real() * odd.real() - root.imag() * odd.imag(),
                                          root.real() * odd.imag() + root.imag() * odd.real()};
        values[start + k + half] = values[start + k] - rotated;
        values[start + k] += rotated;
      }
    }
  }
}

}  // namespace framewright
