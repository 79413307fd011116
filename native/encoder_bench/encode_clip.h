#pragma once

#include <cstdint>
#include <string>

#include "core/result.h"
#include "libav/encode/video/video_encoder.h"

namespace framewright {

struct EncodeCost {
  int64_t frames = 0;
  int64_t bytes = 0;       // of the encoded pictures, without any container
  double wallSeconds = 0;  // from opening the encoder until its last picture is out
  double cpuSeconds = 0;   // in that time, without reading the source
  int64_t peakMemoryBytes = 0;
};

// Encodes the first `frames` pictures (0: all) of a Y4M file as a render would, each of them by the encoder,
// into a packet file at `path`. The pictures are read ahead on a thread of their own. Size and rate of
// `settings` are taken from the source. To be the first thing that its process does, as the peak of memory is
// the process's. Fails as VideoEncoder does, with MEDIA_UNREADABLE and MEDIA_UNSUPPORTED.
Result<EncodeCost> encodeClip(const std::string& source, int64_t frames, VideoEncoderSettings settings,
                              double keyframeSeconds, const std::string& path);

}  // namespace framewright
