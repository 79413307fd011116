#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace framewright {

// Appends bytes to a deflate stream (RFC 1951), as one block with codes made for them. Only runs of one byte
// are looked for: in differences of pixels there is little else to be found, and looking takes longest. Ends
// on a whole byte, so that streams of several parts can be put together. `isLast`: nothing follows.
void deflatePixels(const uint8_t* bytes, size_t count, bool isLast, std::vector<uint8_t>& to);

}  // namespace framewright
