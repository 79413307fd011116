#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace framewright::av1 {

// obu_type and frame_type values in use here.
enum ObuType { kSequence = 1, kDelimiter = 2, kFrameHeader = 3, kFrame = 6 };
enum FrameType { kKey = 0, kInter = 1, kIntraOnly = 2, kSwitch = 3 };

// An open bitstream unit; `payload` points into the parsed data.
struct Obu {
  int type = 0;
  std::span<const uint8_t> payload;
};

// Splits a temporal unit or the encoder's extradata into OBUs; nothing when a size exceeds `data`.
std::optional<std::vector<Obu>> splitObus(std::span<const uint8_t> data);

// The fields of a sequence header that frame headers depend on. Covers streams with one operating point,
// order hints, no frame ids and no timing info.
struct SequenceHeader {
  int orderHintBits = 0;
  int forceScreenContentTools = 0;  // 2: signalled per frame
  int forceIntegerMv = 0;           // 2: signalled per frame
};

// Parses the first sequence header in `data`; nothing when there is none or the stream is not covered.
std::optional<SequenceHeader> readSequenceHeader(std::span<const uint8_t> data);

constexpr int kRefSlots = 8;  // NUM_REF_FRAMES

// The beginning of a frame header (clause 5.9.2).
struct FrameHeader {
  bool showExistingFrame = false;
  int frameToShow = 0;  // reference slot, with showExistingFrame
  int type = kKey;
  bool showFrame = false;
  bool showableFrame = false;      // may be shown later by showExistingFrame
  uint32_t orderHint = 0;          // display order modulo 2^orderHintBits
  uint32_t refreshFrameFlags = 0;  // one bit per reference slot the frame is stored in
};

// Parses the payload of a kFrameHeader or kFrame OBU.
std::optional<FrameHeader> readFrameHeader(std::span<const uint8_t> payload, const SequenceHeader& sequence);

// A temporal unit that shows the frame in a reference slot again. It does not change the decoder's state,
// except for key frames, which must not be shown twice.
std::array<uint8_t, 5> showExistingFrame(int slot);

}  // namespace framewright::av1
