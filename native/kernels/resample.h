#pragma once

#include <cstddef>
#include <cstdint>

// Inner loops of scaling. Rows are filtered horizontally into 16-bit intermediates (6 fraction bits), which
// are then combined vertically. Weights are Q14 and sum to kUnitWeight, so flat areas keep their exact value.
// Pure; any thread.
namespace framewright::kernels {

inline constexpr int kUnitWeight = 1 << 14;
// Output columns are computed in groups of 4: one 16-byte load per 4 taps, shuffled into place.
inline constexpr int kColumnGroup = 4;
inline constexpr int kGroupAlignment = 4;  // the groups per row are a multiple of this (a block)
inline constexpr int kBlockColumns = kColumnGroup * kGroupAlignment;
inline constexpr int kBlockReach = 32;  // bytes that a block with `blockTaps` may span per quad

struct ColumnFilter {
  int groups = 0;
  int quads = 0;                   // number of taps / 4
  const int32_t* bases = nullptr;  // per group: first byte to load; 16 bytes from there + 4 * quad are read
  const uint8_t* shuffles =
      nullptr;  // per group 16: taps 0 and 1 of the 4 columns, then taps 2 and 3; all < 16
  // Per quad and block: taps 0 and 1 of its 16 columns, then taps 2 and 3.
  const int16_t* weights = nullptr;
  // Tables for whole blocks, where taps are close enough, else null: per block the first byte to load
  // (kBlockReach bytes are read from there + 4 * quad), and taps 0 and 1 of its 16 columns.
  const int32_t* blockBases = nullptr;
  const uint16_t* blockTaps = nullptr;
};

// Writes 4 * groups values.
void filterColumns(int16_t* dst, const uint8_t* line, const ColumnFilter& filter);
// dst[i] = sum over t of rows[t][i] * weights[t], rounded and clamped.
void filterRows(uint8_t* dst, const int16_t* const* rows, const int16_t* weights, int taps, size_t count);

// A plane for bilinear sampling at any position; positions are clamped to [minX, maxX] x [minY, maxY].
struct SamplePlane {
  const uint8_t* data = nullptr;
  int32_t stride = 0;
  int32_t minX = 0, maxX = 0, minY = 0, maxY = 0;
  int32_t lastOffset = 0;  // the largest offset from which 4 bytes may be read
};

// Samples at (x, y), (x + stepX, y + stepY), …; all 16.16, sample centres at integers. The samples at offset
// (aheadX, aheadY) are prefetched for later rows.
struct SampleWalk {
  int32_t x = 0, y = 0, stepX = 0, stepY = 0;
  int32_t aheadX = 0, aheadY = 0;
};
void sampleRow(uint8_t* dst, const SamplePlane& plane, const SampleWalk& walk, size_t count);
// The position after `count` steps. Wraps like the vector versions do: steps of hundreds of samples, in
// images too small for mip levels, leave the range of 16.16 far outside the image.
constexpr int32_t advanced(int32_t position, int32_t step, int32_t count) {
  return static_cast<int32_t>(static_cast<uint32_t>(position) +
                              static_cast<uint32_t>(step) * static_cast<uint32_t>(count));
}

// Averages 2x2 samples; `count` outputs from 2 * count inputs.
void halveRows(uint8_t* dst, const uint8_t* top, const uint8_t* bottom, size_t count);

// Scalar versions that define the results bit for bit.
namespace reference {
void filterColumns(int16_t* dst, const uint8_t* line, const ColumnFilter& filter);
void filterRows(uint8_t* dst, const int16_t* const* rows, const int16_t* weights, int taps, size_t count);
void sampleRow(uint8_t* dst, const SamplePlane& plane, const SampleWalk& walk, size_t count);
void halveRows(uint8_t* dst, const uint8_t* top, const uint8_t* bottom, size_t count);
}  // namespace reference

}  // namespace framewright::kernels
