#include "libav/hardware/decode/probe_clip.h"

#include <utility>

#include "libav/av_error.h"
#include "libav/encode/encode_frame.h"

namespace framewright {
namespace {

constexpr int kGopFrames = 16;

// How a codec is encoded in software: fast, and so good that most of the texture stays.
struct ClipEncoder {
  AVCodecID codec;
  const char *name, *options;
};
constexpr ClipEncoder kClipEncoders[] = {
    {AV_CODEC_ID_H264, "libx264", "preset=veryfast:crf=16"},
    {AV_CODEC_ID_HEVC, "libx265", "preset=veryfast:crf=16:x265-params=log-level=none"},
    {AV_CODEC_ID_VP9, "libvpx-vp9", "deadline=realtime:cpu-used=8:lag-in-frames=8:auto-alt-ref=1:crf=16:b=0"},
    {AV_CODEC_ID_AV1, "libsvtav1", "preset=10:crf=20"},
};

struct FreeOptions {
  void operator()(AVDictionary* options) const { av_dict_free(&options); }
};

int sampleOf(int x, int y, int plane, int number) {
  const int movedX = x + 3 * number, movedY = y - number;
  const int grain = ((movedX * 7 + movedY * 13) ^ (movedX * movedY >> 4)) & 31;
  return 50 + (movedX / 8 + movedY / 8 * (plane + 1)) % 5 * 25 + grain;
}

template <class Sample>
void drawPattern(const AVFrame& frame, int number) {
  for (int p = 0; p < 3; ++p) {
    const int shift = p == 0 ? 0 : 1;
    for (int y = 0; y < (frame.height + shift) >> shift; ++y) {
      auto* const row = reinterpret_cast<Sample*>(frame.data[p] + y * frame.linesize[p]);
      for (int x = 0; x < (frame.width + shift) >> shift; ++x) {
        // Samples of 10 bits use all of them.
        const int sample = sampleOf(x, y, p, number);
        row[x] = static_cast<Sample>(sizeof(Sample) == 1 ? sample : 4 * sample + ((x + y + number) & 3));
      }
    }
  }
}

Result<FramePtr> testPattern(const AVCodecContext& encoder, int number) {
  FW_ASSIGN_OR_RETURN(FramePtr frame, allocateFrame());
  frame->format = encoder.pix_fmt;
  frame->width = encoder.width;
  frame->height = encoder.height;
  frame->pts = number;
  if (av_frame_get_buffer(frame.get(), 0) < 0) return outOfMemory("frame");
  if (encoder.pix_fmt == AV_PIX_FMT_YUV420P) {
    drawPattern<uint8_t>(*frame, number);
  } else {
    drawPattern<uint16_t>(*frame, number);
  }
  return frame;
}

Result<CodecContextPtr> openClipEncoder(const DecodeFormat& format, int width, int height) {
  const ClipEncoder* wanted = nullptr;
  for (const ClipEncoder& known : kClipEncoders) {
    if (known.codec == format.codec) wanted = &known;
  }
  const AVCodec* const codec = wanted == nullptr ? nullptr : avcodec_find_encoder_by_name(wanted->name);
  if (codec == nullptr) {
    return Error{ErrorCode::ENCODER_UNAVAILABLE, "this libav build has no encoder of " + format.name(), ""};
  }
  CodecContextPtr encoder(avcodec_alloc_context3(codec));
  if (encoder == nullptr) return outOfMemory("encoder");
  encoder->width = width;
  encoder->height = height;
  encoder->pix_fmt = format.bits == 8 ? AV_PIX_FMT_YUV420P : AV_PIX_FMT_YUV420P10LE;
  encoder->time_base = {1, 30};
  encoder->framerate = {30, 1};
  encoder->gop_size = kGopFrames;
  encoder->thread_count = width > 1280 ? 0 : 1;
  encoder->color_range = AVCOL_RANGE_MPEG;
  encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  AVDictionary* parsed = nullptr;
  int status = av_dict_parse_string(&parsed, wanted->options, "=", ":", 0);
  if (status >= 0) status = avcodec_open2(encoder.get(), codec, &parsed);
  const std::unique_ptr<AVDictionary, FreeOptions> left(parsed);
  if (status < 0) {
    return avError(ErrorCode::ENCODE_FAILED, "cannot encode a clip of " + format.name() + " to probe with",
                   status);
  }
  return encoder;
}

// A null frame drains the encoder.
Status encode(AVCodecContext& encoder, const AVFrame* frame, ClipHead& head) {
  return encodeFrame(encoder, frame, "cannot encode a clip to probe with", [&](AVPacket& output) -> Status {
    FW_ASSIGN_OR_RETURN(PacketPtr packet, allocatePacket());
    av_packet_move_ref(packet.get(), &output);
    head.packets.push_back(std::move(packet));
    return {};
  });
}

Result<AVStream*> describe(const AVCodecContext& encoder, ProbeClip& clip) {
  clip.owner.reset(avformat_alloc_context());
  AVStream* const stream = clip.owner == nullptr ? nullptr : avformat_new_stream(clip.owner.get(), nullptr);
  if (stream == nullptr || avcodec_parameters_from_context(stream->codecpar, &encoder) < 0)
    return outOfMemory("stream");
  stream->time_base = encoder.time_base;
  return stream;
}

}  // namespace

Result<ProbeClip> makeProbeClip(const DecodeFormat& format, int width, int height, int frameCount) {
  FW_ASSIGN_OR_RETURN(const CodecContextPtr encoder, openClipEncoder(format, width, height));
  ProbeClip clip;
  FW_ASSIGN_OR_RETURN(clip.head.stream, describe(*encoder, clip));
  for (int i = 0; i < frameCount; ++i) {
    FW_ASSIGN_OR_RETURN(const FramePtr frame, testPattern(*encoder, i));
    FW_RETURN_IF_ERROR(encode(*encoder, frame.get(), clip.head));
  }
  FW_RETURN_IF_ERROR(encode(*encoder, nullptr, clip.head));
  return clip;
}

}  // namespace framewright
