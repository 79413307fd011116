#include <string>
#include <thread>

#include "libav/encode/video/families.h"
#include "libav/encode/video/x264_instructions.h"
#include "x264/still_span_encoder.h"

namespace framewright {
namespace {

// x264's default is 1.5 threads per core, which suits programs that only encode. Here other threads decode
// and compose meanwhile, and each encoder thread holds several frames. With an external lookahead the threads
// wait for each other more, so one extra keeps the cores busy.
int threadCount(const VideoEncoderSettings& settings) {
  if (settings.threads > 0) return settings.threads;
  return static_cast<int>(std::thread::hardware_concurrency()) + (settings.hasExternalLookahead ? 1 : 0);
}

// Switches x264's lookahead off and gives all frame types the base quality they have before the macroblock
// tree lowers QPs (see FramePlanner). The remaining frame analysis runs on a thread of its own with one frame
// queued instead of four.
constexpr const char* kExternalLookaheadParams =
    "stitchable=1:mbtree=0:b-adapt=0:scenecut=0:qcomp=1:pbratio=1:sync-lookahead=1";

void configure(const VideoEncoderSettings& settings, int, AVCodecContext& context, Options& options) {
  context.thread_count = threadCount(settings);
  options.set("preset", settings.preset.c_str());
  options.set("crf", std::to_string(settings.crf).c_str());
  // Lossless needs a profile of its own (High 4:4:4 Predictive).
  if (settings.crf > 0) options.set("profile", "high");
  options.set("forced-idr", "1");
  // stitchable: no header may depend on the content or on the rate factor.
  std::string parameters = settings.hasExternalLookahead ? kExternalLookaheadParams : "stitchable=1";
  if (settings.matchesVeryfast) {
    options.set("refs", "1");
    options.set("psy-rd", "0");
    const int lookahead = x264::footageLookaheadFrames(settings.width, settings.height);
    options.set("rc-lookahead", std::to_string(lookahead).c_str());
  }
  if (const char* instructions = x264Instructions()) parameters += std::string(":") + instructions;
  options.set("x264-params", parameters.c_str());
}

std::unique_ptr<LibavVideoEncoder> createEncoder(const VideoEncoderSettings& settings) {
  if (!x264::StillSpanEncoder::supports(settings)) return nullptr;
  return std::make_unique<x264::StillSpanEncoder>(settings);
}

}  // namespace

const EncoderFamily& x264Family() {
  static const EncoderFamily family{.name = "libx264",
                                    .codec = VideoCodec::kH264,
                                    .fastPreset = "veryfast",
                                    .configure = configure,
                                    .createEncoder = createEncoder};
  return family;
}

}  // namespace framewright
