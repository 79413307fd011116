#include "compositor/changes/frame_history.h"

#include <algorithm>
#include <atomic>

namespace framewright {
namespace {

// Shared by all compositors, so that their values never collide.
std::atomic<uint64_t> lastContents{0};

}  // namespace

std::vector<PixelRect> FrameHistory::between(uint64_t older, uint64_t newer, const CanvasSize& canvas) const {
  const auto find = [&](uint64_t contents) {
    return std::find_if(steps_.begin(), steps_.end(),
                        [&](const Step& step) { return step.contents == contents; });
  };
  const auto from = find(older), to = find(newer);
  if (older == 0 || newer == 0 || from == steps_.end() || to == steps_.end() || to < from)
    return {canvas.pixels()};
  std::vector<PixelRect> parts;
  for (auto step = from; step != to;) {
    ++step;
    parts.insert(parts.end(), step->parts.begin(), step->parts.end());
  }
  // Consecutive frames often change the same region.
  std::sort(parts.begin(), parts.end(),
            [](const PixelRect& a, const PixelRect& b) { return a.area() > b.area(); });
  std::vector<PixelRect> left;
  for (const PixelRect& part : parts) {
    const bool isCovered = std::any_of(
        left.begin(), left.end(), [&](const PixelRect& other) { return bounding(part, other) == other; });
    if (!isCovered) left.push_back(part);
  }
  return left;
}

void FrameHistory::continueFrom(uint64_t contents) {
  if (steps_.empty() || contents == 0 || steps_.back().contents != contents) steps_.clear();
}

uint64_t FrameHistory::add(const std::vector<PixelRect>& parts) {
  const uint64_t contents = ++lastContents;
  if (steps_.size() == kMaxFrames) steps_.pop_front();
  steps_.push_back({contents, parts});
  return contents;
}

}  // namespace framewright
