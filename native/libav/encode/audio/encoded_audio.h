#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/cancel_token.h"
#include "core/result.h"

namespace framewright {

using AudioSink = std::function<Status(const float* left, const float* right, int64_t count)>;

// Decodes an AudioEncoder's file as a player does and passes the first `samples` samples after the priming to
// the sink. Fails with STITCH_FAILED (damaged file), DECODE_FAILED, CANCELLED or as the sink does.
Status decodeEncodedAudio(const std::string& path, int64_t samples, const CancelToken& cancel,
                          const AudioSink& sink);

}  // namespace framewright
