#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace substitute {

// Writes the syntax elements of H.264 and HEVC, most significant bit first.
class BitWriter {
 public:
  void bits(uint32_t value, int count) {
    for (int i = count - 1; i >= 0; --i) bit((value >> i & 1) != 0);
  }
  void flag(bool value) { bit(value); }
  // ue(v)
  void golomb(uint32_t value) {
    int length = 0;
    while ((value + 1) >> (length + 1) != 0) ++length;
    bits(0, length);
    bits(value + 1, length + 1);
  }
  // se(v)
  void signedGolomb(int value) {
    golomb(value > 0 ? static_cast<uint32_t>(2 * value - 1) : static_cast<uint32_t>(-2 * value));
  }
  // Bits of 0 up to the next whole byte.
  void align() {
    while (count_ % 8 != 0) bit(false);
  }
  // rbsp_trailing_bits()
  void stop() {
    bit(true);
    align();
  }
  bool isAligned() const { return count_ % 8 == 0; }
  const std::vector<uint8_t>& bytes() const { return bytes_; }

 private:
  void bit(bool value) {
    if (count_ % 8 == 0) bytes_.push_back(0);
    if (value) bytes_.back() = static_cast<uint8_t>(bytes_.back() | 0x80 >> count_ % 8);
    ++count_;
  }

  std::vector<uint8_t> bytes_;
  size_t count_ = 0;
};

// Appends a NAL unit with a start code and emulation prevention.
inline void appendUnit(std::vector<uint8_t>& stream, const std::vector<uint8_t>& unit) {
  stream.insert(stream.end(), {0, 0, 0, 1});
  int zeros = 0;
  for (const uint8_t byte : unit) {
    if (zeros >= 2 && byte <= 3) {
      stream.push_back(3);
      zeros = 0;
    }
    stream.push_back(byte);
    zeros = byte == 0 ? zeros + 1 : 0;
  }
}

}  // namespace substitute
