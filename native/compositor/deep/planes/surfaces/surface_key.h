#pragma once

#include "compositor/deep/planes/surfaces/straight_planes.h"
#include "compositor/plan/effects/difference_plan.h"

namespace framewright {

// Chroma key of a surface, as that of the compositor of 8 bits. Reuses its buffers; used by one thread.
class SurfaceKeyer {
 public:
  void apply(PlaneSurface& surface, const ChromaKey& key);

 private:
  // The blocks before and after a chroma sample, and the share of the latter.
  struct BlockPair {
    int before, after;
    float share;
  };
  static BlockPair pairOf(int sample, int block, int blocks);

  void keyGrey(PlaneSurface& surface, const ChromaKey& key);
  void keyColour(PlaneSurface& surface, const ChromaKey& key);
  // Fills levels_: the brightness of the screen in each block.
  void measure(const PlaneSurface& surface, const DifferencePlan& plan);
  // The brightness of the screen at the chroma samples of a row.
  void interpolate(int row, float* level) const;
  // Keeps the visible share of a pair of rows.
  void keepVisible(PlaneSurface& surface, int k);

  StraightPlanes chroma_;
  ScreenGrid grid_{};
  std::vector<ScreenBlock> blocks_;
  std::vector<BlockPair> columns_;  // of each chroma sample
  std::vector<float> levels_, line_, level_, lumaLevel_;
  std::vector<int32_t> shares_;
  std::vector<int16_t> luma_, cb_, cr_;
  std::vector<uint16_t> visible_[2], visibleChroma_;  // of two rows
};

}  // namespace framewright
