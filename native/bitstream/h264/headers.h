#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bitstream/h264/bits.h"

namespace framewright::h264 {

// nal_unit_type values in use here.
enum NalType { kSlice = 1, kIdrSlice = 5, kSps = 7, kPps = 8 };

// nal_unit_type and nal_ref_idc of a NAL unit; 0 for an empty one.
inline int nalType(std::span<const uint8_t> unit) { return unit.empty() ? 0 : unit[0] & 31; }
inline int nalRefIdc(std::span<const uint8_t> unit) { return unit.empty() ? 0 : unit[0] >> 5 & 3; }

// Frame cropping offsets in the units of the SPS.
struct Cropping {
  uint32_t left = 0, right = 0, top = 0, bottom = 0;
  bool operator==(const Cropping&) const = default;
};

// The fields of SPS and PPS that slice headers depend on. Covers 8-bit 4:2:0 progressive streams with one
// slice group and pic_order_cnt_type 0 or 2.
struct StreamHeaders {
  int profile = 0, constraints = 0, level = 0;
  int frameNumBits = 0;
  bool hasPocLsb = true;  // pic_order_cnt_type is 0; with type 2 pictures are displayed in decoding order
  int pocLsbBits = 0;     // length of pic_order_cnt_lsb
  int maxRefFrames = 0;
  uint32_t widthInMbs = 0, heightInMbs = 0;
  int macroblockCount = 0;
  Cropping cropping;
  size_t vuiOffset = 0;  // bit offset of vui_parameters_present_flag in the unescaped SPS
  int ppsId = 0;
  bool isCabac = true;
  bool hasBottomFieldPoc = false;      // slices carry delta_pic_order_cnt_bottom
  int refCountL0 = 1, refCountL1 = 1;  // default reference list lengths
  bool isWeightedPred = false;         // P slices carry explicit weights
  int weightedBipredIdc = 0;
  int initQp = 26;
  bool hasDeblockingControl = false;
  bool hasRedundantPicCnt = false;

  // Whether SkipFrameWriter can write pictures for this stream and slice counters can be rewritten in place.
  bool supportsSkipFrames() const { return isCabac && hasPocLsb && !hasBottomFieldPoc; }
};

// Parses the only SPS and PPS in `extradata` (Annex B); nothing for streams that StreamHeaders does not
// cover.
std::optional<StreamHeaders> readStreamHeaders(std::span<const uint8_t> extradata);

// The beginning of a slice header, with the bit offsets of fields in the unescaped NAL unit.
struct SliceHeader {
  bool isIdr = false;
  bool isReference = false;
  uint32_t firstMacroblock = 0;
  int type = 0;  // 0 P, 1 B, 2 I
  uint32_t frameNum = 0;
  bool noOutputOfPriorPics = false;
  int qp = 0;
  uint32_t pocLsb = 0;
  // References marked "unused for reference" (memory_management_control_operation 1), as the distance in
  // decoded reference pictures. Absent: sliding window.
  std::optional<std::vector<uint32_t>> unmarkedReferences;
  size_t ppsIdOffset = 0, frameNumOffset = 0, pocOffset = 0, markingOffset = 0, markingEnd = 0, headerEnd = 0;
};

// Parses the header of an unescaped slice; nothing when it is invalid or uses features outside StreamHeaders.
std::optional<SliceHeader> readSliceHeader(std::span<const uint8_t> unit, const StreamHeaders& headers);

// Returns the unescaped slice `unit`, whose header is `from`, with the counters and reference marking of
// `to`. Only for streams that support skip frames; the marking of IDR slices is not changed.
Bytes withCounters(Bytes unit, const SliceHeader& from, const SliceHeader& to, const StreamHeaders& headers);

// Returns the unescaped slice with another pic_parameter_set_id.
Bytes withPpsId(const Bytes& unit, const SliceHeader& slice, const StreamHeaders& headers, int id);

}  // namespace framewright::h264
