#pragma once

#include <cstdint>
#include <vector>

#include "compositor/plan/coverage.h"
#include "compositor/plan/transitions/transition_masks.h"

namespace framewright {

// The mask of a transition as weights of pixels. Reuses the pattern of the frame before; used by one thread.
class MaskWeights {
 public:
  void begin(const TransitionMask& mask, const CanvasSize& canvas);
  // Q15 weights of a row, as many as the canvas has columns.
  void write(int y, uint16_t* weights) const;

 private:
  MaskShape shape_ = MaskShape::kColumns;
  CanvasSize canvas_;
  RectCoverage inside_;
  std::vector<uint16_t> pattern_, steps_;
  TransitionPattern patternOf_;
  CanvasSize patternSize_;
};

}  // namespace framewright
