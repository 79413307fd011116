#pragma once

#include <string>

#include "gpu_check/stream_search.h"

namespace framewright {

// Measures encoding by several encoders at once, uploads from main memory included: 1, 2, 4 … as long as they
// encode clearly more frames per second together, or until the driver opens no more sessions. Each
// measurement takes `seconds`. Fails as opening the encoder does, or with ENCODE_FAILED.
Result<StreamRate> measureEncodeStreams(const std::string& encoder, int width, int height, double seconds);

}  // namespace framewright
