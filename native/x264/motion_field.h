#pragma once

#include <cstdint>
#include <vector>

#include "kernels/block_difference.h"
#include "x264/lowres_frame.h"

namespace framewright {

// In half samples of small pictures, which are whole samples of the picture.
struct MotionVector {
  int16_t x = 0;
  int16_t y = 0;

  bool operator==(const MotionVector&) const = default;
};

// Where each block of a picture comes from in another one, and how much is left of it then.
struct MotionField {
  std::vector<MotionVector> vectors;
  std::vector<uint16_t> costs;
  int64_t cost = 0;   // of all blocks, each coded from the other picture or on its own, whichever costs less
  int ownBlocks = 0;  // that cost less on their own
};

// A field that is known, of pictures near, and how many times as far apart those of the new one are.
struct MotionHint {
  const MotionField* field = nullptr;
  int distance = 1;  // from the picture to the other one, in pictures; negative: the other comes later
  int hintDistance = 1;
};

// Below this a block is as good as the same; nobody looks further.
inline constexpr int kSameCost = 24;

// What a difference that motion leaves costs, as against one from neighbours in the picture: transforms make
// less of it.
constexpr int motionCost(int difference) { return difference * 5 / 4; }

// Both pictures have the same size.
MotionField searchMotion(const SmallPicture& picture, const SmallPicture& other, const MotionHint& hint);

// The block of `other` that `vector` leads to from the one at (column, row).
inline kernels::BlockPair blockAt(const SmallPicture& other, int column, int row, MotionVector vector) {
  const int x = 2 * column * SmallPicture::kBlock + vector.x, y = 2 * row * SmallPicture::kBlock + vector.y;
  const uint8_t* first = other.at(x >> 1, y >> 1);
  return {first, first + (x & 1) + (y & 1) * other.stride(), other.stride()};
}

}  // namespace framewright
