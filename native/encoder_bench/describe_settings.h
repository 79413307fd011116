#pragma once

#include <string>

#include "core/result.h"
#include "libav/encode/video/video_encoder.h"

namespace framewright {

// What the encoder is told beyond size, rate and colours, as `name=value` separated by blanks; of hardware
// with several variants the best. Fails with ENCODER_UNAVAILABLE for unknown names.
Result<std::string> describeSettings(const VideoEncoderSettings& settings);

}  // namespace framewright
