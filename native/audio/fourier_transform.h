#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace framewright {

// Discrete Fourier transform of a power-of-two size, in place. Used by one thread.
class FourierTransform {
 public:
  explicit FourierTransform(size_t size);

  // `values` has `size` elements.
  void transform(std::complex<float>* values) const;

 private:
  std::vector<std::complex<float>> roots_;
  std::vector<size_t> swaps_;  // index of the element that each changes places with
};

}  // namespace framewright
