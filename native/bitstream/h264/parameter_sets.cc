#include "bitstream/h264/parameter_sets.h"

#include <algorithm>
#include <array>

#include "core/byte_reader.h"

namespace framewright::h264 {
namespace {

constexpr int kMaxParameterSetPairs = 32;  // range of seq_parameter_set_id
constexpr int kMainProfile = 77, kHighProfile = 100, kBaselineProfile = 66;
constexpr int kConstrainedBaseline = 0x40;  // constraint_set1_flag
constexpr int kIntraOrLevel1b = 0x10;       // constraint_set3_flag
// log2_max_mv_length_*: the value inferred when an SPS has no bitstream restriction.
constexpr uint32_t kMaxMotionLog2 = 15;

// Number of bits before rbsp_trailing_bits.
size_t payloadBitCount(const Bytes& unit) {
  size_t end = unit.size() * 8;
  while (end > 0 && (unit[(end - 1) / 8] >> (7 - (end - 1) % 8) & 1) == 0) --end;
  return end == 0 ? 0 : end - 1;
}

void copyBits(BitReader& in, BitWriter& out, size_t end) {
  while (in.position() < end) out.bits(in.bits(1), 1);
}

Bytes finished(BitWriter& out) {
  out.flag(true);
  return out.take();
}

Bytes escaped(const Bytes& payload) {
  Bytes unit;
  appendNal(unit, payload);
  return {unit.begin() + 4, unit.end()};
}

// Bit offset of seq_parameter_set_id: after the NAL header, profile_idc, constraint flags and level_idc.
constexpr size_t kSpsIdOffset = 32;

ParameterSetPair withIds(const ParameterSetPair& pair, int id) {
  const Bytes sequence = unescape(pair.sps), picture = unescape(pair.pps);
  BitReader in(sequence), inPicture(picture);
  BitWriter out, outPicture;
  copyBits(in, out, kSpsIdOffset);
  in.ue();
  out.ue(static_cast<uint32_t>(id));
  copyBits(in, out, payloadBitCount(sequence));
  copyBits(inPicture, outPicture, 8);
  inPicture.ue();
  inPicture.ue();
  outPicture.ue(static_cast<uint32_t>(id));
  outPicture.ue(static_cast<uint32_t>(id));
  copyBits(inPicture, outPicture, payloadBitCount(picture));
  return {escaped(finished(out)), escaped(finished(outPicture))};
}

void append(Bytes& extradata, const Bytes& unit) {
  extradata.insert(extradata.end(), {0, 0, 0, 1});
  extradata.insert(extradata.end(), unit.begin(), unit.end());
}

std::optional<StreamHeaders> headersOf(const ParameterSetPair& pair) {
  Bytes both;
  append(both, pair.sps);
  append(both, pair.pps);
  return readStreamHeaders(both);
}

// Bit offset of bitstream_restriction_flag in our encoder's SPS (clause E.1.1).
std::optional<size_t> findBitstreamRestriction(const Bytes& sequence, const StreamHeaders& headers) {
  BitReader in(sequence);
  for (size_t i = 0; i < headers.vuiOffset; ++i) in.bits(1);
  if (!in.flag()) return std::nullopt;
  constexpr uint32_t kExtendedAspect = 255;
  if (in.flag() && in.bits(8) == kExtendedAspect) in.bits(32);
  if (in.flag()) in.flag();  // overscan_info
  if (in.flag()) {           // video_signal_type
    in.bits(4);
    if (in.flag()) in.bits(24);
  }
  if (in.flag()) {  // chroma_loc_info
    in.ue();
    in.ue();
  }
  if (in.flag()) {  // timing_info
    in.bits(32);
    in.bits(32);
    in.flag();
  }
  // HRD parameters and pic_struct would require SEI messages in every picture.
  const bool nalModel = in.flag(), vclModel = in.flag(), structure = in.flag();
  if (nalModel || vclModel || structure || in.failed()) return std::nullopt;
  return in.position();
}

}  // namespace

std::optional<AvcConfig> readAvcConfig(std::span<const uint8_t> avcC) {
  ByteReader in(avcC);
  AvcConfig sets;
  if (in.u8() != 1) return std::nullopt;
  in.skip(3);
  sets.nalLengthBytes = (in.u8() & 3) + 1;
  if ((in.u8() & 31) != 1) return std::nullopt;
  const auto sequence = in.take(in.u16());
  if (in.u8() != 1) return std::nullopt;
  const auto picture = in.take(in.u16());
  if (!in.ok() || sequence.size() < 5 || picture.size() < 2 || sets.nalLengthBytes == 3) return std::nullopt;
  if (nalType(sequence) != kSps || nalType(picture) != kPps) return std::nullopt;
  sets.pair = {{sequence.begin(), sequence.end()}, {picture.begin(), picture.end()}};
  const auto headers = headersOf(sets.pair);
  if (!headers) return std::nullopt;
  sets.headers = *headers;
  const int profile = headers->profile;
  const bool constrained = (headers->constraints & kConstrainedBaseline) != 0;
  if (profile != kHighProfile && profile != kMainProfile && !(profile == kBaselineProfile && constrained))
    return std::nullopt;
  if (headers->level < 10 || (headers->level == 11 && (headers->constraints & kIntraOrLevel1b) != 0))
    return std::nullopt;
  if (headers->hasRedundantPicCnt) return std::nullopt;
  return sets;
}

std::optional<ParameterSets::Ids> ParameterSets::add(std::span<const uint8_t> extradata) {
  std::vector<ParameterSetPair> pairs;
  size_t ownEnd = extradata.size();
  int sequences = 0;
  for (const auto unit : splitAnnexB(extradata)) {
    if (nalType(unit) == kSps && ++sequences > 1) {
      const size_t at = static_cast<size_t>(unit.data() - extradata.data());
      if (pairs.empty()) ownEnd = at - (at >= 4 && extradata[at - 4] == 0 ? 4 : 3);
      pairs.push_back({{unit.begin(), unit.end()}, {}});
    } else if (nalType(unit) == kPps && !pairs.empty()) {
      pairs.back().pps.assign(unit.begin(), unit.end());
    }
  }
  const auto own = extradata.first(ownEnd);
  if (own_.empty()) own_.assign(own.begin(), own.end());
  if (!std::equal(own_.begin(), own_.end(), own.begin(), own.end())) return std::nullopt;
  Ids ids{0};
  for (const ParameterSetPair& pair : pairs) {
    const auto id = add(pair);
    if (!id) return std::nullopt;
    ids.push_back(*id);
  }
  return ids;
}

std::optional<int> ParameterSets::add(const ParameterSetPair& pair) {
  if (pair.sps.size() < 5 || pair.pps.size() < 2) return std::nullopt;
  for (size_t i = 0; i < copied_.size(); ++i) {
    const int id = static_cast<int>(i) + 1;
    if (withIds(pair, id) == copied_[i]) return id;
  }
  const int id = static_cast<int>(copied_.size()) + 1;
  if (id >= kMaxParameterSetPairs) return std::nullopt;
  copied_.push_back(withIds(pair, id));
  return id;
}

Bytes ParameterSets::extradata() const {
  Bytes all = own_;
  for (const ParameterSetPair& pair : copied_) {
    append(all, pair.sps);
    append(all, pair.pps);
  }
  return all;
}

std::optional<Bytes> ParameterSets::movieExtradata(int reordered) const {
  if (copied_.empty()) return own_;
  ParameterSetPair own;
  for (const auto unit : splitAnnexB(own_)) {
    if (nalType(unit) == kSps) own.sps.assign(unit.begin(), unit.end());
    if (nalType(unit) == kPps) own.pps.assign(unit.begin(), unit.end());
  }
  const auto ownHeaders = headersOf(own);
  if (!ownHeaders) return std::nullopt;
  const Bytes ownSequence = unescape(own.sps);
  const auto restrictionAt = findBitstreamRestriction(ownSequence, *ownHeaders);
  if (!restrictionAt) return std::nullopt;

  std::vector<ParameterSetPair> pairs{own};
  pairs.insert(pairs.end(), copied_.begin(), copied_.end());
  int level = 0;
  for (const ParameterSetPair& pair : pairs) level = std::max<int>(level, pair.sps[3]);
  Bytes all;
  for (const ParameterSetPair& pair : pairs) {
    Bytes sequence = unescape(pair.sps);
    const auto headers = headersOf(pair);
    if (!headers) return std::nullopt;
    sequence[3] = static_cast<uint8_t>(level);
    BitReader in(sequence), usability(ownSequence);
    BitWriter out;
    copyBits(in, out, headers->vuiOffset);
    for (size_t i = 0; i < ownHeaders->vuiOffset; ++i) usability.bits(1);
    copyBits(usability, out, *restrictionAt);
    out.flag(true);
    out.flag(true);  // motion_vectors_over_pic_boundaries_flag
    for (const uint32_t value : {0u, 0u, kMaxMotionLog2, kMaxMotionLog2, static_cast<uint32_t>(reordered),
                                 static_cast<uint32_t>(maxDpbFrames(level, ownHeaders->macroblockCount))})
      out.ue(value);
    append(all, escaped(finished(out)));
    append(all, pair.pps);
  }
  return all;
}

bool ParameterSets::renumber(std::span<const uint8_t> packet, const Ids& ids, Bytes& renumbered) const {
  renumbered.clear();
  for (const auto unit : splitAnnexB(packet)) {
    BitReader in(unit);
    in.bits(8);
    in.ue();
    in.ue();
    const auto id = static_cast<size_t>(in.ue());
    const bool isSlice = nalType(unit) == kSlice || nalType(unit) == kIdrSlice;
    if (!isSlice || id == 0) {
      append(renumbered, {unit.begin(), unit.end()});
      continue;
    }
    if (id >= ids.size() || in.failed()) return false;
    auto headers = headersOf(copied_[static_cast<size_t>(ids[id]) - 1]);
    if (!headers) return false;
    headers->ppsId = static_cast<int>(id);
    const Bytes payload = unescape(unit);
    const auto slice = readSliceHeader(payload, *headers);
    if (!slice) return false;
    appendNal(renumbered, withPpsId(payload, *slice, *headers, ids[id]));
  }
  return true;
}

int maxDpbFrames(int level, int macroblockCount) {
  struct DpbLimit {
    int level, macroblocks;
  };
  constexpr std::array kMaxDpbMbs{DpbLimit{10, 396},   DpbLimit{11, 900},   DpbLimit{20, 2376},
                                  DpbLimit{21, 4752},  DpbLimit{30, 8100},  DpbLimit{31, 18000},
                                  DpbLimit{32, 20480}, DpbLimit{41, 32768}, DpbLimit{42, 34816},
                                  DpbLimit{50, 110400}};
  constexpr int kMaxFrames = 16, kHighestMaxDpbMbs = 184320;
  int room = kHighestMaxDpbMbs;
  for (auto it = kMaxDpbMbs.rbegin(); it != kMaxDpbMbs.rend() && level <= it->level; ++it)
    room = it->macroblocks;
  return std::clamp(room / std::max(1, macroblockCount), 1, kMaxFrames);
}

}  // namespace framewright::h264
