#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bitstream/h264/bits.h"

namespace framewright::h264 {

enum UnitType { kSlice = 1, kIdrSlice = 5, kSequence = 7, kPicture = 8 };

inline int typeOf(std::span<const uint8_t> unit) { return unit.empty() ? 0 : unit[0] & 31; }
inline int referenceLevelOf(std::span<const uint8_t> unit) { return unit.empty() ? 0 : unit[0] >> 5 & 3; }

// A rectangle that the coded picture is cut to, in the stream's own units.
struct Cropping {
  uint32_t left = 0, right = 0, top = 0, bottom = 0;
  bool operator==(const Cropping&) const = default;
};

// What slice headers depend on; of 8-bit 4:2:0 streams with whole frames, one slice group, and pictures that
// are ordered by pic_order_cnt_lsb or come as they are shown.
struct StreamHeaders {
  int profile = 0, constraints = 0, level = 0;
  int frameNumBits = 0;
  bool reorders = true;  // pic_order_cnt_type 0; without it type 2: as decoded
  int orderBits = 0;     // of pic_order_cnt_lsb
  int references = 0;    // pictures that a decoder keeps
  uint32_t columns = 0, rows = 0;
  int macroblocks = 0;  // of a picture
  Cropping cropping;
  size_t usabilityAt = 0;  // bits before vui_parameters_present_flag in the unescaped unit
  int pictureId = 0;       // of the picture parameter set
  bool cabac = true;
  bool bottomOrder = false;  // slices have delta_pic_order_cnt_bottom
  int listLength = 1;        // reference pictures of list 0 and 1, unless a slice says otherwise
  int secondListLength = 1;
  bool weighted = false;  // explicit weights in P slices
  int weightedB = 0;
  int startQp = 26;
  bool deblockingControl = false;
  bool redundantPictures = false;

  // Whether pictures can be put in and counters moved on.
  bool canBeStretched() const { return cabac && reorders && !bottomOrder; }
};

// Of the parameter sets in `extradata` (Annex B); nothing when the stream is of another kind.
std::optional<StreamHeaders> readStreamHeaders(std::span<const uint8_t> extradata);

struct SliceHeader {
  bool isIdr = false;
  bool isReference = false;
  uint32_t firstMacroblock = 0;
  int type = 0;  // 0 P, 1 B, 2 I
  uint32_t frameNum = 0;
  bool dropsPictures = false;  // a key frame: what is decoded and not yet shown never will be
  int quantiser = 0;
  uint32_t order = 0;  // pic_order_cnt_lsb
  // Pictures that are no longer needed: how many reference pictures ago they were decoded. Absent: the oldest
  // leaves when there is no more room.
  std::optional<std::vector<uint32_t>> removals;
  // In bits from the start of the unescaped unit.
  size_t pictureIdAt = 0, frameNumAt = 0, orderAt = 0, markingAt = 0, markingEnd = 0, end = 0;
};

// `unit` unescaped; nothing when it is not understood.
std::optional<SliceHeader> readSliceHeader(std::span<const uint8_t> unit, const StreamHeaders& headers);

// The unit with other counters and removals; those of a key frame stay.
Bytes withHeader(Bytes unit, const SliceHeader& from, const SliceHeader& to, const StreamHeaders& headers);

// The unit as a part of a stream whose picture parameter set has another id.
Bytes withPictureId(const Bytes& unit, const SliceHeader& slice, const StreamHeaders& headers, int id);

}  // namespace framewright::h264
