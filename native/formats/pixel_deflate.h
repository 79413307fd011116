#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace framewright {

// Appends bytes to a deflate stream (RFC 1951) as one block with dynamic Huffman codes. Matches only runs of
// one byte: pixel differences contain few other matches, and the search is the slowest part. Ends on a byte
// boundary, so that blocks can be concatenated. `isLast`: marks the final block.
void deflatePixels(const uint8_t* bytes, size_t count, bool isLast, std::vector<uint8_t>& to);

}  // namespace framewright
