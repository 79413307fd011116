#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/cancel_token.h"
#include "x264/packet_copy/copyable_range.h"

namespace framewright::x264 {

// What a movie requires of copied frames.
struct CopyRules {
  h264::StreamHeaders encoder;  // of the encoder of all other frames
  int reorderFrames = 0;        // frames by which decoding runs ahead of display
  size_t minFrames = 1;
  // A source coded much better than our encoder would code it is too large to copy: its mean slice QP,
  // weighted by bytes, must reach minQp. Sources below freeBytes per frame are always copied, those above
  // maxBytes never.
  double minQp = 0;
  double freeBytes = 0, maxBytes = 0;
};

// A video file to copy coded frames from. Nothing in the file is trusted: timestamps, key frame flags, frame
// order and reference counters are checked packet by packet. Used by one thread.
class CopySource {
 public:
  // Null for files that cannot be copied from: not H.264, several parameter sets, another frame size,
  // rotated. `cancel` must outlive the source.
  static std::unique_ptr<CopySource> open(const std::string& path, const CopyRules& rules,
                                          const CancelToken& cancel);
  virtual ~CopySource() = default;

  // End of the video, as VideoDecoder::endUs().
  virtual int64_t endUs() const = 0;
  // Finds the first run of requested frames, displayed at the ascending `timesUs`, that shows consecutive
  // frames of the file from an IDR frame on, up to a point that no prediction crosses or `maxBytes`. Null
  // when there is none.
  virtual std::unique_ptr<CopyableRange> findRange(std::span<const int64_t> timesUs, int64_t maxBytes) = 0;
};

}  // namespace framewright::x264
