#pragma once

#include <string>

#include "core/image.h"
#include "core/result.h"

namespace framewright {

// The picture of an opaque kRgbaStraight image as a new JPEG file, good enough to be looked at. Fails when
// there is a file of that name.
Status writeJpeg(const Image& image, const std::string& path);

}  // namespace framewright
