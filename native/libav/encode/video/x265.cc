#include "libav/encode/video/families.h"
#include "libav/light/content_light.h"
#include "libav/light/mastering_display.h"

namespace framewright {
namespace {

void configure(const VideoEncoderSettings& settings, int, AVCodecContext&, Options& options) {
  options.set("preset", settings.preset.c_str());
  options.set("crf", std::to_string(settings.crf).c_str());
  options.set("profile", settings.bitDepth == 10 ? "main10" : "main");
  options.set("forced-idr", "1");
  // Open GOPs would refer across a segment boundary. `info` writes an SEI with the options, including the
  // CRF; `hrd` would write its limits into the headers. Psychovisual optimization, which presets up to `fast`
  // lack, would give the words of a script's `quality` different looks, and costs data at equal SSIM.
  std::string parameters = "log-level=none:info=0:open-gop=0:hrd=0:psy-rd=0:psy-rdoq=0";
  // Segments are encoded in parallel, so that a second frame at once and a longer lookahead would cost more
  // memory than they gain time and data.
  parameters += ":frame-threads=1:rc-lookahead=12";
  if (settings.threads > 0) parameters += ":pools=" + std::to_string(settings.threads);
  if (settings.mastering) {
    // Key frames repeat the headers, so that packets have the light.
    parameters +=
        ":hdr10=1:repeat-headers=1:master-display=" + masteringDisplayText(*settings.mastering, HevcUnits{}) +
        ":max-cll=" + contentLightPlaceholder();
  }
  options.set("x265-params", parameters.c_str());
}

}  // namespace

const EncoderFamily kX265{.name = "libx265",
                          .codec = VideoCodec::kHevc,
                          .fastPreset = "ultrafast",
                          .maxReorderFrames = 2,
                          .configure = configure};

}  // namespace framewright
