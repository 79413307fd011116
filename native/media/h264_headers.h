#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "media/h264_bits.h"

namespace framewright::h264 {

enum UnitType { kSlice = 1, kIdrSlice = 5, kSequence = 7, kPicture = 8 };

inline int typeOf(std::span<const uint8_t> unit) { return unit.empty() ? 0 : unit[0] & 31; }
inline int referenceLevelOf(std::span<const uint8_t> unit) { return unit.empty() ? 0 : unit[0] >> 5 & 3; }

// What slice headers depend on; of streams with CABAC, whole frames, one slice group and pictures ordered by
// pic_order_cnt_lsb.
struct StreamHeaders {
  int frameNumBits = 0;
  int orderBits = 0;    // of pic_order_cnt_lsb
  int references = 0;   // pictures that a decoder keeps
  int macroblocks = 0;  // of a picture
  int pictureId = 0;    // of the picture parameter set
  int listLength = 1;   // reference pictures of list 0 and 1, unless a slice says otherwise
  int secondListLength = 1;
  bool weighted = false;  // explicit weights in P slices
  int weightedB = 0;
  int startQp = 26;
  bool deblockingControl = false;
  bool redundantPictures = false;
};

// Of the parameter sets in `extradata` (Annex B); nothing when the stream is of another kind.
std::optional<StreamHeaders> readStreamHeaders(std::span<const uint8_t> extradata);

struct SliceHeader {
  bool isIdr = false;
  bool isReference = false;
  int type = 0;  // 0 P, 1 B, 2 I
  uint32_t frameNum = 0;
  uint32_t order = 0;  // pic_order_cnt_lsb
  // Pictures that are no longer needed: how many reference pictures ago they were decoded. Absent: the oldest
  // leaves when there is no more room.
  std::optional<std::vector<uint32_t>> removals;
  // In bits from the start of the unescaped unit.
  size_t frameNumAt = 0, orderAt = 0, markingAt = 0, markingEnd = 0, end = 0;
};

// `unit` unescaped; nothing when it is not understood.
std::optional<SliceHeader> readSliceHeader(std::span<const uint8_t> unit, const StreamHeaders& headers);

// The unit with other counters and removals; those of a key frame stay.
Bytes withHeader(Bytes unit, const SliceHeader& from, const SliceHeader& to, const StreamHeaders& headers);

}  // namespace framewright::h264
