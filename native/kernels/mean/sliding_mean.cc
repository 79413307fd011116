#include "kernels/mean/sliding_mean.h"

#include <bit>

namespace framewright::kernels {

// Sums are below 256 * length, so that the error of the reciprocal stays below one: 256 * length² < 2^shift.
BoxDivision::BoxDivision(uint32_t length)
    : half(length / 2), shift(31 + static_cast<int>(std::bit_width(length)) - 1) {
  reciprocal = static_cast<uint32_t>(((uint64_t{1} << shift) + length - 1) / length);
}

namespace reference {

void slideMeanRow(uint8_t* dst, uint32_t* sums, const uint8_t* leaving, const uint8_t* entering, size_t count,
                  const SlidingBox& box, bool slides) {
  const BoxDivision mean(box.length);
  for (size_t i = 0; i < count; ++i) {
    dst[i] = mean(sums[i] * kBoxUnit - box.startFraction * leaving[i] + box.endFraction * entering[i]);
    if (slides) sums[i] += uint32_t{entering[i]} - leaving[i];
  }
}

void reverseRow(uint8_t* dst, const uint8_t* src, size_t count) {
  for (size_t i = 0; i < count; ++i) dst[i] = src[count - 1 - i];
}

}  // namespace reference
}  // namespace framewright::kernels
