#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "compositor/plan/quad_coverage.h"

namespace framewright {

// Which regions changed between the last frames, so that a reused buffer is updated by copying only those.
// Used by one thread.
class FrameHistory {
 public:
  // Regions in which the frame with contents `older` may differ from that with `newer` (Image::contents); the
  // whole canvas when that is unknown.
  std::vector<PixelRect> between(uint64_t older, uint64_t newer, const CanvasSize& canvas) const;
  // The next frame to be added differs from the frame `contents` in its regions; by default from the one
  // added last.
  void continueFrom(uint64_t contents);
  // Adds a frame and returns its Image::contents.
  uint64_t add(const std::vector<PixelRect>& parts);

 private:
  static constexpr size_t kMaxFrames = 24;  // more than an encoder keeps

  struct Step {
    uint64_t contents;
    std::vector<PixelRect> parts;  // that differ from the frame before
  };
  std::deque<Step> steps_;
};

}  // namespace framewright
