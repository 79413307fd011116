#pragma once

#include "core/image.h"
#include "core/result.h"

namespace framewright {

// Whether letterbox() adds bars for this ratio, unless the result would be too large.
bool isLetterboxed(double aspect);

// The image between black bars (transparent ones, if it has alpha), so that its sides have the ratio `aspect`
// times the ratio that they have now: wider above 1, higher below. Returns the image itself if that is a
// difference of at most 2 %, or so large that the file must be damaged, or if its samples are on a device.
// Fails with OUT_OF_MEMORY.
Result<ImagePtr> letterbox(ImagePtr image, double aspect);

}  // namespace framewright
