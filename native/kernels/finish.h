#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/rounding.h"

// Sharpening, vignette and grain of premultiplied limited-range samples, row by row. Without `alpha` (null)
// shaded and grained samples are opaque. Pure; any thread.
namespace framewright::kernels {

// Samples beside and rows above and below a sample that sharpening reads.
inline constexpr int kSharpenReach = 2;
inline constexpr int kSharpenTaps = 2 * kSharpenReach + 1;
inline constexpr int kSharpenShift = 20;
// Strength that adds the difference from the surroundings once.
inline constexpr int kSharpenUnit = 4112;  // 2^kSharpenShift / 255

// Adds the difference of luma from its surroundings, a Gaussian of about one sample in which transparency
// does not count. `luma` and `alpha`: rows y - 2 to y + 2, each from two samples before the first result to
// two after the last. `strength`: 0 to 4 * kSharpenUnit. Results stay within black and white.
void sharpenRow(uint8_t* dst, const uint8_t* const* luma, const uint8_t* const* alpha, int strength,
                size_t count);

// Fraction bits of coordinates and of brightness.
inline constexpr int kVignetteBits = 20, kBrightnessBits = 15;
// Steps of the squared distance from the centre, 0 to 2, for which the brightness is given; one more is read.
inline constexpr int kVignetteSteps = 256;

// A row of a vignette: its first sample's position with the box at -1 to 1, and the step between samples.
// Unsigned, as positions far outside the box, where nothing is visible, may wrap around.
struct VignetteRow {
  uint32_t x = 0, y = 0, stepX = 0, stepY = 0;
};
// Brightness of each sample. `table`: kVignetteSteps + 1 values.
void vignetteRow(uint16_t* brightness, const VignetteRow& row, const int32_t* table, size_t count);
// Scales the distance from `neutral`: 16 for luma, 128 for chroma.
void shadeRow(uint8_t* samples, const uint8_t* alpha, const uint16_t* brightness, int neutral,
              const RowRounding& rounding, size_t count);

// Adds noise to luma, most in midtones and none to black and white. `noise`: standard deviation 32, above
// -128. `strength` in units of 2^-kGrainShift for each level to black and to white, at most 2^13.
inline constexpr int kGrainShift = 27;
void grainRow(uint8_t* luma, const uint8_t* alpha, const int8_t* noise, int strength, size_t count);

// Scalar versions that define the results bit for bit.
namespace reference {
void sharpenRow(uint8_t* dst, const uint8_t* const* luma, const uint8_t* const* alpha, int strength,
                size_t count);
void vignetteRow(uint16_t* brightness, const VignetteRow& row, const int32_t* table, size_t count);
void shadeRow(uint8_t* samples, const uint8_t* alpha, const uint16_t* brightness, int neutral,
              const RowRounding& rounding, size_t count);
void grainRow(uint8_t* luma, const uint8_t* alpha, const int8_t* noise, int strength, size_t count);
}  // namespace reference

}  // namespace framewright::kernels
