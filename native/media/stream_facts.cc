#include "media/stream_facts.h"

#include "media/video_decoder.h"

namespace framewright {

Orientation streamOrientation(const AVStream& stream) {
  const int32_t* matrix = nullptr;
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 102)
  const AVPacketSideData* side = av_packet_side_data_get(
      stream.codecpar->coded_side_data, stream.codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
  if (side != nullptr && side->size >= 9 * sizeof(int32_t))
    matrix = reinterpret_cast<const int32_t*>(side->data);
#else
  size_t size = 0;
  const uint8_t* side = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  if (side != nullptr && size >= 9 * sizeof(int32_t)) matrix = reinterpret_cast<const int32_t*>(side);
#endif
  return matrix != nullptr ? orientationFromDisplayMatrix(matrix) : Orientation{};
}

int64_t pictureSlackUs(const AVStream& stream) {
  // A time base of milliseconds rounds by half of one, on both sides of the comparison.
  return av_cmp_q(stream.time_base, AVRational{1, 1000}) >= 0 ? 1000 : kPictureSlackUs;
}

}  // namespace framewright
