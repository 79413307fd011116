#pragma once

#include <string>

#include "core/image.h"
#include "core/result.h"

namespace framewright {

// Reads a sprite written by src/graphics: a header of 16 bytes ("FWSP", then version 1, width and height as
// little-endian uint32), then premultiplied 8-bit RGBA rows, top down, without padding. Fails with
// MEDIA_UNREADABLE when the header or the length is wrong.
Result<ImagePtr> readSpriteFile(const std::string& path);

}  // namespace framewright
