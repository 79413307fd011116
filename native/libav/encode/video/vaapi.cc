#include <algorithm>
#include <cmath>
#include <string>

#include "libav/encode/video/families.h"

// Intel's and AMD's encoders through DRM render nodes. av1_vaapi exists from libav 6.1 on.
namespace framewright {
namespace {

// Constant quality (ICQ), constant QP, and constant QP on the low-power engine, the only one of newer Intel
// GPUs.
constexpr int kVariants = 3;

void configure(const VideoEncoderSettings& settings, int variant, AVCodecContext& context, Options& options) {
  const bool av1 = context.codec_id == AV_CODEC_ID_AV1;
  // AV1 drivers take the quantiser index, 0 to 255.
  const int quality = std::max(1, static_cast<int>(std::lround(av1 ? settings.crf * 4 : settings.crf)));
  context.bit_rate = 0;
  context.global_quality = quality;
  // Much of this hardware has no B-frames, and drivers announce their delay inconsistently.
  context.max_b_frames = 0;
  options.set("rc_mode", variant == 0 ? "ICQ" : "CQP");
  if (variant > 0 && !av1) options.set("qp", std::to_string(quality).c_str());
  if (variant == 2) options.set("low_power", "1");
  // Every key frame starts a closed GOP.
  options.set("idr_interval", "0");
  options.set("profile", context.codec_id == AV_CODEC_ID_H264 ? "high" : "main");
}

// libva's texts of VA_STATUS_ERROR_ALLOCATION_FAILED, _MAX_NUM_EXCEEDED and _HW_BUSY.
constexpr std::string_view kNoSession[] = {"resource allocation failed",
                                           "list argument exceeds maximum number", "HW busy now"};
constexpr std::string_view kNoDevice[] = {"render node", "No VA display found", "Failed to initialise VAAPI"};

constexpr EncoderFamily family(const char* name, VideoCodec codec, double maxCrf) {
  return {.name = name,
          .codec = codec,
          .isHardware = true,
          .inputFormat = AV_PIX_FMT_NV12,
          .device = AV_HWDEVICE_TYPE_VAAPI,
          .maxCrf = maxCrf,
          .variants = kVariants,
          .configure = configure,
          .noSessionMessages = kNoSession,
          .noDeviceMessages = kNoDevice};
}

}  // namespace

const EncoderFamily kH264Vaapi = family("h264_vaapi", VideoCodec::kH264, 51);
const EncoderFamily kHevcVaapi = family("hevc_vaapi", VideoCodec::kHevc, 51);
const EncoderFamily kAv1Vaapi = family("av1_vaapi", VideoCodec::kAv1, 63);

}  // namespace framewright
