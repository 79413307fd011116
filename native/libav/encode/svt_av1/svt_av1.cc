#include <algorithm>
#include <cmath>

#include "libav/encode/svt_av1/still_encoder.h"
#include "libav/encode/video/families.h"

namespace framewright {
namespace {

void configure(const VideoEncoderSettings& settings, int, AVCodecContext& context, Options& options) {
  options.set("preset", settings.preset.c_str());
  // Whole numbers; 0 would mean to libav that none was given.
  const long crf = std::max(1L, std::lround(settings.crf));
  options.set("crf", std::to_string(crf).c_str());
  context.bit_rate = 0;
  // Key frames close their group (irefresh-type 2), and only where they are due or asked for: no scene
  // detection, which would move them (scd).
  std::string parameters = "irefresh-type=2:scd=0:enable-force-key-frames=1";
  if (settings.threads > 0) parameters += ":lp=" + std::to_string(settings.threads);
  options.set("svtav1-params", parameters.c_str());
}

std::unique_ptr<LibavVideoEncoder> writer(const VideoEncoderSettings& settings) {
  if (!Av1StillEncoder::suits(settings)) return nullptr;
  return std::make_unique<Av1StillEncoder>(settings);
}

}  // namespace

const EncoderFamily kSvtAv1{.name = "libsvtav1",
                            .codec = VideoCodec::kAv1,
                            .fastPreset = "12",
                            .needsPictureBeforeClosing = true,
                            .worstQuality = 63,
                            .configure = configure,
                            .writer = writer};

}  // namespace framewright
