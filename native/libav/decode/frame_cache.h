#pragma once

#include <algorithm>
#include <deque>
#include <utility>

#include "core/image.h"

namespace framewright {

// The most recently used frames of a file by index: at least one, up to 64 MiB as RGBA. Not thread-safe.
class FrameCache {
 public:
  // Null: not cached.
  ImagePtr find(size_t index) {
    const auto found =
        std::find_if(frames_.begin(), frames_.end(), [&](const auto& frame) { return frame.first == index; });
    if (found == frames_.end()) return nullptr;
    std::rotate(frames_.begin(), found, found + 1);
    return frames_.front().second;
  }

  void store(size_t index, const ImagePtr& image) {
    const size_t bytes = static_cast<size_t>(image->width()) * static_cast<size_t>(image->height()) * 4;
    const size_t maxCount = std::max<size_t>(1, (size_t{64} << 20) / bytes);
    while (frames_.size() >= maxCount) frames_.pop_back();
    frames_.emplace_front(index, image);
  }

 private:
  std::deque<std::pair<size_t, ImagePtr>> frames_;  // latest first
};

}  // namespace framewright
