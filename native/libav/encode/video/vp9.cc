#include "libav/encode/video/families.h"

namespace framewright {
namespace {

void configure(const VideoEncoderSettings& settings, int, AVCodecContext& context, Options& options) {
  options.set("deadline", "good");
  options.set("cpu-used", settings.preset.c_str());
  options.set("row-mt", "1");
  options.set("auto-alt-ref", "1");
  // More frames cost memory and hardly save data.
  options.set("lag-in-frames", "16");
  options.set("crf", std::to_string(settings.crf).c_str());
  context.bit_rate = 0;
}

}  // namespace

const EncoderFamily kVp9{
    .name = "libvpx-vp9", .codec = VideoCodec::kVp9, .fastPreset = "8", .maxCrf = 63, .configure = configure};

}  // namespace framewright
