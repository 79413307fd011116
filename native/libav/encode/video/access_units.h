#pragma once

#include <cstdint>
#include <span>

#include "core/result.h"
#include "libav/av_error.h"
#include "libav/av_handle.h"
#include "libav/av_parameters.h"

namespace framewright {

// Gives the encoder a frame, or none at the end, and the inserter what then comes out. `packet` is empty
// before and after.
template <typename Inserter>
Status encodeThrough(Inserter& inserter, AVCodecContext& encoder, const AVFrame* frame, AVPacket& packet) {
  int status = avcodec_send_frame(&encoder, frame);
  while (status >= 0) {
    status = avcodec_receive_packet(&encoder, &packet);
    if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return {};
    if (status < 0) break;
    const bool isKey = (packet.flags & AV_PKT_FLAG_KEY) != 0;
    const Status taken = inserter.push({packet.data, static_cast<size_t>(packet.size)}, packet.pts, isKey);
    av_packet_unref(&packet);
    FW_RETURN_IF_ERROR(taken);
  }
  return avError(ErrorCode::ENCODE_FAILED, "the encoder refused a frame", status);
}

// What a inserter gives, as a packet of one frame that is shown as it is decoded. Fails with OUT_OF_MEMORY.
inline Result<PacketPtr> framePacket(std::span<const uint8_t> data, int64_t shown, bool isKey) {
  PacketPtr packet = packetOf(data);
  if (packet == nullptr) return avError(ErrorCode::OUT_OF_MEMORY, "encoder", AVERROR(ENOMEM));
  packet->pts = packet->dts = shown;
  packet->duration = 1;
  if (isKey) packet->flags |= AV_PKT_FLAG_KEY;
  return packet;
}

}  // namespace framewright
