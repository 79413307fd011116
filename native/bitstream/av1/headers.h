#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace framewright::av1 {

enum ObuType { kSequence = 1, kDelimiter = 2, kFrameHeader = 3, kFrame = 6 };
enum FrameType { kKey = 0, kInter = 1, kIntraOnly = 2, kSwitch = 3 };

struct Obu {
  int type = 0;
  std::span<const uint8_t> payload;
};

// Of a temporal unit or of the encoder's headers; nothing when a size leads out of `data`.
std::optional<std::vector<Obu>> obusOf(std::span<const uint8_t> data);

// What frame headers depend on; of streams in which a frame may be shown again by nothing but its slot: one
// operating point, ordered frames, no frame ids and no times inside the stream.
struct SequenceHeader {
  int orderBits = 0;
  int screenContent = 0;  // 2: a frame says it
  int integerMotion = 0;  // 2: a frame says it
};

// The first one of `data`; nothing when there is none or the stream is of another kind.
std::optional<SequenceHeader> readSequenceHeader(std::span<const uint8_t> data);

constexpr int kSlots = 8;

// The beginning of a frame's header (clause 5.9.2), as far as it says what is shown and what is kept.
struct FrameHeader {
  bool showsExisting = false;
  int slot = 0;  // of the one that is shown again
  int type = kKey;
  bool shown = false;
  bool showable = false;   // later, by its slot
  uint32_t order = 0;      // in which frames are shown, modulo 2 to the orderBits
  uint32_t refreshed = 0;  // one bit for each slot that it is kept in
};

// `payload` of a kFrameHeader or kFrame.
std::optional<FrameHeader> readFrameHeader(std::span<const uint8_t> payload, const SequenceHeader& sequence);

// The temporal unit that shows the frame in a slot again. Nothing else changes for a decoder, unless it is a
// key frame, which must not be shown twice.
std::array<uint8_t, 5> showExisting(int slot);

}  // namespace framewright::av1
