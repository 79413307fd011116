#pragma once

#include "core/image.h"
#include "core/result.h"

namespace framewright {

// Converts kI420 to opaque kRgbaStraight of the same size, for images that leave the engine.
Result<ImagePtr> toRgba(const Image& image);

}  // namespace framewright
