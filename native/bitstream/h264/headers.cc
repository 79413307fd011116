#include "bitstream/h264/headers.h"

namespace framewright::h264 {
namespace {

constexpr uint32_t kMostMacroblocks = 1024;  // in a row or column

bool hasChromaFormat(uint32_t profile) {
  return profile == 100 || profile == 110 || profile == 122 || profile == 244 || profile == 44 ||
         profile == 83 || profile == 86 || profile == 118 || profile == 128;
}

// Clause 7.3.2.1.1.1; what they hold is the decoder's.
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

bool readSequence(std::span<const uint8_t> unit, StreamHeaders& headers) {
  BitReader in(unit);
  in.bits(8);
  headers.profile = static_cast<int>(in.bits(8));
  headers.constraints = static_cast<int>(in.bits(8));
  headers.level = static_cast<int>(in.bits(8));
  in.ue();  // id
  if (hasChromaFormat(static_cast<uint32_t>(headers.profile))) {
    const bool is420 = in.ue() == 1, luma8 = in.ue() == 0, chroma8 = in.ue() == 0, bypass = in.flag();
    if (!is420 || !luma8 || !chroma8 || bypass) return false;
    if (in.flag()) skipScalingLists(in);
  }
  headers.frameNumBits = static_cast<int>(in.ue()) + 4;
  const uint32_t order = in.ue();
  if (order != 0 && order != 2) return false;  // another way to order pictures
  headers.reorders = order == 0;
  if (headers.reorders) headers.orderBits = static_cast<int>(in.ue()) + 4;
  headers.references = static_cast<int>(in.ue());
  in.flag();  // gaps in frame_num
  headers.columns = in.ue() + 1;
  headers.rows = in.ue() + 1;
  if (headers.columns > kMostMacroblocks || headers.rows > kMostMacroblocks) return false;
  headers.macroblocks = static_cast<int>(headers.columns * headers.rows);
  const bool wholeFrames = in.flag();
  in.flag();  // direct prediction
  if (in.flag()) headers.cropping = {in.ue(), in.ue(), in.ue(), in.ue()};
  headers.usabilityAt = in.position();
  return wholeFrames && headers.frameNumBits <= 16 && headers.orderBits <= 16 && headers.references <= 16 &&
         !in.failed();
}

bool readPicture(std::span<const uint8_t> unit, StreamHeaders& headers) {
  BitReader in(unit);
  in.bits(8);
  headers.pictureId = static_cast<int>(in.ue());
  in.ue();  // id of the sequence
  headers.cabac = in.flag();
  headers.bottomOrder = in.flag();
  const bool groups = in.ue() > 0;
  headers.listLength = static_cast<int>(in.ue()) + 1;
  headers.secondListLength = static_cast<int>(in.ue()) + 1;
  headers.weighted = in.flag();
  headers.weightedB = static_cast<int>(in.bits(2));
  headers.startQp = 26 + in.se();
  in.se();  // SP slices
  in.se();  // chroma
  headers.deblockingControl = in.flag();
  in.flag();  // constrained intra prediction
  headers.redundantPictures = in.flag();
  return !groups && headers.pictureId < 256 && !in.failed();
}

void skipListModification(BitReader& in) {
  if (!in.flag()) return;
  for (uint32_t kind = in.ue(); kind < 3 && !in.failed(); kind = in.ue()) in.ue();
}

void skipWeights(BitReader& in, int lists, const int lengths[2]) {
  in.ue();  // luma denominator
  in.ue();  // chroma denominator
  for (int list = 0; list < lists; ++list) {
    for (int i = 0; i < lengths[list] && !in.failed(); ++i) {
      for (const int values : {2, 4}) {
        if (!in.flag()) continue;
        for (int k = 0; k < values; ++k) in.se();
      }
    }
  }
}

// False for commands that x264 does not use.
bool readRemovals(BitReader& in, SliceHeader& slice) {
  if (!in.flag()) return true;
  slice.removals.emplace();
  for (uint32_t command = in.ue(); command != 0; command = in.ue()) {
    if (command != 1 || in.failed()) return false;
    slice.removals->push_back(in.ue() + 1);
  }
  return true;
}

}  // namespace

std::optional<StreamHeaders> readStreamHeaders(std::span<const uint8_t> extradata) {
  StreamHeaders headers;
  int sequences = 0, pictures = 0;
  for (const auto unit : unitsOf(extradata)) {
    const Bytes payload = unescaped(unit);
    if (typeOf(unit) == kSequence && (++sequences > 1 || !readSequence(payload, headers)))
      return std::nullopt;
    if (typeOf(unit) == kPicture && (++pictures > 1 || !readPicture(payload, headers))) return std::nullopt;
  }
  if (sequences != 1 || pictures != 1) return std::nullopt;
  return headers;
}

std::optional<SliceHeader> readSliceHeader(std::span<const uint8_t> unit, const StreamHeaders& headers) {
  BitReader in(unit);
  SliceHeader slice;
  in.bits(8);
  slice.isIdr = typeOf(unit) == kIdrSlice;
  slice.isReference = referenceLevelOf(unit) > 0;
  slice.firstMacroblock = in.ue();
  slice.type = static_cast<int>(in.ue() % 5);
  slice.pictureIdAt = in.position();
  if (static_cast<int>(in.ue()) != headers.pictureId || slice.type > 2) return std::nullopt;
  slice.frameNumAt = in.position();
  slice.frameNum = in.bits(headers.frameNumBits);
  if (slice.isIdr) in.ue();
  slice.orderAt = in.position();
  if (headers.reorders) slice.order = in.bits(headers.orderBits);
  if (headers.reorders && headers.bottomOrder) in.se();
  if (headers.redundantPictures) in.ue();
  const bool isB = slice.type == 1, isIntra = slice.type == 2;
  if (isB) in.flag();  // direct prediction
  int lengths[2] = {headers.listLength, headers.secondListLength};
  if (!isIntra && in.flag()) {
    lengths[0] = static_cast<int>(in.ue()) + 1;
    if (isB) lengths[1] = static_cast<int>(in.ue()) + 1;
  }
  if (lengths[0] > 32 || lengths[1] > 32) return std::nullopt;
  if (!isIntra) skipListModification(in);
  if (isB) skipListModification(in);
  if ((headers.weighted && slice.type == 0) || (headers.weightedB == 1 && isB))
    skipWeights(in, isB ? 2 : 1, lengths);
  slice.markingAt = in.position();
  if (slice.isIdr) {
    slice.dropsPictures = in.flag();
    in.flag();  // long term
  }
  if (slice.isReference && !slice.isIdr && !readRemovals(in, slice)) return std::nullopt;
  slice.markingEnd = in.position();
  if (headers.cabac && !isIntra) in.ue();  // start of the arithmetic coder's contexts
  slice.quantiser = headers.startQp + in.se();
  if (headers.deblockingControl && in.ue() != 1) {
    in.se();
    in.se();
  }
  slice.end = in.position();
  if (in.failed()) return std::nullopt;
  return slice;
}

Bytes withHeader(Bytes unit, const SliceHeader& from, const SliceHeader& to, const StreamHeaders& headers) {
  putBits(unit, from.frameNumAt, headers.frameNumBits, to.frameNum);
  putBits(unit, from.orderAt, headers.orderBits, to.order);
  if (from.removals == to.removals) return unit;
  BitReader in(unit);
  BitWriter out;
  while (in.position() < from.markingAt) out.bits(in.bits(1), 1);
  out.flag(to.removals.has_value());
  if (to.removals) {
    for (const uint32_t distance : *to.removals) {
      out.ue(1);
      out.ue(distance - 1);
    }
    out.ue(0);
  }
  while (in.position() < from.markingEnd) in.bits(1);
  while (in.position() < from.end) out.bits(in.bits(1), 1);
  // What the arithmetic coder wrote starts with a byte.
  while (!out.aligned()) out.flag(true);
  Bytes changed = out.take();
  changed.insert(changed.end(), unit.begin() + static_cast<ptrdiff_t>((from.end + 7) / 8), unit.end());
  return changed;
}

Bytes withPictureId(const Bytes& unit, const SliceHeader& slice, const StreamHeaders& headers, int id) {
  BitReader in(unit);
  BitWriter out;
  const auto copyTo = [&](size_t end) {
    for (; in.position() + 8 <= end;) out.bits(in.bits(8), 8);
    while (in.position() < end) out.bits(in.bits(1), 1);
  };
  copyTo(slice.pictureIdAt);
  in.ue();
  out.ue(static_cast<uint32_t>(id));
  Bytes changed;
  if (headers.cabac) {
    copyTo(slice.end);
    // What the arithmetic coder wrote starts with a byte.
    while (!out.aligned()) out.flag(true);
    changed = out.take();
    changed.insert(changed.end(), unit.begin() + static_cast<ptrdiff_t>((slice.end + 7) / 8), unit.end());
  } else {
    copyTo(unit.size() * 8);
    changed = out.take();
  }
  // Zeros behind the stop bit are padding.
  while (!changed.empty() && changed.back() == 0) changed.pop_back();
  return changed;
}

}  // namespace framewright::h264
