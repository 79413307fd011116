#pragma once

#include <cstddef>
#include <cstdint>

// Inner loops of scaling and rotating planes of 16 bits. Inputs are codes with `fractionBits` fraction bits,
// results have kCodeFraction of them (plane_rows.h) and may overshoot. The results do not depend on the
// instruction set. Pure; any thread.
namespace framewright::kernels {

inline constexpr int kSampleBlock = 16;  // outputs of a block
inline constexpr int kSampleReach = 32;  // samples that a block may span per four taps

// A horizontal filter with Q14 weights.
struct SampleColumns {
  size_t count = 0;
  int taps = 0;                      // a multiple of 4
  const int32_t* firsts = nullptr;   // of each output in the line
  const int16_t* weights = nullptr;  // `taps` of each output
  // Tables for blocks whose taps are close enough, else null. Per block: its first sample, from which
  // kSampleReach + taps - 4 are read; taps 0 and 1 of its outputs. Per four taps and block: weights of taps 0
  // and 1 of its outputs, then those of taps 2 and 3.
  const int32_t* blockBases = nullptr;
  const uint16_t* blockTaps = nullptr;
  const int16_t* blockWeights = nullptr;
};

// Writes `count` results, rounded up to whole blocks.
void filterSampleColumns(int16_t* dst, const int16_t* line, const SampleColumns& columns, int fractionBits);
// dst[i] = sum over t of rows[t][i] * weights[t], Q14. `taps` is a multiple of 4.
void filterSampleRows(int16_t* dst, const int16_t* const* rows, const int16_t* weights, int taps,
                      size_t count);

// A plane for bilinear sampling; positions are clamped to [minX, maxX] x [minY, maxY].
struct CodePlane {
  const int16_t* data = nullptr;
  int32_t stride = 0;  // samples per row
  int32_t minX = 0, maxX = 0, minY = 0, maxY = 0;
  int fractionBits = 0;
};
// Positions (x, y), (x + stepX, y + stepY), …; 16.16, sample centres at integers.
struct CodeWalk {
  int32_t x = 0, y = 0, stepX = 0, stepY = 0;
};
void sampleCodes(int16_t* dst, const CodePlane& plane, const CodeWalk& walk, size_t count);

}  // namespace framewright::kernels
