#include <algorithm>
#include <string>

#include "libav/encode/video/families.h"

// NVIDIA's encoders. libav loads the driver's libraries at run time, so one build supports hosts with and
// without them. av1_nvenc exists from libav 6.0 on.
namespace framewright {
namespace {

constexpr int kLookahead = 20;

// B-frames as references (Turing and later), B-frames, no B-frames (HEVC on Pascal).
constexpr int kVariants = 3;

void configure(const VideoEncoderSettings& settings, int variant, AVCodecContext& context, Options& options) {
  options.set("preset", settings.preset.c_str());
  options.set("tune", "hq");
  // Constant quality needs a variable rate without a target; libav's default target is 2 Mbit/s.
  options.set("rc", "vbr");
  options.set("cq", std::to_string(std::max(1.0, settings.crf)).c_str());
  context.bit_rate = 0;
  context.max_b_frames = variant < 2 ? kNvencBFrames : 0;
  if (variant == 0) {
    options.set("b_ref_mode", "middle");
    options.set("temporal-aq", "1");
  }
  if (variant < 2) options.set("rc-lookahead", std::to_string(kLookahead).c_str());
  options.set("multipass", "qres");
  options.set("spatial-aq", "1");
  options.set("forced-idr", "1");
  options.set("strict_gop", "1");
  options.set("no-scenecut", "1");
  if (context.codec_id == AV_CODEC_ID_H264) options.set("profile", "high");
  if (context.codec_id == AV_CODEC_ID_HEVC) options.set("profile", "main");
}

// Drivers report the session limit as out of memory, newer ones as an incompatible client key.
constexpr std::string_view kNoSession[] = {"OpenEncodeSessionEx failed: out of memory",
                                           "OpenEncodeSessionEx failed: incompatible client key"};
constexpr std::string_view kNoDevice[] = {"Cannot load libcuda",
                                          "Cannot load libnvidia-encode",
                                          "no capable devices",
                                          "No capable devices",
                                          "CUDA_ERROR_NO_DEVICE",
                                          "unsupported device",
                                          "cuInit",
                                          "minimum required Nvidia driver"};

constexpr std::string_view kLacksVariant[] = {"No capable devices"};

// libav takes `cq` up to 51 for AV1, too.
constexpr double kMaxQuality = 51;

constexpr EncoderFamily family(const char* name, VideoCodec codec) {
  return {.name = name,
          .codec = codec,
          .isHardware = true,
          .fastPreset = "p4",
          .inputFormat = AV_PIX_FMT_NV12,
          .isNvenc = true,
          .maxCrf = kMaxQuality,
          .variants = kVariants,
          .configure = configure,
          .noSessionMessages = kNoSession,
          .noDeviceMessages = kNoDevice,
          .lacksVariantMessages = kLacksVariant};
}

}  // namespace

const EncoderFamily kH264Nvenc = family("h264_nvenc", VideoCodec::kH264);
const EncoderFamily kHevcNvenc = family("hevc_nvenc", VideoCodec::kHevc);
const EncoderFamily kAv1Nvenc = family("av1_nvenc", VideoCodec::kAv1);

}  // namespace framewright
