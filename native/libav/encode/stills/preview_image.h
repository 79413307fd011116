#pragma once

#include <string>

#include "core/image.h"
#include "core/result.h"

namespace framewright {

// Converts kI420 to opaque kRgbaStraight of the same size, for images that leave the engine.
Result<ImagePtr> toRgba(const Image& image);

// Writes an opaque kRgbaStraight image as a new JPEG file. Fails with IO_FAILED when the file exists.
Status writeJpeg(const Image& image, const std::string& path);

}  // namespace framewright
