#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/cancel_token.h"
#include "core/result.h"

namespace framewright {

using AudioSink = std::function<Status(const float* left, const float* right, int64_t count)>;

// Decodes what AudioEncoder wrote, as a player will, and hands on the first `samples` samples from the
// movie's start. Fails with STITCH_FAILED (a damaged file), DECODE_FAILED, CANCELLED or as the sink does.
Status decodeEncodedAudio(const std::string& path, int64_t samples, const CancelToken& cancel,
                          const AudioSink& sink);

}  // namespace framewright
