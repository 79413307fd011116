#pragma once

#include <string>

#include "core/image.h"
#include "core/result.h"

namespace framewright {

// A sprite as src/graphics writes it: 16 header bytes ("FWSP", then version 1, width and height as
// little-endian uint32), then width * height pixels of premultiplied RGBA, 8 bits each, rows top down
// without padding. Fails with MEDIA_UNREADABLE when the header or the length is wrong.
Result<ImagePtr> readSpriteFile(const std::string& path);

}  // namespace framewright
