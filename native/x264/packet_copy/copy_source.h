#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/cancel_token.h"
#include "core/color_tags.h"
#include "core/result.h"
#include "x264/packet_copy/copyable_range.h"

namespace framewright::x264 {

// What a movie requires of copied frames.
struct CopyRules {
  h264::StreamHeaders encoder;  // of the encoder of all other frames
  ColorTags colors;             // of the movie
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
  // Fails for files that cannot be copied from: not H.264, several parameter sets, other colours or another
  // frame size, rotated. Messages are predicates of the file. `cancel` must outlive the source.
  static Result<std::unique_ptr<CopySource>> open(const std::string& path, const CopyRules& rules,
                                                  const CancelToken& cancel);
  // The colours as which the engine shows a file; nothing where a movie's tags do not express them.
  static std::optional<ColorTags> colorsOf(const std::string& path);
  virtual ~CopySource() = default;

  // End of the video, as VideoDecoder::endUs().
  virtual int64_t endUs() const = 0;
  // Finds the first run of requested frames, displayed at the ascending `timesUs`, that shows consecutive
  // frames of the file from an IDR frame on, up to a point that no prediction crosses or `maxBytes`. Frames
  // of variable rate may be up to half a frame from their times. Null when there is none.
  virtual std::unique_ptr<CopyableRange> findRange(std::span<const int64_t> timesUs, int64_t maxBytes) = 0;
  // Why the last findRange() found none, as a predicate of the file.
  virtual const std::string& rejectionReason() const = 0;
};

}  // namespace framewright::x264
