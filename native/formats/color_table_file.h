#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"

namespace framewright {

// Vertices along each side of the table in a color table file.
inline constexpr int kColorTableSide = 65;

// Reads a color table written by src/graphics: a header of 12 bytes ("FWCT", then the version 1 and the side
// 65 as little-endian uint32), then R', G', B' of each vertex as little-endian uint16 in full range, blue
// fastest. Returns kColorTableSide³ * 3 values. Fails with MEDIA_UNREADABLE when the header or the length is
// wrong.
Result<std::vector<uint16_t>> readColorTableFile(const std::string& path);

}  // namespace framewright
