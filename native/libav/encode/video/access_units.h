#pragma once

#include <cstdint>
#include <span>

#include "core/result.h"
#include "libav/av_parameters.h"
#include "libav/encode/encode_frame.h"

namespace framewright {

// Sends a frame (null: drain) to the encoder and its packets to the inserter.
template <typename Inserter>
Status encodeThrough(Inserter& inserter, AVCodecContext& encoder, const AVFrame* frame) {
  return encodeFrame(encoder, frame, "the encoder rejected a frame", [&](const AVPacket& packet) {
    const bool isKey = (packet.flags & AV_PKT_FLAG_KEY) != 0;
    return inserter.push({packet.data, static_cast<size_t>(packet.size)}, packet.pts, isKey);
  });
}

// An inserter's output as a packet of one frame without reordering. Fails with OUT_OF_MEMORY.
inline Result<PacketPtr> framePacket(std::span<const uint8_t> data, int64_t displayIndex, bool isKey) {
  FW_ASSIGN_OR_RETURN(PacketPtr packet, makePacket(data));
  packet->pts = packet->dts = displayIndex;
  packet->duration = 1;
  if (isKey) packet->flags |= AV_PKT_FLAG_KEY;
  return packet;
}

}  // namespace framewright
