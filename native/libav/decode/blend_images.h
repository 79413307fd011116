#pragma once

#include "core/image.h"
#include "core/result.h"

namespace framewright {

// The mean of two images, of which `to` counts `share`, 0 … 1. Images of different sizes or formats are not
// mixed: the result is `from`. Fails with OUT_OF_MEMORY. Any thread.
Result<ImagePtr> blendImages(const ImagePtr& from, const ImagePtr& to, double share);

}  // namespace framewright
