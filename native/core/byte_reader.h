#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace framewright {

// Bounds-checked reader for untrusted bytes: past the end it returns zeros and ok() becomes false.
class ByteReader {
 public:
  explicit ByteReader(std::span<const uint8_t> bytes, bool bigEndian = true)
      : bytes_(bytes), bigEndian_(bigEndian) {}

  bool ok() const { return ok_; }
  size_t position() const { return position_; }
  size_t remaining() const { return bytes_.size() - position_; }
  void setBigEndian(bool bigEndian) { bigEndian_ = bigEndian; }

  void seek(size_t position) {
    ok_ = ok_ && position <= bytes_.size();
    if (ok_) position_ = position;
  }
  void skip(size_t count) {
    ok_ = ok_ && count <= remaining();
    if (ok_) position_ += count;
  }
  uint32_t read(int count) {
    if (!ok_ || remaining() < static_cast<size_t>(count)) {
      ok_ = false;
      return 0;
    }
    uint32_t value = 0;
    for (int i = 0; i < count; ++i) {
      const uint32_t byte = bytes_[position_ + static_cast<size_t>(i)];
      value |= byte << (8 * (bigEndian_ ? count - 1 - i : i));
    }
    position_ += static_cast<size_t>(count);
    return value;
  }
  uint8_t u8() { return static_cast<uint8_t>(read(1)); }
  uint16_t u16() { return static_cast<uint16_t>(read(2)); }
  uint32_t u32() { return read(4); }

  std::span<const uint8_t> take(size_t count) {
    const size_t from = position_;
    skip(count);
    return ok_ ? bytes_.subspan(from, count) : std::span<const uint8_t>();
  }
  bool startsWith(const char* text, size_t count) const {
    return remaining() >= count && std::memcmp(bytes_.data() + position_, text, count) == 0;
  }

 private:
  std::span<const uint8_t> bytes_;
  size_t position_ = 0;
  bool bigEndian_;
  bool ok_ = true;
};

// Writes a 32-bit value at `to`, most significant byte first.
inline void writeBig32(uint8_t* to, uint32_t value) {
  for (int i = 0; i < 4; ++i) to[i] = static_cast<uint8_t>(value >> (24 - 8 * i));
}
// Writes a 32-bit value at `to`, least significant byte first.
inline void writeLittle32(uint8_t* to, uint32_t value) {
  for (int i = 0; i < 4; ++i) to[i] = static_cast<uint8_t>(value >> (8 * i));
}

}  // namespace framewright
