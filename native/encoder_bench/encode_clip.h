#pragma once

#include <cstdint>
#include <string>

#include "core/result.h"
#include "libav/encode/video/video_encoder.h"

namespace framewright {

// What one encoding costs.
struct EncodeCost {
  int64_t frames = 0;
  int64_t bytes = 0;       // of the packets, without a container
  double wallSeconds = 0;  // from opening the encoder until its last packet
  double cpuSeconds = 0;   // during that time, without reading the source
  int64_t peakMemoryBytes = 0;
};

// Encodes the first `frames` frames (0: all) of a Y4M file, without skip frames, into a packet file at
// `path`. Another thread reads ahead. `canPlanFrames`: the engine may decide frame types and QP offsets, as in
// renders. The source determines the size and frame rate of `settings`. Call it
// first in a process: the peak memory is the process's. Fails like VideoEncoder, with MEDIA_UNREADABLE or
// MEDIA_UNSUPPORTED.
Result<EncodeCost> encodeClip(const std::string& source, int64_t frames, VideoEncoderSettings settings,
                              double keyframeSeconds, bool canPlanFrames, const std::string& path);

}  // namespace framewright
