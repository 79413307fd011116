#pragma once

#include <cstdint>

#include "bitstream/h264/bits.h"
#include "bitstream/h264/headers.h"

namespace framewright::h264 {

// Writes P pictures in which every macroblock is skipped (P_Skip: zero motion from reference 0, no residual).
// They decode to exactly the samples of the preceding reference picture. Immutable; any thread.
class SkipFrameWriter {
 public:
  // `headers` must support skip frames.
  explicit SkipFrameWriter(const StreamHeaders& headers);

  // Returns one access unit (Annex B). It is a reference picture itself: POC is coded relative to the last
  // reference picture, and long runs of non-reference pictures overflow it in some decoders.
  Bytes write(uint32_t frameNum, uint32_t pocLsb) const;

 private:
  const StreamHeaders headers_;
  const Bytes sliceData_;  // identical in every skip picture
};

}  // namespace framewright::h264
