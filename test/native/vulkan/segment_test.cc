#include <filesystem>
#include <fstream>
#include <iterator>

#include "libav/encode/video/families.h"
#include "libav/media_fixture.h"
#include "render/render.h"
#include "vulkan/software_device.h"

namespace framewright {
namespace {

constexpr int kWidth = 64, kHeight = 48;

Clip videoClip(int id, int64_t start, int64_t frames, const Rect& box) {
  Clip clip;
  clip.id = id;
  clip.source = 0;
  clip.start = start;
  clip.frames = frames;
  clip.box = box;
  return clip;
}

// A video, a still of half a second, then another range of the video through a transition.
Timeline movie(const std::string& video, CompositorChoice compositor) {
  Timeline timeline;
  timeline.width = kWidth;
  timeline.height = kHeight;
  timeline.fps = {30, 1};
  timeline.frames = 60;
  timeline.compositor = compositor;
  timeline.sources.push_back({SourceKind::kVideo, video, "scenes.0.elements.0"});
  Section first, second;
  first.label = "scene_1";
  first.frames = 40;
  first.background = {20, 60, 90, 255};
  first.clips.push_back(videoClip(1, 0, 15, {4, 4, 40, 30}));
  second.label = "scene_2";
  second.start = 40;
  second.frames = 20;
  second.background = {90, 30, 20, 255};
  second.transition = Transition{"radial", 10};
  second.clips.push_back(videoClip(2, 0, 20, {0, 0, kWidth, kHeight}));
  timeline.sections = {first, second};
  return timeline;
}

void configureLikeX264(const VideoEncoderSettings& settings, int variant, AVCodecContext& context,
                       Options& options) {
  x264Family().configure(settings, variant, context, options);
}

// An encoder with the input format of NVENC and VAAPI.
const EncoderFamily kOfPairs{.name = "test-pairs",
                             .codec = VideoCodec::kH264,
                             .libavName = "libx264",
                             .inputFormat = AV_PIX_FMT_NV12,
                             .configure = configureLikeX264};

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("a segment with several frames in flight equals one drawn frame by frame") {
  const SoftwareDevice software(false);
  const std::string video = fixture::countingVideo("r25.mp4", "25", "64x48", 60, fixture::kH264 + " -g 12");
  const std::string onHost = fixture::path("on-host.nut"), onDevice = fixture::path("on-device.nut");
  const CancelToken never;
  addEncoderFamily(kOfPairs);
  for (const std::string encoder : {"libx264", "test-pairs"}) {
    CAPTURE(encoder);
    Timeline cpu = movie(video, CompositorChoice::kCpu), device = movie(video, CompositorChoice::kVulkan);
    cpu.encode.encoder = device.encode.encoder = encoder;
    // Lossless: at other settings x264 may decide differently from run to run.
    cpu.encode.crf = device.encode.crf = 0;
    const auto expected = renderSegment(cpu, {0, 60}, onHost, {}, never);
    const auto drawn = renderSegment(device, {0, 60}, onDevice, {}, never);
    REQUIRE(expected.ok());
    INFO((drawn.ok() ? "" : drawn.error().message + " " + drawn.error().detail));
    REQUIRE(drawn.ok());
    CHECK(drawn.value().frames == 60);
    CHECK(drawn.value().composedFrames == expected.value().composedFrames);
    CHECK(drawn.value().composedFrames < 60);
    CHECK(contents(onDevice) == contents(onHost));
    CHECK(contents(onDevice).size() > 1000);
  }
}

}  // namespace framewright
