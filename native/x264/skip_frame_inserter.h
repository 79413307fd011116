#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <span>

#include "bitstream/h264/headers.h"
#include "bitstream/h264/skip_frame.h"
#include "core/result.h"

namespace framewright::x264 {

// Repeats frames of an H.264 stream. The encoder codes every frame of a still span once; this class inserts P
// skip frames after it and advances frame_num and POC in the slices that follow. To a decoder the last skip
// frame takes the place of the encoder's own frame, with the same samples, so nothing else changes.
//
// This requires that frames after the span refer to nothing before it: the encoder uses one reference per
// direction, or the next frame is an IDR frame. Used by one thread.
class SkipFrameInserter {
 public:
  // One coded frame of the output; `data` is valid during the call of the sink only.
  struct AccessUnit {
    std::span<const uint8_t> data;  // Annex B
    int64_t displayIndex = 0;
    int64_t decodeIndex = 0;
    bool isIdr = false;
  };
  using Sink = std::function<Status(const AccessUnit&)>;

  SkipFrameInserter(const h264::StreamHeaders& headers, Sink sink);

  // Repeats the encoder's frame at `displayIndex` for `count` more frames. If it is an IDR frame, it is sent
  // again every `idrInterval` frames. Call it before the encoder outputs the frame.
  void insertAfter(int64_t displayIndex, int64_t count, int64_t idrInterval);
  // Takes the encoder's next access unit; `displayIndex` counts the encoder's own frames. Fails with
  // ENCODE_FAILED when the stream breaks the requirements above, or as the sink fails.
  Status push(std::span<const uint8_t> data, int64_t displayIndex, bool isIdr);

 private:
  struct Insertion {
    int64_t displayIndex = 0, count = 0, idrInterval = 0;
  };

  Result<h264::SliceHeader> rewriteCounters(std::span<const uint8_t> data);
  Status insertSkipFrames(const Insertion& insertion, std::span<const uint8_t> data,
                          const h264::SliceHeader& first);
  Status emit(std::span<const uint8_t> data, int64_t displayIndex, bool isIdr);
  h264::SliceHeader shifted(const h264::SliceHeader& slice) const;
  void updateReferences(const h264::SliceHeader& slice);

  const h264::StreamHeaders headers_;
  const h264::SkipFrameWriter skipFrameWriter_;
  const Sink sink_;
  std::deque<Insertion> insertions_;  // not reached yet
  int64_t pushedCount_ = 0, emittedCount_ = 0, insertedCount_ = 0;
  uint32_t frameNumShift_ = 0, pocShift_ = 0;
  // Decode indices of the reference frames in the decoder's buffer, oldest first.
  std::deque<int64_t> references_;
  int64_t decodedReferenceCount_ = 0;
  int64_t lastSkipFrame_ = -1;  // decode index of the last skip frame since the IDR frame
  h264::Bytes rewritten_;
};

}  // namespace framewright::x264
