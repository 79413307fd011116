#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "compositor/cpu/shape.h"

namespace framewright {

// Which parts changed from each of the last frames to the next, so that a used buffer is brought up to date
// by copying those alone. Used by one thread.
class FrameHistory {
 public:
  // Parts in which the frame with contents `older` may differ from that with `newer`, as Image::contents
  // numbers them; the whole canvas where that is not known.
  std::vector<PixelRect> between(uint64_t older, uint64_t newer, const CanvasSize& canvas) const;
  // The frame to be added differs from this one in its parts; without, from the one added last.
  void continueFrom(uint64_t contents);
  // Answers the new frame's number.
  uint64_t add(const std::vector<PixelRect>& parts);

 private:
  static constexpr size_t kMostFrames = 24;  // more than an encoder holds

  struct Step {
    uint64_t contents;
    std::vector<PixelRect> parts;  // that differ from the frame before
  };
  std::deque<Step> steps_;
};

}  // namespace framewright
