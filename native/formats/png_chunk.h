#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <zlib.h>

namespace framewright {

inline uint32_t crcOf(std::span<const uint8_t> bytes) {
  return static_cast<uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
}

// Appends a big-endian 32-bit value.
inline void appendU32(std::vector<uint8_t>& to, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) to.push_back(static_cast<uint8_t>(value >> shift));
}

// Appends a PNG chunk: length, type, data and CRC.
inline void appendPngChunk(std::vector<uint8_t>& to, const char* type, std::span<const uint8_t> data) {
  appendU32(to, static_cast<uint32_t>(data.size()));
  const size_t typeAt = to.size();
  to.insert(to.end(), type, type + 4);
  to.insert(to.end(), data.begin(), data.end());
  appendU32(to, crcOf(std::span<const uint8_t>(to).subspan(typeAt)));
}

}  // namespace framewright
