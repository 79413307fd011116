#pragma once

#include "core/image.h"
#include "core/result.h"

namespace framewright {

// kI420 -> opaque kRgbaStraight of the same size, for pictures that leave the engine.
Result<ImagePtr> toRgba(const Image& image);

}  // namespace framewright
