#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/difference_key.h"
#include "timeline/effects.h"

namespace framewright {

// Whether the key's colour has enough chroma for a colour difference key; others are keyed by distance.
bool isColourful(const ChromaKey& key);

// A colour difference key, and the darkest screen that it adapts to, where 1 is the brightness of the key's
// colour.
struct DifferencePlan {
  kernels::DifferenceKey key;
  float minLevel = 1;
};
DifferencePlan planDifferenceKey(const ChromaKey& key);

// Blocks of chroma samples for which the brightness of the screen is measured. At most kMaxScreenBlocks along
// the longer side.
struct ScreenGrid {
  int block, columns, rows;
};
inline constexpr int kMaxScreenBlocks = 16;
ScreenGrid screenGrid(int chromaWidth, int chromaHeight);

// The screen's share of a sample in units that add up exactly, and which shares of a block count as the
// screen alone: their mean is less exposed to noise than the largest one.
inline constexpr int kScreenUnit = 1024;
// Only opaque samples are measured.
inline constexpr int kMinAlpha = 255;
inline int32_t screenShare(float mix) { return static_cast<int32_t>(std::max(mix, 0.0f) * kScreenUnit); }
inline bool isNearLargest(int32_t share, int32_t largest) { return share * 8 >= largest * 7; }
// What is measured in a block: the brightness of the screen, where 1 is that of the key's colour, and its
// luma.
struct ScreenBlock {
  float level = 0, luma = 0;
};
// From the sums over `count` samples of the screen.
inline ScreenBlock screenBlock(int32_t shares, int32_t lumas, int32_t count) {
  return {static_cast<float>(shares) / static_cast<float>(count * kScreenUnit),
          static_cast<float>(lumas) / static_cast<float>(count)};
}

// The brightness of the screen in each block: a smooth surface through the brightest samples of the blocks,
// in which things before the screen have no part. Their blocks have more luma for their chroma than the
// brightest one, or are darker or brighter than most or than their surroundings. Without enough blocks it is
// the median of those of `minLevel` brightness, or 1.
void fitScreen(const ScreenGrid& grid, const ScreenBlock* blocks, float minLevel, float* levels);

}  // namespace framewright
