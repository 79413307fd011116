#include "libav/hardware/decode/probe_clip.h"

#include <algorithm>
#include <utility>

#include "libav/encode/encode_frame.h"
#include "libav/encode/video/families.h"
#include "libav/encode/video/open_encoder.h"

namespace framewright {
namespace {

constexpr double kCrf = 16;  // keeps most of the texture
constexpr int kGopFrames = 16;

Result<ImagePtr> testPattern(int width, int height, int number) {
  FW_ASSIGN_OR_RETURN(std::shared_ptr<Image> image, Image::create(PixelFormat::kI420, width, height));
  for (int p = 0; p < 3; ++p) {
    const Plane& plane = image->plane(p);
    for (int y = 0; y < plane.height; ++y) {
      uint8_t* const row = plane.data + y * plane.stride;
      for (int x = 0; x < plane.width; ++x) {
        const int movedX = x + 3 * number, movedY = y - number;
        const int grain = ((movedX * 7 + movedY * 13) ^ (movedX * movedY >> 4)) & 31;
        row[x] = static_cast<uint8_t>(50 + (movedX / 8 + movedY / 8 * (p + 1)) % 5 * 25 + grain);
      }
    }
  }
  return ImagePtr(std::move(image));
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

Result<ProbeClip> makeProbeClip(AVCodecID codec, int width, int height, int frameCount) {
  VideoEncoderSettings settings;
  settings.encoder = codec == AV_CODEC_ID_HEVC ? "libx265" : "libx264";
  const EncoderFamily* const family = findEncoderFamily(settings.encoder);
  if (family == nullptr)
    return Error{ErrorCode::ENCODER_UNAVAILABLE, "this build has no " + settings.encoder, ""};
  settings.preset = "veryfast";
  settings.crf = kCrf;
  settings.width = width;
  settings.height = height;
  settings.keyframeInterval = kGopFrames;
  settings.stillKeyframeInterval = 0;
  OpenResult outcome = openEncoder(*family, settings);
  if (!outcome.opened) return outcome.refusal.error;
  AVCodecContext& encoder = *outcome.opened->context;
  ProbeClip clip;
  FW_ASSIGN_OR_RETURN(clip.head.stream, describe(encoder, clip));
  for (int i = 0; i < frameCount; ++i) {
    FW_ASSIGN_OR_RETURN(const ImagePtr image, testPattern(width, height, i));
    FW_ASSIGN_OR_RETURN(const FramePtr frame, outcome.opened->input.frame(image, i));
    FW_RETURN_IF_ERROR(encode(encoder, frame.get(), clip.head));
  }
  FW_RETURN_IF_ERROR(encode(encoder, nullptr, clip.head));
  return clip;
}

}  // namespace framewright
