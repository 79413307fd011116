#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "compositor/plan/pixel_rect.h"

namespace framewright {

// Records the regions changed by recent frames, so that only these are copied when a buffer is reused. Used
// by one thread.
class FrameHistory {
 public:
  // Regions in which frames `older` and `newer` (Image::contents) may differ; the whole canvas if unknown.
  std::vector<PixelRect> between(uint64_t older, uint64_t newer, const CanvasSize& canvas) const;
  // The next added frame is relative to `contents` instead of the last added one.
  void continueFrom(uint64_t contents);
  // Adds a frame and returns its Image::contents.
  uint64_t add(const std::vector<PixelRect>& parts);

 private:
  static constexpr size_t kMaxFrames = 24;  // more frames than an encoder retains

  struct Step {
    uint64_t contents;
    std::vector<PixelRect> parts;  // changed since the previous frame
  };
  std::deque<Step> steps_;
};

}  // namespace framewright
