#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace framewright::h264 {

using Bytes = std::vector<uint8_t>;

// Removes the emulation prevention bytes of a NAL unit (clause 7.4.1). The NAL header byte is part of input
// and output, start codes of neither.
Bytes unescape(std::span<const uint8_t> unit);
// Appends a NAL unit with a 4-byte start code and emulation prevention bytes.
void appendNal(Bytes& out, std::span<const uint8_t> payload);

// Splits an Annex B stream into NAL units without start codes; the spans point into `data`.
std::vector<std::span<const uint8_t>> splitAnnexB(std::span<const uint8_t> data);

// Reads fixed-length and Exp-Golomb fields (clauses 7.2 and 9.1). Past the end every field reads as 0 and
// failed() becomes true.
class BitReader {
 public:
  explicit BitReader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  uint32_t bits(int count);
  bool flag() { return bits(1) != 0; }
  uint32_t ue();
  int32_t se();
  // Offset of the next field in bits.
  size_t position() const { return position_; }
  bool failed() const { return failed_; }

 private:
  std::span<const uint8_t> bytes_;
  size_t position_ = 0;
  bool failed_ = false;
};

// Writes the fields that BitReader reads.
class BitWriter {
 public:
  void bits(uint32_t value, int count);
  void flag(bool value) { bits(value ? 1 : 0, 1); }
  void ue(uint32_t value);
  void se(int32_t value);
  bool isAligned() const { return freeBits_ == 8; }
  // Pads with zero bits to the next byte and moves the bytes out.
  Bytes take();

 private:
  Bytes bytes_;
  uint8_t current_ = 0;
  int freeBits_ = 8;
};

// Overwrites `count` bits from the bit offset `position` on.
void overwriteBits(Bytes& bytes, size_t position, int count, uint32_t value);

}  // namespace framewright::h264
