#pragma once

#include <string>

#include "core/image.h"
#include "core/result.h"

namespace framewright {

// Writes an opaque kRgbaStraight image as a new PNG file, 8-bit RGB. Optimised for speed with several threads
// rather than for size. Fails with UNEXPECTED if the file exists or cannot be written.
Status writePng(const Image& image, const std::string& path);

}  // namespace framewright
