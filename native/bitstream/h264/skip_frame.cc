#include "bitstream/h264/skip_frame.h"

#include <algorithm>
#include <array>

namespace framewright::h264 {
namespace {

// The QP at which mb_skip_flag starts with the highest probability. Nothing is quantised, so QP has no other
// effect.
constexpr int kQp = 51;
// Clause 9.3.1.1 for ctxIdx 11 (m 23, n 33, cabac_init_idc 0) at that QP: pStateIdx 42, valMPS 1.
constexpr int kFirstState = (23 * kQp >> 4) + 33 - 64;
constexpr int kLastState = 62;
static_assert(kFirstState == 42);

// rangeTabLPS (table 9-44) from that state on.
constexpr std::array<std::array<uint8_t, 4>, kLastState - kFirstState + 1> kRangeLps{{
    {16, 20, 23, 27}, {15, 19, 22, 25}, {14, 18, 21, 24}, {14, 17, 20, 23}, {13, 16, 19, 22},
    {12, 15, 18, 21}, {12, 14, 17, 20}, {11, 14, 16, 19}, {11, 13, 15, 18}, {10, 12, 15, 17},
    {10, 12, 14, 16}, {9, 11, 13, 15},  {9, 11, 12, 14},  {8, 10, 12, 14},  {8, 9, 11, 13},
    {7, 9, 11, 12},   {7, 9, 10, 12},   {7, 8, 10, 11},   {6, 8, 9, 11},    {6, 7, 9, 10},
    {6, 7, 8, 9},
}};

// The CABAC encoder of clause 9.3.4.2, restricted to most probable symbols.
class MpsCoder {
 public:
  explicit MpsCoder(BitWriter& out) : out_(out) {}

  void encodeMps(int& state) {
    range_ -= kRangeLps[static_cast<size_t>(state - kFirstState)][range_ >> 6 & 3];
    state = std::min(state + 1, kLastState);
    renormalise();
  }

  void terminate(bool last) {
    range_ -= 2;
    if (last) {
      low_ += range_;
      range_ = 2;
    }
    renormalise();
    if (!last) return;
    put(low_ >> 9 & 1);
    out_.bits((low_ >> 7 & 3) | 1, 2);  // includes rbsp_stop_one_bit
  }

 private:
  void renormalise() {
    while (range_ < 256) {
      if (low_ < 256) {
        put(0);
      } else if (low_ >= 512) {
        low_ -= 512;
        put(1);
      } else {
        low_ -= 256;
        ++outstanding_;
      }
      range_ <<= 1;
      low_ <<= 1;
    }
  }

  void put(uint32_t bit) {
    if (first_) {
      first_ = false;
    } else {
      out_.bits(bit, 1);
    }
    for (; outstanding_ > 0; --outstanding_) out_.bits(1 - bit, 1);
  }

  BitWriter& out_;
  uint32_t low_ = 0, range_ = 510;
  int64_t outstanding_ = 0;
  bool first_ = true;
};

Bytes encodeSkipFlags(int count) {
  BitWriter out;
  MpsCoder coder(out);
  int state = kFirstState;
  for (int i = 0; i < count; ++i) {
    coder.encodeMps(state);
    coder.terminate(i + 1 == count);
  }
  return out.take();
}

}  // namespace

SkipFrameWriter::SkipFrameWriter(const StreamHeaders& headers)
    : headers_(headers), sliceData_(encodeSkipFlags(headers.macroblockCount)) {}

Bytes SkipFrameWriter::write(uint32_t frameNum, uint32_t order) const {
  BitWriter out;
  out.bits(2 << 5 | kSlice, 8);
  out.ue(0);  // first_mb_in_slice
  out.ue(5);  // slice_type: all slices of the picture are P
  out.ue(static_cast<uint32_t>(headers_.ppsId));
  out.bits(frameNum, headers_.frameNumBits);
  out.bits(order, headers_.pocLsbBits);
  if (headers_.hasRedundantPicCnt) out.ue(0);
  out.flag(headers_.refCountL0 != 1);
  if (headers_.refCountL0 != 1) out.ue(0);
  out.flag(false);  // ref_pic_list_modification_flag_l0: reference 0 is the preceding reference picture
  if (headers_.isWeightedPred) {
    out.ue(0);
    out.ue(0);
    out.bits(0, 2);
  }
  out.flag(false);  // adaptive_ref_pic_marking_mode_flag: sliding window
  out.ue(0);        // cabac_init_idc
  out.se(kQp - headers_.initQp);
  if (headers_.hasDeblockingControl) out.ue(1);
  while (!out.isAligned()) out.flag(true);
  Bytes slice = out.take();
  slice.insert(slice.end(), sliceData_.begin(), sliceData_.end());
  Bytes unit;
  unit.reserve(slice.size() + 8);
  appendNal(unit, slice);
  return unit;
}

}  // namespace framewright::h264
