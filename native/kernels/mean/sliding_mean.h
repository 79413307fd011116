#pragma once

#include <cstddef>
#include <cstdint>

// Means of boxes that slide along columns, for all samples of a row at a time. Pure; any thread.
namespace framewright::kernels {

inline constexpr int kBoxUnit = 64;  // fractions of a sample

// A box of `length` fractions of samples, which begins within a sample and ends within another.
struct SlidingBox {
  uint32_t length = kBoxUnit;  // up to 2^19
  uint32_t startFraction = 0;  // of the first sample, which is not covered
  uint32_t endFraction = 0;    // of the sample after the last whole one
};

// Division of sums by the length of a box, rounded to nearest: exact for sums of samples.
struct BoxDivision {
  explicit BoxDivision(uint32_t length);
  uint8_t operator()(uint32_t sum) const {
    return static_cast<uint8_t>((uint64_t{sum + half} * reciprocal) >> shift);
  }

  uint32_t reciprocal;
  uint32_t half;
  int shift;
};

// dst[i] is the mean of a box, `sums[i]` the sum of its samples without the last, fractional one. `leaving`
// is the first sample of the box, `entering` the last. With `slides` the sums become those of the next box.
void slideMeanRow(uint8_t* dst, uint32_t* sums, const uint8_t* leaving, const uint8_t* entering, size_t count,
                  const SlidingBox& box, bool slides);
// dst[i] = src[count - 1 - i]
void reverseRow(uint8_t* dst, const uint8_t* src, size_t count);

// Scalar versions that define the results bit for bit.
namespace reference {
void slideMeanRow(uint8_t* dst, uint32_t* sums, const uint8_t* leaving, const uint8_t* entering, size_t count,
                  const SlidingBox& box, bool slides);
void reverseRow(uint8_t* dst, const uint8_t* src, size_t count);
}  // namespace reference

}  // namespace framewright::kernels
