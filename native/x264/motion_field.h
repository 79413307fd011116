#pragma once

#include <cstdint>
#include <vector>

#include "kernels/block_difference.h"
#include "x264/lowres_frame.h"

namespace framewright::x264 {

// Motion vector in half samples of lowres frames, which are whole samples of the frame.
struct MotionVector {
  int16_t x = 0;
  int16_t y = 0;

  bool operator==(const MotionVector&) const = default;
};

// Motion vector and inter cost of every block of a frame, in raster order.
struct MotionField {
  std::vector<MotionVector> vectors;
  std::vector<uint16_t> costs;  // SAD units
  int64_t cost = 0;             // sum over all blocks of the cheaper of inter and intra cost
  int intraBlockCount = 0;      // blocks for which intra prediction is cheaper
};

// A motion field of neighbouring frames, whose vectors are scaled by distance / hintDistance.
struct MotionHint {
  const MotionField* field = nullptr;
  int distance = 1;  // frames from the reference to the predicted frame; negative: the reference is later
  int hintDistance = 1;
};

// SAD at or below which a block counts as matched; the search stops.
inline constexpr int kMatchCost = 24;

// Converts the SAD of an inter-predicted block to the scale of intra costs: transforms gain less on it.
constexpr int interCost(int sad) { return sad * 5 / 4; }

// Searches the motion of every block of `frame` in `reference`, which has the same size.
MotionField searchMotion(const LowresFrame& frame, const LowresFrame& reference, const MotionHint& hint);

// The block of `reference` that `vector` points to from the block at (column, row).
inline kernels::BlockPair blockAt(const LowresFrame& reference, int column, int row, MotionVector vector) {
  const int x = 2 * column * LowresFrame::kBlock + vector.x, y = 2 * row * LowresFrame::kBlock + vector.y;
  const uint8_t* first = reference.at(x >> 1, y >> 1);
  return {first, first + (x & 1) + (y & 1) * reference.stride(), reference.stride()};
}

}  // namespace framewright::x264
