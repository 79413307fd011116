#include "bitstream/h264/parameter_sets.h"

#include <algorithm>
#include <array>

#include "core/byte_reader.h"

namespace framewright::h264 {
namespace {

constexpr int kMostPairs = 32;  // ids of sequence parameter sets
constexpr int kMainProfile = 77, kHighProfile = 100, kBaselineProfile = 66;
constexpr int kConstrainedBaseline = 0x40;  // constraint_set1_flag
constexpr int kIntraOrLevel1b = 0x10;       // constraint_set3_flag
// Quarters of a sample that a motion vector may span: what counts where a stream says nothing.
constexpr uint32_t kLongestMotion = 15;

// Bits before rbsp_trailing_bits.
size_t payloadBits(const Bytes& unit) {
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
  appendEscaped(unit, payload);
  return {unit.begin() + 4, unit.end()};
}

// Bits of a sequence parameter set before its id: unit header, profile, constraints, level.
constexpr size_t kSequenceIdAt = 32;

SetPair withIds(const SetPair& pair, int id) {
  const Bytes sequence = unescaped(pair.sequence), picture = unescaped(pair.picture);
  BitReader in(sequence), inPicture(picture);
  BitWriter out, outPicture;
  copyBits(in, out, kSequenceIdAt);
  in.ue();
  out.ue(static_cast<uint32_t>(id));
  copyBits(in, out, payloadBits(sequence));
  copyBits(inPicture, outPicture, 8);
  inPicture.ue();
  inPicture.ue();
  outPicture.ue(static_cast<uint32_t>(id));
  outPicture.ue(static_cast<uint32_t>(id));
  copyBits(inPicture, outPicture, payloadBits(picture));
  return {escaped(finished(out)), escaped(finished(outPicture))};
}

void append(Bytes& extradata, const Bytes& unit) {
  extradata.insert(extradata.end(), {0, 0, 0, 1});
  extradata.insert(extradata.end(), unit.begin(), unit.end());
}

std::optional<StreamHeaders> headersOf(const SetPair& pair) {
  Bytes both;
  append(both, pair.sequence);
  append(both, pair.picture);
  return readStreamHeaders(both);
}

// Where bitstream_restriction_flag stands in the encoder's own set (clause E.1.1).
std::optional<size_t> findRestriction(const Bytes& sequence, const StreamHeaders& headers) {
  BitReader in(sequence);
  for (size_t i = 0; i < headers.usabilityAt; ++i) in.bits(1);
  if (!in.flag()) return std::nullopt;
  constexpr uint32_t kExtendedAspect = 255;
  if (in.flag() && in.bits(8) == kExtendedAspect) in.bits(32);
  if (in.flag()) in.flag();  // overscan
  if (in.flag()) {           // video signal
    in.bits(4);
    if (in.flag()) in.bits(24);
  }
  if (in.flag()) {  // chroma
    in.ue();
    in.ue();
  }
  if (in.flag()) {  // timing
    in.bits(32);
    in.bits(32);
    in.flag();
  }
  // Buffer models and the structure of pictures would have to be told with each picture.
  const bool nalModel = in.flag(), vclModel = in.flag(), structure = in.flag();
  if (nalModel || vclModel || structure || in.failed()) return std::nullopt;
  return in.position();
}

}  // namespace

std::optional<SourceSets> readSourceSets(std::span<const uint8_t> avcC) {
  ByteReader in(avcC);
  SourceSets sets;
  if (in.u8() != 1) return std::nullopt;
  in.skip(3);
  sets.lengthBytes = (in.u8() & 3) + 1;
  if ((in.u8() & 31) != 1) return std::nullopt;
  const auto sequence = in.take(in.u16());
  if (in.u8() != 1) return std::nullopt;
  const auto picture = in.take(in.u16());
  if (!in.ok() || sequence.size() < 5 || picture.size() < 2 || sets.lengthBytes == 3) return std::nullopt;
  if (typeOf(sequence) != kSequence || typeOf(picture) != kPicture) return std::nullopt;
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
  if (headers->redundantPictures) return std::nullopt;
  return sets;
}

std::optional<ParameterSets::Ids> ParameterSets::add(std::span<const uint8_t> extradata) {
  std::vector<SetPair> pairs;
  size_t ownEnd = extradata.size();
  int sequences = 0;
  for (const auto unit : unitsOf(extradata)) {
    if (typeOf(unit) == kSequence && ++sequences > 1) {
      const size_t at = static_cast<size_t>(unit.data() - extradata.data());
      if (pairs.empty()) ownEnd = at - (at >= 4 && extradata[at - 4] == 0 ? 4 : 3);
      pairs.push_back({{unit.begin(), unit.end()}, {}});
    } else if (typeOf(unit) == kPicture && !pairs.empty()) {
      pairs.back().picture.assign(unit.begin(), unit.end());
    }
  }
  const auto own = extradata.first(ownEnd);
  if (own_.empty()) own_.assign(own.begin(), own.end());
  if (!std::equal(own_.begin(), own_.end(), own.begin(), own.end())) return std::nullopt;
  Ids ids{0};
  for (const SetPair& pair : pairs) {
    const auto id = add(pair);
    if (!id) return std::nullopt;
    ids.push_back(*id);
  }
  return ids;
}

std::optional<int> ParameterSets::add(const SetPair& pair) {
  if (pair.sequence.size() < 5 || pair.picture.size() < 2) return std::nullopt;
  for (size_t i = 0; i < foreign_.size(); ++i) {
    const int id = static_cast<int>(i) + 1;
    if (withIds(pair, id) == foreign_[i]) return id;
  }
  const int id = static_cast<int>(foreign_.size()) + 1;
  if (id >= kMostPairs) return std::nullopt;
  foreign_.push_back(withIds(pair, id));
  return id;
}

Bytes ParameterSets::extradata() const {
  Bytes all = own_;
  for (const SetPair& pair : foreign_) {
    append(all, pair.sequence);
    append(all, pair.picture);
  }
  return all;
}

std::optional<Bytes> ParameterSets::ofFilm(int reordered) const {
  if (foreign_.empty()) return own_;
  SetPair own;
  for (const auto unit : unitsOf(own_)) {
    if (typeOf(unit) == kSequence) own.sequence.assign(unit.begin(), unit.end());
    if (typeOf(unit) == kPicture) own.picture.assign(unit.begin(), unit.end());
  }
  const auto ownHeaders = headersOf(own);
  if (!ownHeaders) return std::nullopt;
  const Bytes ownSequence = unescaped(own.sequence);
  const auto restrictionAt = findRestriction(ownSequence, *ownHeaders);
  if (!restrictionAt) return std::nullopt;

  std::vector<SetPair> pairs{own};
  pairs.insert(pairs.end(), foreign_.begin(), foreign_.end());
  int level = 0;
  for (const SetPair& pair : pairs) level = std::max<int>(level, pair.sequence[3]);
  Bytes all;
  for (const SetPair& pair : pairs) {
    Bytes sequence = unescaped(pair.sequence);
    const auto headers = headersOf(pair);
    if (!headers) return std::nullopt;
    sequence[3] = static_cast<uint8_t>(level);
    BitReader in(sequence), usability(ownSequence);
    BitWriter out;
    copyBits(in, out, headers->usabilityAt);
    for (size_t i = 0; i < ownHeaders->usabilityAt; ++i) usability.bits(1);
    copyBits(usability, out, *restrictionAt);
    out.flag(true);
    out.flag(true);  // motion vectors over the edges
    for (const uint32_t value : {0u, 0u, kLongestMotion, kLongestMotion, static_cast<uint32_t>(reordered),
                                 static_cast<uint32_t>(mostKeptPictures(level, ownHeaders->macroblocks))})
      out.ue(value);
    append(all, escaped(finished(out)));
    append(all, pair.picture);
  }
  return all;
}

bool ParameterSets::renumber(std::span<const uint8_t> packet, const Ids& ids, Bytes& renumbered) const {
  renumbered.clear();
  for (const auto unit : unitsOf(packet)) {
    BitReader in(unit);
    in.bits(8);
    in.ue();
    in.ue();
    const auto id = static_cast<size_t>(in.ue());
    const bool isSlice = typeOf(unit) == kSlice || typeOf(unit) == kIdrSlice;
    if (!isSlice || id == 0) {
      append(renumbered, {unit.begin(), unit.end()});
      continue;
    }
    if (id >= ids.size() || in.failed()) return false;
    auto headers = headersOf(foreign_[static_cast<size_t>(ids[id]) - 1]);
    if (!headers) return false;
    headers->pictureId = static_cast<int>(id);
    const Bytes payload = unescaped(unit);
    const auto slice = readSliceHeader(payload, *headers);
    if (!slice) return false;
    appendEscaped(renumbered, withPictureId(payload, *slice, *headers, ids[id]));
  }
  return true;
}

int mostKeptPictures(int level, int macroblocks) {
  struct Room {
    int level, macroblocks;
  };
  constexpr std::array kRooms{Room{10, 396},   Room{11, 900},   Room{20, 2376},  Room{21, 4752},
                              Room{30, 8100},  Room{31, 18000}, Room{32, 20480}, Room{41, 32768},
                              Room{42, 34816}, Room{50, 110400}};
  constexpr int kMost = 16, kHighest = 184320;
  int room = kHighest;
  for (auto it = kRooms.rbegin(); it != kRooms.rend() && level <= it->level; ++it) room = it->macroblocks;
  return std::clamp(room / std::max(1, macroblocks), 1, kMost);
}

}  // namespace framewright::h264
