#pragma once

#include <string>

#include "core/image.h"
#include "core/result.h"

namespace framewright {

// The picture of an opaque kRgbaStraight image as a new PNG file of 8-bit R, G, B. Made to be quick, by
// several threads: such files are looked at, not kept. Fails when there is a file of that name.
Status writePng(const Image& image, const std::string& path);

}  // namespace framewright
