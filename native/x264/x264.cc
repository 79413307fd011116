#include <thread>

#include "libav/encode/video/families.h"
#include "x264/still_span_encoder.h"

namespace framewright {
namespace {

// x264 itself takes half as many threads again, which is for programs that only encode: here others draw and
// decode meanwhile, and each thread holds a few frames. Where pictures are planned, its threads have less to
// do than to wait for one another: one more has cores idle less.
int threadsOf(const VideoEncoderSettings& settings) {
  if (settings.threads > 0) return settings.threads;
  return static_cast<int>(std::thread::hardware_concurrency()) + (settings.arePicturesPlanned ? 1 : 0);
}

// Nothing that x264 would look ahead for, and pictures of every kind as fine as its macroblock tree has them
// before it makes blocks finer (see still_spans/still_span_encoder). What it wants to know of each picture
// all the same, a thread of its own finds out, with one picture waiting for it instead of four.
constexpr const char* kPlanned =
    "stitchable=1:mbtree=0:b-adapt=0:scenecut=0:qcomp=1:pbratio=1:sync-lookahead=1";

void configure(const VideoEncoderSettings& settings, int, AVCodecContext& context, Options& options) {
  context.thread_count = threadsOf(settings);
  options.set("preset", settings.preset.c_str());
  options.set("crf", std::to_string(settings.crf).c_str());
  // Without loss there is a profile of its own (High 4:4:4 Predictive).
  if (settings.crf > 0) options.set("profile", "high");
  options.set("forced-idr", "1");
  // stitchable: no header may depend on the content or on the rate factor.
  options.set("x264-params", settings.arePicturesPlanned ? kPlanned : "stitchable=1");
}

std::unique_ptr<LibavVideoEncoder> writer(const VideoEncoderSettings& settings) {
  if (!StillSpanEncoder::suits(settings)) return nullptr;
  return std::make_unique<StillSpanEncoder>(settings);
}

}  // namespace

const EncoderFamily kX264{.name = "libx264",
                          .codec = VideoCodec::kH264,
                          .fastPreset = "veryfast",
                          .configure = configure,
                          .writer = writer};

}  // namespace framewright
