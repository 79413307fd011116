#pragma once

#include <string>

#include "core/image.h"
#include "core/result.h"

namespace framewright {

// Reads a sprite written by src/graphics: a header of 16 bytes ("FWSP", then version, width and height as
// little-endian uint32), then premultiplied 8-bit RGBA rows, top down, without padding. The version is 1, or
// 2 for sprites with gradients, which set Image::hasGradient. Fails with MEDIA_UNREADABLE when the header or
// the length is wrong.
Result<ImagePtr> readSpriteFile(const std::string& path);

}  // namespace framewright
