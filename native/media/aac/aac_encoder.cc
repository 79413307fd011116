#include "media/aac/aac_encoder.h"

#include <algorithm>
#include <string>
#include <utility>

#include "media/audio_encoder.h"
#include "media/av_error.h"

namespace framewright {
namespace {

Error noMemory(const char* what) { return avError(ErrorCode::OUT_OF_MEMORY, what, AVERROR(ENOMEM)); }

}  // namespace

Result<std::unique_ptr<AacEncoder>> AacEncoder::open(int bitrate) {
  const AVCodec* codec = avcodec_find_encoder_by_name("aac");
  if (codec == nullptr)
    return Error{ErrorCode::ENCODER_UNAVAILABLE, "the encoder aac is not part of this build", ""};
  std::unique_ptr<AacEncoder> encoder(new AacEncoder());
  encoder->context_.reset(avcodec_alloc_context3(codec));
  AVCodecContext* const context = encoder->context_.get();
  if (context == nullptr) return noMemory("encoder");
  context->sample_fmt = AV_SAMPLE_FMT_FLTP;
  context->sample_rate = kSoundRate;
  context->ch_layout = AV_CHANNEL_LAYOUT_STEREO;
  context->bit_rate = bitrate;
  context->time_base = {1, kSoundRate};
  context->flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_BITEXACT;
  // Measured against the twoloop search with music, speech, bells and noise at 96 to 192 kbit/s: less noise
  // above the masking threshold, mostly by decibels, in half of the time or less (in as much where little
  // is to be encoded). Intensity stereo harms tones that are panned, noise substitution everything a
  // little.
  AVDictionary* settings = nullptr;
  for (const auto& [name, value] :
       {std::pair{"aac_coder", "fast"}, std::pair{"aac_is", "0"}, std::pair{"aac_pns", "0"}})
    av_dict_set(&settings, name, value, 0);
  const int status = avcodec_open2(context, codec, &settings);
  av_dict_free(&settings);
  if (status < 0) return avError(ErrorCode::ENCODER_UNAVAILABLE, "the encoder aac cannot be opened", status);
  if (context->initial_padding != kAacPriming || context->frame_size != kAacFrame) {
    return Error{ErrorCode::ENCODER_UNAVAILABLE, "the encoder aac has an unknown priming",
                 std::to_string(context->initial_padding)};
  }
  return encoder;
}

Status AacEncoder::encode(const float* left, const float* right, int count, int64_t sample,
                          std::deque<PacketPtr>& packets) {
  // The encoder keeps references to what it was given, so each frame gets a buffer of its own.
  const FramePtr frame(av_frame_alloc());
  if (frame == nullptr) return noMemory("frame");
  frame->format = AV_SAMPLE_FMT_FLTP;
  frame->sample_rate = kSoundRate;
  frame->ch_layout = AV_CHANNEL_LAYOUT_STEREO;
  frame->nb_samples = count;
  frame->pts = sample;
  if (av_frame_get_buffer(frame.get(), 0) < 0) return noMemory("frame");
  std::copy_n(left, count, reinterpret_cast<float*>(frame->extended_data[0]));
  std::copy_n(right, count, reinterpret_cast<float*>(frame->extended_data[1]));
  return send(frame.get(), packets);
}

Status AacEncoder::send(const AVFrame* frame, std::deque<PacketPtr>& packets) {
  int status = avcodec_send_frame(context_.get(), frame);
  while (status >= 0) {
    PacketPtr packet(av_packet_alloc());
    if (packet == nullptr) return noMemory("packet");
    status = avcodec_receive_packet(context_.get(), packet.get());
    if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return {};
    if (status >= 0) packets.push_back(std::move(packet));
  }
  return avError(ErrorCode::ENCODE_FAILED, "the encoder refused sound", status);
}

}  // namespace framewright
