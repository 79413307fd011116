#pragma once

#include "libav/av_handle.h"

namespace framewright {

// Sends a frame (null: drain) to the encoder and each packet that it outputs to `sink`, a function of
// AVPacket& that returns a Status. Fails with ENCODE_FAILED and the message `failure`, or as the sink does.
template <typename Sink>
Status encodeFrame(AVCodecContext& encoder, const AVFrame* frame, const char* failure, const Sink& sink) {
  FW_ASSIGN_OR_RETURN(const PacketPtr packet, allocatePacket());
  int status = avcodec_send_frame(&encoder, frame);
  while (status >= 0) {
    status = avcodec_receive_packet(&encoder, packet.get());
    if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return {};
    if (status >= 0) FW_RETURN_IF_ERROR(sink(*packet));
    av_packet_unref(packet.get());
  }
  return avError(ErrorCode::ENCODE_FAILED, failure, status);
}

}  // namespace framewright
