#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/cancel_token.h"
#include "core/result.h"

namespace framewright {

// Reads all audio of a file. `consume` is called with its samples, left and right, at kSampleRate and in
// order. Fails with MEDIA_UNSUPPORTED when the audio is longer than a movie may be, and with the errors of
// the decoder and of `consume`.
Status forEachAudioBlock(const std::string& path, const CancelToken& cancel,
                         const std::function<Status(const float*, const float*, int64_t)>& consume);

}  // namespace framewright
