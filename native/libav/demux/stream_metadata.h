#pragma once

#include "formats/orientation.h"
#include "libav/av_version.h"
#include "libav/decode/video_decoder.h"

namespace framewright {

// The orientation of a video stream from its display matrix.
inline Orientation streamOrientation(const AVStream& stream) {
  const int32_t* const matrix = displayMatrixOf(stream);
  return matrix != nullptr ? orientationFromDisplayMatrix(matrix) : Orientation{};
}

// Tolerance for comparing frame times of the stream. A time base of 1 ms rounds both times by up to 0.5 ms.
inline int64_t frameTimeSlackUs(const AVStream& stream) {
  return av_cmp_q(stream.time_base, AVRational{1, 1000}) >= 0 ? 1000 : kFrameTimeSlackUs;
}

}  // namespace framewright
