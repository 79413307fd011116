#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

// Effects on rows of working samples (plane_rows.h) that are not premultiplied. What the compositor of 8 bits
// limits to its codes 0 to 255 is limited to the same range. The results do not depend on the instruction
// set. Pure; any thread.
namespace framewright::kernels {

// Samples of the codes 0 and 255 of 8 bits, of black, white and neutral chroma.
inline constexpr int kLowestSample = 0, kHighestSample = 255 * 64;
inline constexpr int kBlackSample = 16 * 64, kWhiteSample = 235 * 64, kNeutralSample = 128 * 64;

// Scales the distance from kNeutralSample by `slope`, 0 to kMaxSampleSlope, then adds `offset`, which is at
// most the range of codes.
inline constexpr double kMaxSampleSlope = 16;
struct SampleLine {
  double slope = 1, offset = 0;
};
void scaleSamples(int16_t* row, const SampleLine& line, size_t count);

// A curve through points 16 samples apart, from sample 0 on. Each has its value in the lower half, and what
// the next one is more in the upper half.
inline constexpr int kCurvePoints = 1024;
using SampleCurve = std::array<int32_t, kCurvePoints>;
void curveSamples(int16_t* row, const SampleCurve& curve, size_t count);

// Scales the distance from `neutral`. `brightness`: of kernels::vignetteRow().
void shadeSamples(int16_t* row, const uint16_t* brightness, int16_t neutral, size_t count);

// Adds noise as kernels::grainRow() does. `strength`: of planGrain().
void grainSamples(int16_t* row, const int8_t* noise, int strength, size_t count);

// Q15 weights of the luma of a mask: 0 for black, kFullWeight for white.
void weightsOfLuma(uint16_t* weights, const int16_t* luma, size_t count);
// Weights of chroma from those of two rows of luma: chroma[i] is the mean of columns 2 * i - 1 to 2 * i + 1
// of both, [1 2 1] / 8. Reads luma from column -1 to 2 * count - 1.
void chromaOfWeights(uint16_t* chroma, const uint16_t* top, const uint16_t* bottom, size_t count);
// weights = weights * factors, both Q15 with kFullWeight as 1.
void multiplyWeights(uint16_t* weights, const uint16_t* factors, size_t count);

}  // namespace framewright::kernels
