#include "bitstream/h264/bits.h"

#include <bit>

namespace framewright::h264 {

Bytes unescape(std::span<const uint8_t> unit) {
  Bytes out;
  out.reserve(unit.size());
  int zeros = 0;
  for (const uint8_t byte : unit) {
    if (zeros >= 2 && byte == 3) {
      zeros = 0;
      continue;
    }
    zeros = byte == 0 ? zeros + 1 : 0;
    out.push_back(byte);
  }
  return out;
}

void appendNal(Bytes& out, std::span<const uint8_t> payload) {
  out.insert(out.end(), {0, 0, 0, 1});
  int zeros = 0;
  for (const uint8_t byte : payload) {
    if (zeros >= 2 && byte <= 3) {
      out.push_back(3);
      zeros = 0;
    }
    zeros = byte == 0 ? zeros + 1 : 0;
    out.push_back(byte);
  }
}

std::vector<std::span<const uint8_t>> splitAnnexB(std::span<const uint8_t> data) {
  std::vector<std::span<const uint8_t>> units;
  size_t start = data.size();
  const auto close = [&](size_t end) {
    if (start >= end) return;
    // Zero bytes before a start code belong to the start code.
    while (end > start && data[end - 1] == 0) --end;
    units.push_back(data.subspan(start, end - start));
  };
  for (size_t i = 0; i + 3 <= data.size(); ++i) {
    if (data[i] != 0 || data[i + 1] != 0 || data[i + 2] != 1) continue;
    close(i);
    start = i + 3;
    i += 2;
  }
  close(data.size());
  return units;
}

uint32_t BitReader::bits(int count) {
  uint32_t value = 0;
  for (int i = 0; i < count; ++i, ++position_) {
    const size_t byte = position_ / 8;
    if (byte >= bytes_.size()) failed_ = true;
    value = value << 1 | (failed_ ? 0u : bytes_[byte] >> (7 - position_ % 8) & 1u);
  }
  return value;
}

uint32_t BitReader::ue() {
  int zeros = 0;
  while (!failed_ && zeros < 32 && bits(1) == 0) ++zeros;
  if (zeros >= 32) failed_ = true;
  if (failed_) return 0;
  return (1u << zeros) - 1 + bits(zeros);
}

int32_t BitReader::se() {
  const uint32_t code = ue();
  const auto magnitude = static_cast<int32_t>((static_cast<uint64_t>(code) + 1) / 2);
  return code % 2 == 1 ? magnitude : -magnitude;
}

void BitWriter::bits(uint32_t value, int count) {
  for (int i = count - 1; i >= 0; --i) {
    current_ = static_cast<uint8_t>(current_ << 1 | (value >> i & 1));
    if (--freeBits_ > 0) continue;
    bytes_.push_back(current_);
    current_ = 0;
    freeBits_ = 8;
  }
}

void BitWriter::ue(uint32_t value) {
  const int width = static_cast<int>(std::bit_width(value + 1));
  bits(0, width - 1);
  bits(value + 1, width);
}

void BitWriter::se(int32_t value) {
  ue(value > 0 ? 2 * static_cast<uint32_t>(value) - 1 : 2 * static_cast<uint32_t>(-value));
}

Bytes BitWriter::take() {
  while (!isAligned()) bits(0, 1);
  return std::move(bytes_);
}

void overwriteBits(Bytes& bytes, size_t position, int count, uint32_t value) {
  for (int i = 0; i < count; ++i) {
    const size_t at = position + static_cast<size_t>(i);
    const auto mask = static_cast<uint8_t>(0x80u >> (at % 8));
    const bool one = (value >> (count - 1 - i) & 1) != 0;
    bytes[at / 8] = static_cast<uint8_t>(one ? bytes[at / 8] | mask : bytes[at / 8] & ~mask);
  }
}

}  // namespace framewright::h264
