#include <algorithm>
#include <cmath>

#include "libav/encode/video/families.h"
#include "libav/encode/video/svt_av1/still_span_encoder.h"
#include "libav/light/content_light.h"
#include "libav/light/mastering_display.h"

namespace framewright {
namespace {

void configure(const VideoEncoderSettings& settings, int, AVCodecContext& context, Options& options) {
  options.set("preset", settings.preset.c_str());
  // SVT-AV1 takes integers, and libav treats 0 as unset.
  const long crf = std::max(1L, std::lround(settings.crf));
  options.set("crf", std::to_string(crf).c_str());
  context.bit_rate = 0;
  // Key frames are closed-GOP (irefresh-type 2) and only where they are due or forced: no scene detection
  // (scd), which would move them.
  std::string parameters = "irefresh-type=2:scd=0:enable-force-key-frames=1";
  if (settings.threads > 0) parameters += ":lp=" + std::to_string(settings.threads);
  if (settings.mastering) {
    parameters += ":mastering-display=" + masteringDisplayText(*settings.mastering, Av1Units{}) +
                  ":content-light=" + contentLightPlaceholder();
  }
  options.set("svtav1-params", parameters.c_str());
}

std::unique_ptr<LibavVideoEncoder> createEncoder(const VideoEncoderSettings& settings) {
  if (!Av1StillSpanEncoder::supports(settings)) return nullptr;
  return std::make_unique<Av1StillSpanEncoder>(settings);
}

}  // namespace

const EncoderFamily kSvtAv1{.name = "libsvtav1",
                            .codec = VideoCodec::kAv1,
                            .fastPreset = "12",
                            .needsFrameBeforeClose = true,
                            .maxCrf = 63,
                            .configure = configure,
                            .createEncoder = createEncoder};

}  // namespace framewright
