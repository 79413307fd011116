#pragma once

#include <cstddef>
#include <cstdint>

namespace framewright::kernels {

// How a row of results with kFractionBits fraction bits is rounded: to the nearest level, or by an ordered
// dither, which keeps the mean of neighbouring samples exact where a gradient has few levels.
//
// The dither adds one of 32 thresholds that depends on the sample's position alone, so that still content
// stays still. Its lattice has the steps of the plastic number, which spread the thresholds evenly in both
// directions. Thresholds keep two units of distance from both ends: results that are exact but for the error
// of fixed-point arithmetic stay exact.
struct RowRounding {
  static constexpr int kFractionBits = 7;
  static constexpr uint16_t kNearest = 64;
  static constexpr uint16_t kLongStep = 97, kShortStep = 73;

  uint16_t position = 0;  // of the row's first sample in the lattice
  uint16_t step = 0;      // in the lattice between samples
  uint16_t mask = 0;      // lattice bits that select a threshold
  uint16_t base = kNearest;

  // The rounding of the samples from `count` on.
  constexpr RowRounding after(ptrdiff_t count) const {
    return {static_cast<uint16_t>(position + step * static_cast<uint32_t>(count)), step, mask, base};
  }
  constexpr uint16_t threshold(size_t sample) const {
    return static_cast<uint16_t>(((position + step * sample) & mask) | base);
  }
};

// Dithers row `y` of a plane.
constexpr RowRounding ditheredRow(int y) {
  const auto start = static_cast<uint16_t>(RowRounding::kShortStep * static_cast<uint32_t>(y));
  return {start, RowRounding::kLongStep, 124, 2};
}
// The same with the lattice transposed: samples that were dithered by the one and are dithered again by the
// other keep their mean.
constexpr RowRounding transposedDitheredRow(int y) {
  const auto start = static_cast<uint16_t>(RowRounding::kLongStep * static_cast<uint32_t>(y));
  return {start, RowRounding::kShortStep, 124, 2};
}

}  // namespace framewright::kernels
