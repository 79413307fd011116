#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace framewright::gif {

// Appends the image data of a GIF frame: the minimum code size, then LZW codes in blocks of at most 255 bytes
// and the terminator. `bits`: of the indices, 2 to 8.
void appendLzw(std::span<const uint8_t> indices, int bits, std::vector<uint8_t>& bytes);

}  // namespace framewright::gif
