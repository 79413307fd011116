#include "kernels/block_difference.h"

#include <random>
#include <vector>

#include <doctest/doctest.h>

using namespace framewright::kernels;

TEST_CASE("block differences equal the scalar version") {
  std::mt19937 random(7);
  constexpr int kStride = 41;
  std::vector<uint8_t> ours(kStride * 16), theirs(kStride * 32);
  for (int round = 0; round < 200; ++round) {
    // Every fifth round uses extreme values only.
    const bool extreme = round % 5 == 0;
    for (auto* samples : {&ours, &theirs})
      for (uint8_t& sample : *samples)
        sample = static_cast<uint8_t>(extreme ? (random() % 2) * 255 : random() % 256);
    const auto at = [&](int x, int y) { return theirs.data() + y * kStride + x; };
    const int x = static_cast<int>(random() % 16), y = static_cast<int>(random() % 10);
    const BlockRows block{ours.data() + random() % 16, kStride};
    const BlockPair whole{at(x, y), at(x, y), kStride};
    const BlockPair before{at(x, y), at(x + static_cast<int>(random() % 2), y + 1), kStride};
    const BlockPair after{at(x + 9, y + 3), at(x + 10, y + 3), kStride};
    CHECK(blockDifference(block, BlockRows{at(x, y), kStride}) == reference::blockDifference(block, whole));
    CHECK(blockDifference(block, whole) == reference::blockDifference(block, whole));
    CHECK(blockDifference(block, before) == reference::blockDifference(block, before));
    CHECK(blockDifference(block, before, after) == reference::blockDifference(block, before, after));
  }
}
