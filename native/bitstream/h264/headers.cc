#include "bitstream/h264/headers.h"

namespace framewright::h264 {
namespace {

constexpr uint32_t kMaxSideMbs = 1024;  // MaxFrameSize limit per dimension

bool hasChromaFormat(uint32_t profile) {
  return profile == 100 || profile == 110 || profile == 122 || profile == 244 || profile == 44 ||
         profile == 83 || profile == 86 || profile == 118 || profile == 128;
}

// Skips the scaling matrices (clause 7.3.2.1.1.1).
void skipScalingLists(BitReader& in) {
  for (int list = 0; list < 8 && !in.failed(); ++list) {
    if (!in.flag()) continue;
    int last = 8, next = 8;
    for (int i = 0; i < (list < 6 ? 16 : 64) && next != 0 && !in.failed(); ++i) {
      next = (last + in.se() + 256) % 256;
      if (next != 0) last = next;
    }
  }
}

bool readSps(std::span<const uint8_t> unit, StreamHeaders& headers) {
  BitReader in(unit);
  in.bits(8);
  headers.profile = static_cast<int>(in.bits(8));
  headers.constraints = static_cast<int>(in.bits(8));
  headers.level = static_cast<int>(in.bits(8));
  in.ue();  // seq_parameter_set_id
  if (hasChromaFormat(static_cast<uint32_t>(headers.profile))) {
    const bool is420 = in.ue() == 1, luma8 = in.ue() == 0, chroma8 = in.ue() == 0, bypass = in.flag();
    if (!is420 || !luma8 || !chroma8 || bypass) return false;
    if (in.flag()) skipScalingLists(in);
  }
  headers.frameNumBits = static_cast<int>(in.ue()) + 4;
  const uint32_t order = in.ue();
  if (order != 0 && order != 2) return false;
  headers.hasPocLsb = order == 0;
  if (headers.hasPocLsb) headers.pocLsbBits = static_cast<int>(in.ue()) + 4;
  headers.maxRefFrames = static_cast<int>(in.ue());
  in.flag();  // gaps_in_frame_num_value_allowed_flag
  headers.widthInMbs = in.ue() + 1;
  headers.heightInMbs = in.ue() + 1;
  if (headers.widthInMbs > kMaxSideMbs || headers.heightInMbs > kMaxSideMbs) return false;
  headers.macroblockCount = static_cast<int>(headers.widthInMbs * headers.heightInMbs);
  const bool wholeFrames = in.flag();
  in.flag();  // direct_8x8_inference_flag
  if (in.flag()) headers.cropping = {in.ue(), in.ue(), in.ue(), in.ue()};
  headers.vuiOffset = in.position();
  return wholeFrames && headers.frameNumBits <= 16 && headers.pocLsbBits <= 16 &&
         headers.maxRefFrames <= 16 && !in.failed();
}

bool readPps(std::span<const uint8_t> unit, StreamHeaders& headers) {
  BitReader in(unit);
  in.bits(8);
  headers.ppsId = static_cast<int>(in.ue());
  in.ue();  // seq_parameter_set_id
  headers.isCabac = in.flag();
  headers.hasBottomFieldPoc = in.flag();
  const bool groups = in.ue() > 0;
  headers.refCountL0 = static_cast<int>(in.ue()) + 1;
  headers.refCountL1 = static_cast<int>(in.ue()) + 1;
  headers.isWeightedPred = in.flag();
  headers.weightedBipredIdc = static_cast<int>(in.bits(2));
  headers.initQp = 26 + in.se();
  in.se();  // pic_init_qs_minus26
  in.se();  // chroma_qp_index_offset
  headers.hasDeblockingControl = in.flag();
  in.flag();  // constrained_intra_pred_flag
  headers.hasRedundantPicCnt = in.flag();
  return !groups && headers.ppsId < 256 && !in.failed();
}

void skipRefPicListModification(BitReader& in) {
  if (!in.flag()) return;
  for (uint32_t kind = in.ue(); kind < 3 && !in.failed(); kind = in.ue()) in.ue();
}

void skipPredWeightTable(BitReader& in, int lists, const int lengths[2]) {
  in.ue();  // luma_log2_weight_denom
  in.ue();  // chroma_log2_weight_denom
  for (int list = 0; list < lists; ++list) {
    for (int i = 0; i < lengths[list] && !in.failed(); ++i) {
      for (const int values : {2, 4}) {
        if (!in.flag()) continue;
        for (int k = 0; k < values; ++k) in.se();
      }
    }
  }
}

// Reads dec_ref_pic_marking(); false for operations other than "short-term unused", which x264 does not emit.
bool readRefPicMarking(BitReader& in, SliceHeader& slice) {
  if (!in.flag()) return true;
  slice.unmarkedReferences.emplace();
  for (uint32_t command = in.ue(); command != 0; command = in.ue()) {
    if (command != 1 || in.failed()) return false;
    slice.unmarkedReferences->push_back(in.ue() + 1);
  }
  return true;
}

}  // namespace

std::optional<StreamHeaders> readStreamHeaders(std::span<const uint8_t> extradata) {
  StreamHeaders headers;
  int sequences = 0, pictures = 0;
  for (const auto unit : splitAnnexB(extradata)) {
    const Bytes payload = unescape(unit);
    if (nalType(unit) == kSps && (++sequences > 1 || !readSps(payload, headers))) return std::nullopt;
    if (nalType(unit) == kPps && (++pictures > 1 || !readPps(payload, headers))) return std::nullopt;
  }
  if (sequences != 1 || pictures != 1) return std::nullopt;
  return headers;
}

std::optional<SliceHeader> readSliceHeader(std::span<const uint8_t> unit, const StreamHeaders& headers) {
  BitReader in(unit);
  SliceHeader slice;
  in.bits(8);
  slice.isIdr = nalType(unit) == kIdrSlice;
  slice.isReference = nalRefIdc(unit) > 0;
  slice.firstMacroblock = in.ue();
  slice.type = static_cast<int>(in.ue() % 5);
  slice.ppsIdOffset = in.position();
  if (static_cast<int>(in.ue()) != headers.ppsId || slice.type > 2) return std::nullopt;
  slice.frameNumOffset = in.position();
  slice.frameNum = in.bits(headers.frameNumBits);
  if (slice.isIdr) in.ue();
  slice.pocOffset = in.position();
  if (headers.hasPocLsb) slice.pocLsb = in.bits(headers.pocLsbBits);
  if (headers.hasPocLsb && headers.hasBottomFieldPoc) in.se();
  if (headers.hasRedundantPicCnt) in.ue();
  const bool isB = slice.type == 1, isIntra = slice.type == 2;
  if (isB) in.flag();  // direct_spatial_mv_pred_flag
  int lengths[2] = {headers.refCountL0, headers.refCountL1};
  if (!isIntra && in.flag()) {
    lengths[0] = static_cast<int>(in.ue()) + 1;
    if (isB) lengths[1] = static_cast<int>(in.ue()) + 1;
  }
  if (lengths[0] > 32 || lengths[1] > 32) return std::nullopt;
  if (!isIntra) skipRefPicListModification(in);
  if (isB) skipRefPicListModification(in);
  if ((headers.isWeightedPred && slice.type == 0) || (headers.weightedBipredIdc == 1 && isB))
    skipPredWeightTable(in, isB ? 2 : 1, lengths);
  slice.markingOffset = in.position();
  if (slice.isIdr) {
    slice.noOutputOfPriorPics = in.flag();
    in.flag();  // long_term_reference_flag
  }
  if (slice.isReference && !slice.isIdr && !readRefPicMarking(in, slice)) return std::nullopt;
  slice.markingEnd = in.position();
  if (headers.isCabac && !isIntra) in.ue();  // cabac_init_idc
  slice.qp = headers.initQp + in.se();
  if (headers.hasDeblockingControl && in.ue() != 1) {
    in.se();
    in.se();
  }
  slice.headerEnd = in.position();
  if (in.failed()) return std::nullopt;
  return slice;
}

Bytes withCounters(Bytes unit, const SliceHeader& from, const SliceHeader& to, const StreamHeaders& headers) {
  overwriteBits(unit, from.frameNumOffset, headers.frameNumBits, to.frameNum);
  overwriteBits(unit, from.pocOffset, headers.pocLsbBits, to.pocLsb);
  if (from.unmarkedReferences == to.unmarkedReferences) return unit;
  BitReader in(unit);
  BitWriter out;
  while (in.position() < from.markingOffset) out.bits(in.bits(1), 1);
  out.flag(to.unmarkedReferences.has_value());
  if (to.unmarkedReferences) {
    for (const uint32_t distance : *to.unmarkedReferences) {
      out.ue(1);
      out.ue(distance - 1);
    }
    out.ue(0);
  }
  while (in.position() < from.markingEnd) in.bits(1);
  while (in.position() < from.headerEnd) out.bits(in.bits(1), 1);
  // CABAC slice data is byte-aligned (cabac_alignment_one_bit).
  while (!out.isAligned()) out.flag(true);
  Bytes changed = out.take();
  changed.insert(changed.end(), unit.begin() + static_cast<ptrdiff_t>((from.headerEnd + 7) / 8), unit.end());
  return changed;
}

Bytes withPpsId(const Bytes& unit, const SliceHeader& slice, const StreamHeaders& headers, int id) {
  BitReader in(unit);
  BitWriter out;
  const auto copyTo = [&](size_t end) {
    for (; in.position() + 8 <= end;) out.bits(in.bits(8), 8);
    while (in.position() < end) out.bits(in.bits(1), 1);
  };
  copyTo(slice.ppsIdOffset);
  in.ue();
  out.ue(static_cast<uint32_t>(id));
  Bytes changed;
  if (headers.isCabac) {
    copyTo(slice.headerEnd);
    // CABAC slice data is byte-aligned (cabac_alignment_one_bit).
    while (!out.isAligned()) out.flag(true);
    changed = out.take();
    changed.insert(changed.end(), unit.begin() + static_cast<ptrdiff_t>((slice.headerEnd + 7) / 8),
                   unit.end());
  } else {
    copyTo(unit.size() * 8);
    changed = out.take();
  }
  // Zero bytes after rbsp_trailing_bits are padding.
  while (!changed.empty() && changed.back() == 0) changed.pop_back();
  return changed;
}

}  // namespace framewright::h264
