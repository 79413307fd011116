#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "core/image.h"
#include "libav/av_handle.h"
#include "libav/decode/deinterlacer.h"

namespace framewright {

// A decoded frame or field of a video.
struct TimedFrame {
  SharedFrame frame;
  int64_t timeUs = 0;
  std::optional<Field> field;  // of `frame`, to be shown instead of all of it
};

// The decoded frames before a time, for playing backwards: as many as fit into 256 MiB, at least two. Not
// thread-safe.
class DecodedFrames {
 public:
  struct Entry {
    TimedFrame frame;
    ImagePtr image;  // null until needed
  };

  // The frame at a time; drops later ones. Null: it is not among them.
  Entry* find(int64_t timeUs) {
    if (entries_.empty() || timeUs < entries_.front().frame.timeUs || timeUs > untilUs_) return nullptr;
    const auto after = std::upper_bound(entries_.begin(), entries_.end(), timeUs,
                                        [](int64_t time, const Entry& e) { return time < e.frame.timeUs; });
    if (after != entries_.end()) {
      untilUs_ = after->frame.timeUs - 1;
      later_ = std::move(*after);
    }
    entries_.erase(after, entries_.end());
    return &entries_.back();
  }

  // Frames come in order.
  void add(const TimedFrame& frame) {
    entries_.push_back({frame, nullptr});
    size_t bytes = 1;
    for (const AVBufferRef* buffer : frame.frame->buf) bytes += buffer == nullptr ? 0 : buffer->size;
    const size_t maxCount = std::max<size_t>(2, (size_t{256} << 20) / bytes);
    while (entries_.size() > maxCount) entries_.pop_front();
  }

  // After the last add(): no frame lies between the last one and `timeUs`. `later`: the next one, if any.
  void finish(int64_t timeUs, const TimedFrame& later) {
    untilUs_ = timeUs;
    later_ = {later, nullptr};
  }

  // The frame after the one that find() has returned; without a frame at the end of the video.
  Entry& later() { return later_; }

  void clear() {
    entries_.clear();
    later_ = {};
  }

 private:
  std::deque<Entry> entries_;
  Entry later_;
  int64_t untilUs_ = 0;
};

}  // namespace framewright
