#pragma once

#include <vector>

#include "compositor/cpu/effects/erase_rows.h"
#include "compositor/cpu/effects/straight_chroma.h"
#include "compositor/plan/effects/difference_plan.h"

namespace framewright {

// The blocks before and after a sample, and the share of the latter.
struct BlockNeighbours {
  int before, after;
  float share;
};

// A colour difference key that adapts to the light on the screen: its brightness is measured in blocks and
// interpolated. Used by one thread.
class DifferenceKeyer {
 public:
  // `chroma`: of the surface.
  void apply(const Surface& surface, const ChromaKey& key, const StraightChroma& chroma, EraseBuffers& rows);

 private:
  // Fills levels_: the brightness of the screen in each block.
  void measure(const StraightChroma& chroma, const ImagePlanes& planes, const DifferencePlan& plan);
  // Fills blocks_: the brightness of each block's brightest samples.
  void measureBlocks(const StraightChroma& chroma, const ImagePlanes& planes, const DifferencePlan& plan);
  // The brightness of the screen at the chroma samples of a row.
  void interpolate(int row, float* level) const;

  ScreenGrid grid_{};
  std::vector<ScreenBlock> blocks_;
  std::vector<BlockNeighbours> columns_;  // of each chroma sample
  std::vector<float> levels_, line_, level_, lumaLevel_;
  std::vector<int32_t> shares_;
  std::vector<uint8_t> y_, u_, v_;
};

}  // namespace framewright
