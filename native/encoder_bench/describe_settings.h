#pragma once

#include <string>

#include "core/result.h"
#include "libav/encode/video/video_encoder.h"

namespace framewright {

// The encoder's options beyond size, frame rate and colour, as `name=value` separated by spaces; for hardware
// with several variants those of the best one. Fails with ENCODER_UNAVAILABLE for unknown encoders.
Result<std::string> describeSettings(const VideoEncoderSettings& settings);

}  // namespace framewright
