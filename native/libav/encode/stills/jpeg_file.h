#pragma once

#include <string>

#include "core/image.h"
#include "core/result.h"

namespace framewright {

// Writes an opaque kRgbaStraight image as a new JPEG file. Fails with IO_FAILED when the file exists.
Status writeJpeg(const Image& image, const std::string& path);

}  // namespace framewright
