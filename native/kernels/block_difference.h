#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <hwy/highway.h>

// Sums of absolute differences (SAD) of 8x8 blocks. Inline with the baseline instruction set: a call would
// cost as much as the sum. Pure; any thread.
namespace framewright::kernels {

inline constexpr int kBlockSide = 8;

// Rows of samples in a plane.
struct BlockRows {
  const uint8_t* data = nullptr;
  ptrdiff_t stride = 0;
};

// A block at half-sample position: the mean, rounded up, of two blocks at most one sample apart. Equal
// blocks: a whole-sample position.
struct BlockPair {
  const uint8_t* first = nullptr;
  const uint8_t* second = nullptr;
  ptrdiff_t stride = 0;
};

// Scalar versions that define the results.
namespace reference {

inline int meanAt(const BlockPair& pair, int x, int y) {
  return (pair.first[y * pair.stride + x] + pair.second[y * pair.stride + x] + 1) >> 1;
}

inline int blockDifference(const BlockRows& block, const BlockPair& other) {
  int sum = 0;
  for (int y = 0; y < kBlockSide; ++y)
    for (int x = 0; x < kBlockSide; ++x)
      sum += std::abs(block.data[y * block.stride + x] - meanAt(other, x, y));
  return sum;
}

inline int blockDifference(const BlockRows& block, const BlockPair& before, const BlockPair& after) {
  int sum = 0;
  for (int y = 0; y < kBlockSide; ++y)
    for (int x = 0; x < kBlockSide; ++x) {
      const int mean = (meanAt(before, x, y) + meanAt(after, x, y) + 1) >> 1;
      sum += std::abs(block.data[y * block.stride + x] - mean);
    }
  return sum;
}

}  // namespace reference

#if HWY_TARGET == HWY_SCALAR

using reference::blockDifference;

#else

namespace blocks {

namespace hn = hwy::HWY_NAMESPACE;
using Row = hn::FixedTag<uint8_t, 8>;
using TwoRows = hn::FixedTag<uint8_t, 16>;

inline auto load(const uint8_t* data, ptrdiff_t stride) {
  return hn::Combine(TwoRows(), hn::LoadU(Row(), data + stride), hn::LoadU(Row(), data));
}

inline auto load(const BlockPair& pair, ptrdiff_t offset) {
  return hn::AverageRound(load(pair.first + offset, pair.stride), load(pair.second + offset, pair.stride));
}

template <class Other>
int difference(const BlockRows& block, Other other) {
  const hn::Repartition<uint64_t, TwoRows> sums;
  auto sum = hn::Zero(sums);
  for (int y = 0; y < kBlockSide; y += 2) {
    const auto ours = load(block.data + y * block.stride, block.stride);
    const auto theirs = other(y);
    // One of the two differences is 0.
    const auto difference = hn::Or(hn::SaturatedSub(ours, theirs), hn::SaturatedSub(theirs, ours));
    sum = hn::Add(sum, hn::SumsOf8(difference));
  }
  return static_cast<int>(hn::GetLane(hn::SumOfLanes(sums, sum)));
}

}  // namespace blocks

inline int blockDifference(const BlockRows& block, const BlockPair& other) {
  return blocks::difference(block, [&](int y) { return blocks::load(other, y * other.stride); });
}

// SAD against the mean of two blocks.
inline int blockDifference(const BlockRows& block, const BlockPair& before, const BlockPair& after) {
  return blocks::difference(block, [&](int y) {
    return blocks::hn::AverageRound(blocks::load(before, y * before.stride),
                                    blocks::load(after, y * after.stride));
  });
}

#endif

// SAD against a block at a whole-sample position.
inline int blockDifference(const BlockRows& block, const BlockRows& other) {
#if HWY_TARGET == HWY_SCALAR
  return reference::blockDifference(block, BlockPair{other.data, other.data, other.stride});
#else
  return blocks::difference(block,
                            [&](int y) { return blocks::load(other.data + y * other.stride, other.stride); });
#endif
}

}  // namespace framewright::kernels
