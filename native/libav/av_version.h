#pragma once

#include "libav/av.h"

// Hides differences between versions of libav, from 5.1 on. No other code checks the version.
namespace framewright {

// The frame's duration in the stream's time base; 0: unknown.
inline int64_t durationOf(const AVFrame& frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
  return frame.duration;
#else
  return frame.pkt_duration;
#endif
}

// Whether the frame consists of two fields of different times, and which comes first.
inline bool isInterlaced(const AVFrame& frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
  return (frame.flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
  return frame.interlaced_frame != 0;
#endif
}
inline bool isTopFieldFirst(const AVFrame& frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
  return (frame.flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
#else
  return frame.top_field_first != 0;
#endif
}
// Marks the frame as progressive.
inline void clearInterlaced(AVFrame& frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
  frame.flags &= ~(AV_FRAME_FLAG_INTERLACED | AV_FRAME_FLAG_TOP_FIELD_FIRST);
#else
  frame.interlaced_frame = frame.top_field_first = 0;
#endif
}

// Side data in the stream's header; null: none, or too short.
template <class T>
const T* sideDataOf(const AVStream& stream, AVPacketSideDataType type, size_t count = 1) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 102)
  const AVPacketSideData* const side =
      av_packet_side_data_get(stream.codecpar->coded_side_data, stream.codecpar->nb_coded_side_data, type);
  const uint8_t* const bytes = side == nullptr ? nullptr : side->data;
  const size_t size = side == nullptr ? 0 : side->size;
#else
  size_t size = 0;
  const uint8_t* const bytes = av_stream_get_side_data(&stream, type, &size);
#endif
  return bytes != nullptr && size >= count * sizeof(T) ? reinterpret_cast<const T*>(bytes) : nullptr;
}

// The 3x3 display matrix; null: none.
inline const int32_t* displayMatrixOf(const AVStream& stream) {
  return sideDataOf<int32_t>(stream, AV_PKT_DATA_DISPLAYMATRIX, 9);
}

}  // namespace framewright
