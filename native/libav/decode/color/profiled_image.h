#pragma once

#include <optional>

#include "core/image.h"
#include "core/result.h"
#include "formats/image_colors.h"
#include "libav/av_handle.h"
#include "libav/decode/color/icc_profile.h"

namespace framewright {

// Converts a kRgbaStraight image to sRGB by its grey or RGB profile. Fails with OUT_OF_MEMORY.
Result<ImagePtr> applyProfile(const Image& image, const IccProfile& profile);

// Converts the four components of a CMYK or YCCK JPEG, decoded with its Adobe segment hidden, to
// kRgbaStraight by its profile. `adobe`: nothing if the file has no such segment; its inks are then stored as
// they are, else inverted. Fails with MEDIA_UNSUPPORTED for other frames, or OUT_OF_MEMORY.
Result<ImagePtr> convertCmyk(const AVFrame& frame, const std::optional<AdobeSegment>& adobe,
                             const IccProfile& profile);

}  // namespace framewright
