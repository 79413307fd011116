#pragma once

#include <cstddef>
#include <cstdint>

// Mean of a plane and shifted copies of it, row by row: motion blur. Pure; any thread.
namespace framewright::kernels {

// Fractions of a sample by which a copy is shifted.
inline constexpr int kShiftSteps = 64;
// Copies whose sum fits into a row of sums.
inline constexpr int kMaxCopies = 64;
// Sums have two fraction bits.
inline constexpr int kSumUnit = 4;

// Bilinear interpolation between four samples, `right` and `down` in steps.
inline uint16_t shiftedSample(int upperLeft, int upperRight, int lowerLeft, int lowerRight, int right,
                              int down) {
  const int upper = upperLeft * (kShiftSteps - right) + upperRight * right;
  const int lower = lowerLeft * (kShiftSteps - right) + lowerRight * right;
  return static_cast<uint16_t>((upper * (kShiftSteps - down) >> 10) + (lower * down >> 10));
}

// Adds a row of a copy: `upper` and `lower` are neighbouring rows of count + 1 samples.
void addShifted(uint16_t* sums, const uint8_t* upper, const uint8_t* lower, int right, int down,
                size_t count);
// dst[i] = sums[i] / copies, rounded. Equal samples keep their value.
void averageRow(uint8_t* dst, const uint16_t* sums, int copies, size_t count);

// Scalar versions that define the results bit for bit.
namespace reference {
void addShifted(uint16_t* sums, const uint8_t* upper, const uint8_t* lower, int right, int down,
                size_t count);
void averageRow(uint8_t* dst, const uint16_t* sums, int copies, size_t count);
}  // namespace reference

}  // namespace framewright::kernels
