#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/cancel_token.h"
#include "x264/packet_copy/copied_stretch.h"

namespace framewright {

// What a film that is joined from others allows.
struct CopyRules {
  h264::StreamHeaders own;  // of the encoder that makes what is not copied
  int reordered = 0;        // pictures by which its decoding runs ahead of showing
  size_t fewestFrames = 1;
  // What is much better than an encode would be is much larger: the quantiser of its slices, by their bytes.
  // Whatever that is, a frame of few bytes is taken, and one of too many is not.
  double leastQuantiser = 0;
  double fewBytes = 0, mostBytes = 0;
};

// A video file whose pictures may be taken as they are coded. Nothing that it says is believed: times, key
// frames, the order of pictures and the counters that refer to others are looked at packet by packet. Used by
// one thread.
class CopySource {
 public:
  // Null when the file is of another kind: no H.264 with one pair of parameter sets, another size, turned.
  static std::unique_ptr<CopySource> open(const std::string& path, const CopyRules& rules,
                                          const CancelToken& cancel);
  virtual ~CopySource() = default;

  // As VideoDecoder::endUs().
  virtual int64_t endUs() const = 0;
  // The first stretch of frames, shown at ascending `timesUs`, that shows one picture of the file after the
  // other and can be copied: from a key frame on to where no picture in it or behind it needs one of the
  // other side, or `mostBytes` are reached. Null when there is none.
  virtual std::unique_ptr<CopiedStretch> stretch(std::span<const int64_t> timesUs, int64_t mostBytes) = 0;
};

}  // namespace framewright
