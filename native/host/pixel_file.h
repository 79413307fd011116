#pragma once

#include <string>

#include "core/image.h"
#include "core/result.h"

namespace framewright::host {

// The pixels of a kRgbaStraight image, rows without padding, as a new file: they are too many for messages.
Status writePixels(const Image& image, const std::string& path);

}  // namespace framewright::host
