#pragma once

#include <string>

#include "core/image.h"
#include "core/result.h"

namespace framewright {

// A PNG, JPEG, WebP or GIF file (its first picture) as an upright Image: opaque 4:2:0 as kI420, everything
// else as kRgbaStraight. A file that is cut short fails with DECODE_FAILED instead of showing a grey rest.
Result<ImagePtr> decodeStill(const std::string& path);

}  // namespace framewright
