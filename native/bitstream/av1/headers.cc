#include "bitstream/av1/headers.h"

#include <cstddef>

#include "bitstream/h264/bits.h"

namespace framewright::av1 {
namespace {

using h264::BitReader;

constexpr int kEncodersWord = 2;  // SELECT_SCREEN_CONTENT_TOOLS, SELECT_INTEGER_MV
constexpr int kMaxLevelWithoutTier = 7;

// leb128 of at most four bytes; a whole frame is smaller than what they can say.
std::optional<size_t> readSize(std::span<const uint8_t> data, size_t& at) {
  size_t size = 0;
  for (int i = 0; i < 4 && at < data.size(); ++i) {
    const uint8_t byte = data[at++];
    size |= static_cast<size_t>(byte & 127) << (7 * i);
    if ((byte & 128) == 0) return size;
  }
  return std::nullopt;
}

// True when the frames' own order is all that there is of time in the stream.
bool readUntimedPoint(BitReader& reader) {
  const bool timed = reader.flag();
  const bool delayed = reader.flag();  // initial_display_delay_present_flag
  const uint32_t points = reader.bits(5) + 1;
  if (timed || points != 1) return false;
  reader.bits(12);  // operating_point_idc
  if (reader.bits(5) > kMaxLevelWithoutTier) reader.flag();
  if (delayed && reader.flag()) reader.bits(4);
  return true;
}

void skipSize(BitReader& reader) {
  const int widthBits = static_cast<int>(reader.bits(4)) + 1;
  const int heightBits = static_cast<int>(reader.bits(4)) + 1;
  reader.bits(widthBits);
  reader.bits(heightBits);
}

std::optional<SequenceHeader> readSequence(std::span<const uint8_t> payload) {
  BitReader reader(payload);
  reader.bits(3);  // profile
  const bool still = reader.flag(), reduced = reader.flag();
  if (still || reduced || !readUntimedPoint(reader)) return std::nullopt;
  skipSize(reader);
  const bool frameIds = reader.flag();
  reader.bits(3);  // 128 by 128 superblocks, filter intra, intra edge filter
  reader.bits(4);  // interintra, masked, warped motion, dual filter
  const bool ordered = reader.flag();
  if (frameIds || !ordered) return std::nullopt;
  reader.bits(2);  // joint compound, reference motion vectors
  SequenceHeader header;
  header.screenContent = reader.flag() ? kEncodersWord : static_cast<int>(reader.bits(1));
  header.integerMotion = kEncodersWord;
  if (header.screenContent > 0 && !reader.flag()) header.integerMotion = static_cast<int>(reader.bits(1));
  header.orderBits = static_cast<int>(reader.bits(3)) + 1;
  if (reader.failed()) return std::nullopt;
  return header;
}

}  // namespace

std::optional<std::vector<Obu>> obusOf(std::span<const uint8_t> data) {
  std::vector<Obu> obus;
  size_t at = 0;
  while (at < data.size()) {
    const uint8_t header = data[at];
    at += (header & 4) != 0 ? 2 : 1;
    std::optional<size_t> size;
    if ((header & 2) != 0) {
      size = readSize(data, at);
    } else if (at <= data.size()) {
      size = data.size() - at;
    }
    if (!size || at > data.size() || *size > data.size() - at) return std::nullopt;
    obus.push_back({header >> 3 & 15, data.subspan(at, *size)});
    at += *size;
  }
  return obus;
}

std::optional<SequenceHeader> readSequenceHeader(std::span<const uint8_t> data) {
  const auto obus = obusOf(data);
  if (!obus) return std::nullopt;
  for (const Obu& obu : *obus) {
    if (obu.type == kSequence) return readSequence(obu.payload);
  }
  return std::nullopt;
}

std::optional<FrameHeader> readFrameHeader(std::span<const uint8_t> payload, const SequenceHeader& sequence) {
  BitReader reader(payload);
  FrameHeader header;
  header.showsExisting = reader.flag();
  if (header.showsExisting) {
    header.slot = static_cast<int>(reader.bits(3));
    return reader.failed() ? std::nullopt : std::optional(header);
  }
  header.type = static_cast<int>(reader.bits(2));
  header.shown = reader.flag();
  header.showable = header.shown ? header.type != kKey : reader.flag();
  const bool startsAnew = header.type == kSwitch || (header.type == kKey && header.shown);
  const bool resilient = startsAnew || reader.flag();
  reader.flag();  // disable_cdf_update
  const bool screenContent =
      sequence.screenContent == kEncodersWord ? reader.flag() : sequence.screenContent != 0;
  if (screenContent && sequence.integerMotion == kEncodersWord) reader.flag();
  if (header.type != kSwitch) reader.flag();  // frame_size_override_flag
  header.order = reader.bits(sequence.orderBits);
  const bool intra = header.type == kKey || header.type == kIntraOnly;
  if (!intra && !resilient) reader.bits(3);  // primary_ref_frame
  header.refreshed = startsAnew ? (1u << kSlots) - 1 : reader.bits(kSlots);
  return reader.failed() ? std::nullopt : std::optional(header);
}

std::array<uint8_t, 5> showExisting(int slot) {
  constexpr uint8_t kSized = 2;
  return {kDelimiter << 3 | kSized, 0, kFrameHeader << 3 | kSized, 1, static_cast<uint8_t>(0x88 | slot << 4)};
}

}  // namespace framewright::av1
