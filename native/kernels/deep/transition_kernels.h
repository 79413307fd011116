#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

// Transitions on rows of working samples (plane_rows.h). The results do not depend on the instruction set.
// Pure; any thread.
namespace framewright::kernels {

// Means of boxes that slide along columns, for all samples of a row: dst = (sums * kBoxUnit - startFraction *
// leaving + endFraction * entering) / length, see kernels/mean/sliding_mean.h. `slide` makes the sums those
// of the next box.
struct SampleBox {
  float startFraction = 0, endFraction = 0;
  float share = 1;  // 1 / length
};
void meanOfBoxes(int16_t* dst, const int32_t* sums, const int16_t* leaving, const int16_t* entering,
                 const SampleBox& box, size_t count);
void slideBoxes(int32_t* sums, const int16_t* leaving, const int16_t* entering, size_t count);
// dst = sums * share.
void scaleSums(int16_t* dst, const int32_t* sums, float share, size_t count);
void addSamples(int32_t* sums, const int16_t* row, size_t count);
// dst[i] = src[count - 1 - i]
void reverseSamples(int16_t* dst, const int16_t* src, size_t count);

// dst += table(src - dst), by linear interpolation between differences from -kDifferenceReach to
// kDifferenceReach, which are 2^kDifferenceShift apart. Each entry has its value in the lower half, and what
// the next one is more in the upper half; the last one is not interpolated.
inline constexpr int kDifferenceShift = 5, kDifferenceSteps = 512,
                     kDifferenceReach = kDifferenceSteps << kDifferenceShift;
using DifferenceTable = std::array<int32_t, 2 * kDifferenceSteps + 1>;
void addDifferences(int16_t* dst, const int16_t* src, const DifferenceTable& table, size_t count);

// Squared distances of samples in levels of 8 bits; `adds` to those of another colour.
void squaredDistances(float* dst, const int16_t* a, const int16_t* b, bool adds, size_t count);
// Weights of a row: `near` up to `limit`, else kFullWeight. `chroma` has half as many entries.
void weightsOfDistances(uint16_t* weights, const int16_t* a, const int16_t* b, const float* chroma,
                        float limit, uint16_t near, size_t count);

}  // namespace framewright::kernels
