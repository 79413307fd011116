#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <span>

#include "bitstream/h264/headers.h"
#include "bitstream/h264/skip_frame.h"
#include "core/result.h"

namespace framewright {

// Lengthens pictures of an H.264 stream. The encoder sees every picture of a still span once; here skip
// pictures are put in after it, and the counters in the slices behind them are moved on. To a decoder the
// last skip picture stands where the encoder's own picture stood, with the same samples, so nothing else
// changes.
//
// That holds as long as pictures behind the span refer to nothing from before it: the encoder works with one
// reference per direction, or the next picture is an IDR. Used by one thread.
class StillStretcher {
 public:
  // `shown` and `decoded`: positions of an access unit in the order of showing and of decoding.
  struct Unit {
    std::span<const uint8_t> data;
    int64_t shown = 0;
    int64_t decoded = 0;
    bool isKey = false;
  };
  using Sink = std::function<Status(const Unit&)>;

  StillStretcher(const h264::StreamHeaders& headers, Sink sink);

  // The picture that the encoder shows at `shown` stays for `extra` more frames, with a key frame at least
  // every `keyInterval` frames if it is one itself. To be called before the picture comes out of the encoder.
  void stretch(int64_t shown, int64_t extra, int64_t keyInterval);
  // The next access unit out of the encoder, `shown` counted in its own frames. Fails with ENCODE_FAILED when
  // the stream is not as it has to be.
  Status take(std::span<const uint8_t> data, int64_t shown, bool isKey);

 private:
  struct Stretch {
    int64_t shown = 0, extra = 0, keyInterval = 0;
  };

  Result<h264::SliceHeader> moveOn(std::span<const uint8_t> data);
  Status addSkipPictures(const Stretch& stretch, std::span<const uint8_t> data,
                         const h264::SliceHeader& first);
  Status give(std::span<const uint8_t> data, int64_t shown, bool isKey);
  h264::SliceHeader movedOn(const h264::SliceHeader& slice) const;
  void keepReferences(const h264::SliceHeader& slice);

  const h264::StreamHeaders headers_;
  const h264::SkipPictures skipPictures_;
  const Sink sink_;
  std::deque<Stretch> stretches_;  // still to come
  int64_t taken_ = 0, given_ = 0;
  int64_t added_ = 0;  // skip pictures so far
  uint32_t frameNumShift_ = 0, orderShift_ = 0;
  // The decoder's reference pictures by the count at which they were decoded, oldest first.
  std::deque<int64_t> references_;
  int64_t referencesDecoded_ = 0;
  int64_t lastSkip_ = -1;  // count of the last skip picture since the key frame
  h264::Bytes moved_;
};

}  // namespace framewright
