#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace framewright::h264 {

using Bytes = std::vector<uint8_t>;

// The payload of a NAL unit without its emulation prevention bytes, and back (clause 7.4.1). The unit's first
// byte, its header, is part of both; start codes of neither.
Bytes unescaped(std::span<const uint8_t> unit);
// Appends the unit behind a start code of four bytes.
void appendEscaped(Bytes& out, std::span<const uint8_t> payload);

// The NAL units between the start codes of `data`.
std::vector<std::span<const uint8_t>> unitsOf(std::span<const uint8_t> data);

// Fields as clause 7.2 and 9.1 read them. Past the end everything reads as 0 and failed() tells.
class BitReader {
 public:
  explicit BitReader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  uint32_t bits(int count);
  bool flag() { return bits(1) != 0; }
  uint32_t ue();
  int32_t se();
  // In bits from the start.
  size_t position() const { return position_; }
  bool failed() const { return failed_; }

 private:
  std::span<const uint8_t> bytes_;
  size_t position_ = 0;
  bool failed_ = false;
};

class BitWriter {
 public:
  void bits(uint32_t value, int count);
  void flag(bool value) { bits(value ? 1 : 0, 1); }
  void ue(uint32_t value);
  void se(int32_t value);
  bool aligned() const { return free_ == 8; }
  // Zero bits up to the next byte.
  Bytes take();

 private:
  Bytes bytes_;
  uint8_t current_ = 0;
  int free_ = 8;
};

// Overwrites `count` bits that start `position` bits in.
void putBits(Bytes& bytes, size_t position, int count, uint32_t value);

}  // namespace framewright::h264
