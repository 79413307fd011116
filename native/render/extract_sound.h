#pragma once

#include <string>

#include "core/cancel_token.h"
#include "core/result.h"
#include "render/render.h"

namespace framewright {

// A media file's whole sound, from the media's zero, as a WAV file of one channel and 16 bits at
// `sampleRate`.
Result<AudioFacts> extractSound(const std::string& path, const std::string& outputPath, int sampleRate,
                                const CancelToken& cancel);

}  // namespace framewright
