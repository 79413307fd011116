#include "bitstream/av1/headers.h"

#include <cstddef>

#include "bitstream/h264/bits.h"

namespace framewright::av1 {
namespace {

using h264::BitReader;

constexpr int kSignalledPerFrame = 2;  // SELECT_SCREEN_CONTENT_TOOLS, SELECT_INTEGER_MV
constexpr int kMaxLevelWithoutTier = 7;

// Reads a leb128 of at most four bytes; frames are smaller than its maximum.
std::optional<size_t> readSize(std::span<const uint8_t> data, size_t& at) {
  size_t size = 0;
  for (int i = 0; i < 4 && at < data.size(); ++i) {
    const uint8_t byte = data[at++];
    size |= static_cast<size_t>(byte & 127) << (7 * i);
    if ((byte & 128) == 0) return size;
  }
  return std::nullopt;
}

// False when the stream has timing info or several operating points.
bool readOperatingPoint(BitReader& reader) {
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
  reader.bits(3);  // seq_profile
  const bool still = reader.flag(), reduced = reader.flag();
  if (still || reduced || !readOperatingPoint(reader)) return std::nullopt;
  skipSize(reader);
  const bool frameIds = reader.flag();
  reader.bits(3);  // use_128x128_superblock, enable_filter_intra, enable_intra_edge_filter
  // enable_interintra_compound, enable_masked_compound, enable_warped_motion, enable_dual_filter
  reader.bits(4);
  const bool ordered = reader.flag();
  if (frameIds || !ordered) return std::nullopt;
  reader.bits(2);  // enable_jnt_comp, enable_ref_frame_mvs
  SequenceHeader header;
  header.forceScreenContentTools = reader.flag() ? kSignalledPerFrame : static_cast<int>(reader.bits(1));
  header.forceIntegerMv = kSignalledPerFrame;
  if (header.forceScreenContentTools > 0 && !reader.flag())
    header.forceIntegerMv = static_cast<int>(reader.bits(1));
  header.orderHintBits = static_cast<int>(reader.bits(3)) + 1;
  if (reader.failed()) return std::nullopt;
  return header;
}

}  // namespace

std::optional<std::vector<Obu>> splitObus(std::span<const uint8_t> data) {
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
  const auto obus = splitObus(data);
  if (!obus) return std::nullopt;
  for (const Obu& obu : *obus) {
    if (obu.type == kSequence) return readSequence(obu.payload);
  }
  return std::nullopt;
}

std::optional<FrameHeader> readFrameHeader(std::span<const uint8_t> payload, const SequenceHeader& sequence) {
  BitReader reader(payload);
  FrameHeader header;
  header.showExistingFrame = reader.flag();
  if (header.showExistingFrame) {
    header.frameToShow = static_cast<int>(reader.bits(3));
    return reader.failed() ? std::nullopt : std::optional(header);
  }
  header.type = static_cast<int>(reader.bits(2));
  header.showFrame = reader.flag();
  header.showableFrame = header.showFrame ? header.type != kKey : reader.flag();
  const bool startsAnew = header.type == kSwitch || (header.type == kKey && header.showFrame);
  const bool resilient = startsAnew || reader.flag();
  reader.flag();  // disable_cdf_update
  const bool forceScreenContentTools = sequence.forceScreenContentTools == kSignalledPerFrame
                                           ? reader.flag()
                                           : sequence.forceScreenContentTools != 0;
  if (forceScreenContentTools && sequence.forceIntegerMv == kSignalledPerFrame) reader.flag();
  if (header.type != kSwitch) reader.flag();  // frame_size_override_flag
  header.orderHint = reader.bits(sequence.orderHintBits);
  const bool intra = header.type == kKey || header.type == kIntraOnly;
  if (!intra && !resilient) reader.bits(3);  // primary_ref_frame
  header.refreshFrameFlags = startsAnew ? (1u << kRefSlots) - 1 : reader.bits(kRefSlots);
  return reader.failed() ? std::nullopt : std::optional(header);
}

std::array<uint8_t, 5> showExistingFrame(int slot) {
  constexpr uint8_t kSized = 2;
  return {kDelimiter << 3 | kSized, 0, kFrameHeader << 3 | kSized, 1, static_cast<uint8_t>(0x88 | slot << 4)};
}

}  // namespace framewright::av1
