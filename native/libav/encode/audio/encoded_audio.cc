#include "libav/encode/audio/encoded_audio.h"

#include <algorithm>

#include "libav/av_error.h"
#include "libav/codec_policy.h"
#include "libav/encode/audio/audio_encoder.h"
#include "libav/mux/packet_file.h"

namespace framewright {
namespace {

Error undecodable(int status) {
  return avError(ErrorCode::DECODE_FAILED, "the encoded audio cannot be decoded", status);
}

}  // namespace

Status decodeEncodedAudio(const std::string& path, int64_t samples, const CancelToken& cancel,
                          const AudioSink& sink) {
  FW_ASSIGN_OR_RETURN(const auto file, PacketFile::open(path));
  FW_ASSIGN_OR_RETURN(const auto decoder, openDecoder(file->stream(), 1));
  FW_ASSIGN_OR_RETURN(const PacketPtr packet, allocatePacket());
  FW_ASSIGN_OR_RETURN(const FramePtr frame, allocateFrame());
  int64_t position = -kAacPriming;
  for (bool more = true; position < samples;) {
    if (cancel.cancelled()) return cancelledError();
    int status = avcodec_receive_frame(decoder.get(), frame.get());
    if (status == AVERROR_EOF || (status == AVERROR(EAGAIN) && !more)) return {};
    if (status == AVERROR(EAGAIN)) {
      FW_ASSIGN_OR_RETURN(more, file->read(*packet));
      status = avcodec_send_packet(decoder.get(), more ? packet.get() : nullptr);
      if (status < 0) return undecodable(status);
      continue;
    }
    if (status < 0) return undecodable(status);
    if (frame->format != AV_SAMPLE_FMT_FLTP || frame->ch_layout.nb_channels != 2) {
      return undecodable(AVERROR_INVALIDDATA);
    }
    const int64_t skip = std::clamp<int64_t>(-position, 0, frame->nb_samples);
    const int64_t count = std::min(frame->nb_samples - skip, samples - std::max<int64_t>(0, position));
    if (count > 0) {
      FW_RETURN_IF_ERROR(sink(reinterpret_cast<const float*>(frame->extended_data[0]) + skip,
                              reinterpret_cast<const float*>(frame->extended_data[1]) + skip, count));
    }
    position += frame->nb_samples;
  }
  return {};
}

}  // namespace framewright
