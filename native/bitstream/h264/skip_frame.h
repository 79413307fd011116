#pragma once

#include <cstdint>

#include "bitstream/h264/bits.h"
#include "bitstream/h264/headers.h"

namespace framewright::h264 {

// Writes pictures that repeat the reference picture before them: one P slice whose macroblocks are all
// skipped (motion 0 from reference 0, no residual). What they show is bit for bit the picture before.
class SkipPictures {
 public:
  explicit SkipPictures(const StreamHeaders& headers);

  // An access unit (Annex B). It is itself a reference picture: pic_order_cnt_lsb is counted from the last
  // reference, and unused pictures in long runs trip decoders.
  Bytes make(uint32_t frameNum, uint32_t order) const;

 private:
  const StreamHeaders headers_;
  const Bytes macroblocks_;  // the slice's data, the same in every picture
};

}  // namespace framewright::h264
