#include "libav/demux/stream_metadata.h"

#include "libav/av_version.h"
#include "libav/decode/video_decoder.h"

namespace framewright {

Orientation streamOrientation(const AVStream& stream) {
  const int32_t* const matrix = displayMatrixOf(stream);
  return matrix != nullptr ? orientationFromDisplayMatrix(matrix) : Orientation{};
}

int64_t frameTimeSlackUs(const AVStream& stream) {
  // A time base of milliseconds rounds by half of one, on both sides of the comparison.
  return av_cmp_q(stream.time_base, AVRational{1, 1000}) >= 0 ? 1000 : kFrameTimeSlackUs;
}

}  // namespace framewright
