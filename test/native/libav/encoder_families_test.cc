#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>

#include <doctest/doctest.h>

#include "libav/encode/video/encoder_devices.h"
#include "libav/encode/video/encoder_probe.h"
#include "libav/encode/video/families.h"
#include "libav/encode/video/libav_video_encoder.h"
#include "libav/encode/video/open_encoder.h"
#include "libav/log_capture.h"
#include "libav/media_fixture.h"

using namespace framewright;

namespace {

VideoEncoderSettings settingsFor(const std::string& encoder) {
  VideoEncoderSettings settings;
  settings.encoder = encoder;
  if (encoder == "libsvtav1") settings.preset = "12";
  if (encoder == "libvpx-vp9") settings.preset = "8";
  if (encoder.find("nvenc") != std::string::npos) settings.preset = "p4";
  settings.crf = 30;
  settings.width = 320;
  settings.height = 182;
  settings.threads = 1;
  return settings;
}

// A ramp that differs for every number.
ImagePtr rampImage(int width, int height, int number) {
  auto image = Image::create(PixelFormat::kI420, width, height).take();
  for (int i = 0; i < 3; ++i) {
    const Plane& plane = image->plane(i);
    for (int y = 0; y < plane.height; ++y)
      for (int x = 0; x < plane.width; ++x)
        plane.data[y * plane.stride + x] = static_cast<uint8_t>(40 + (x * (i + 1) + y + number * 3) % 160);
  }
  return image;
}

std::vector<uint8_t> segmentOf(const VideoEncoderSettings& settings, int frames) {
  const std::string path = fixture::path("family-" + settings.encoder + ".nut");
  auto encoder = VideoEncoder::open(settings, path);
  if (!encoder.ok()) FAIL(encoder.error().message << " " << encoder.error().detail);
  for (int k = 0; k < frames; ++k)
    REQUIRE(encoder.value()->encode({rampImage(settings.width, settings.height, k)}).ok());
  REQUIRE(encoder.value()->finish().ok());
  return fixture::readFile(path);
}

std::vector<uint8_t> headersOf(const VideoEncoderSettings& settings) {
  const auto outcome = openEncoder(*findEncoderFamily(settings.encoder), settings);
  REQUIRE(outcome.opened);
  const AVCodecContext& context = *outcome.opened->context;
  return {context.extradata, context.extradata + context.extradata_size};
}

void configureLikeX264(const VideoEncoderSettings& settings, int variant, AVCodecContext& context,
                       Options& options) {
  x264Family().configure(settings, variant, context, options);
}

const EncoderFamily kSemiplanar{.name = "test-semiplanar",
                                .codec = VideoCodec::kH264,
                                .libavName = "libx264",
                                .inputFormat = AV_PIX_FMT_NV12,
                                .configure = configureLikeX264};

// Supports only its second variant, like an older chip.
const EncoderFamily kChoosy{.name = "test-choosy",
                            .codec = VideoCodec::kH264,
                            .isHardware = true,
                            .libavName = "libx264",
                            .fastPreset = "veryfast",
                            .variants = 2,
                            .configure = [](const VideoEncoderSettings& settings, int variant,
                                            AVCodecContext& context, Options& options) {
                              x264Family().configure(settings, variant, context, options);
                              if (variant == 0) options.set("preset", "not known to this chip");
                            }};

constexpr std::string_view kAnyMessage[] = {""};

// All of its sessions are in use.
const EncoderFamily kBusy{.name = "test-busy",
                          .codec = VideoCodec::kH264,
                          .isHardware = true,
                          .libavName = "libx264",
                          .variants = 2,
                          .configure = [](const VideoEncoderSettings&, int, AVCodecContext&,
                                          Options& options) { options.set("preset", "no"); },
                          .noSessionMessages = kAnyMessage};

// A driver that fails during a render.
class BreakingEncoder final : public LibavVideoEncoder {
  Status send(const AVFrame* frame) override {
    if (++sent_ <= 5) return LibavVideoEncoder::send(frame);
    return Error{ErrorCode::ENCODE_FAILED, "the encoder rejected a frame", "driver reset"};
  }
  int sent_ = 0;
};

const EncoderFamily kBreaking{
    .name = "test-breaking",
    .codec = VideoCodec::kH264,
    .isHardware = true,
    .libavName = "libx264",
    .configure = configureLikeX264,
    .createEncoder = [](const VideoEncoderSettings&) -> std::unique_ptr<LibavVideoEncoder> {
      return std::make_unique<BreakingEncoder>();
    }};

const bool isSilent = [] {
  silenceLog();
  return true;
}();

const EncoderFamily& added(const EncoderFamily& family) {
  if (findEncoderFamily(family.name) == nullptr) addEncoderFamily(family);
  return family;
}

}  // namespace

TEST_CASE("an encoder can be destroyed at any time") {
  for (const std::string encoder : {"libx264", "libx265", "libsvtav1", "libvpx-vp9"}) {
    CAPTURE(encoder);
    for (const int frames : {0, 1, 20}) {
      const std::string path = fixture::path("given-up.nut");
      const VideoEncoderSettings settings = settingsFor(encoder);
      {
        auto opened = VideoEncoder::open(settings, path);
        REQUIRE(opened.ok());
        for (int k = 0; k < frames; ++k)
          REQUIRE(opened.value()->encode({rampImage(settings.width, settings.height, k)}).ok());
      }
      CHECK(!std::filesystem::exists(path));
    }
  }
}

TEST_CASE("each codec has CPU, NVIDIA and VAAPI encoder families with distinct names") {
  std::set<std::string> names;
  for (const VideoCodec codec : {VideoCodec::kH264, VideoCodec::kHevc, VideoCodec::kAv1}) {
    int software = 0, hardware = 0;
    for (const EncoderFamily* family : encoderFamilies()) {
      if (family->codec != codec || std::string(family->name).starts_with("test-")) continue;
      ++(family->isHardware ? hardware : software);
      CHECK(names.insert(family->name).second);
      CHECK(family->maxCrf == (codec == VideoCodec::kAv1 && !family->isNvenc ? 63 : 51));
      CHECK((family->inputFormat == AV_PIX_FMT_NV12) == family->isHardware);
    }
    CHECK(software == 1);
    CHECK(hardware == 2);
  }
  CHECK(findEncoderFamily("libxvid") == nullptr);
}

TEST_CASE("headers do not depend on the quality, so that segments can be joined") {
  for (const std::string encoder : {"libx264", "libx265", "libsvtav1"}) {
    CAPTURE(encoder);
    VideoEncoderSettings settings = settingsFor(encoder);
    const auto headers = headersOf(settings);
    CHECK(headers.size() > 10);
    settings.crf = 18;
    CHECK(headersOf(settings) == headers);
    settings.threads = 2;
    CHECK(headersOf(settings) == headers);
    settings.width = 640;
    CHECK(headersOf(settings) != headers);
  }
}

// x264 may decide differently from run to run.
TEST_CASE("x265, SVT-AV1 and VP9 are deterministic") {
  for (const std::string encoder : {"libx265", "libsvtav1", "libvpx-vp9"}) {
    CAPTURE(encoder);
    const VideoEncoderSettings settings = settingsFor(encoder);
    const auto once = segmentOf(settings, 30);
    CHECK(once.size() > 500);
    CHECK(segmentOf(settings, 30) == once);
  }
}

TEST_CASE("encoders with NV12 and planar input receive the same frame") {
  VideoEncoderSettings settings = settingsFor("libx264");
  settings.stillKeyframeInterval = 0;
  settings.preset = "ultrafast";
  settings.crf = 0;
  const auto planar = segmentOf(settings, 12);
  settings.encoder = added(kSemiplanar).name;
  CHECK(segmentOf(settings, 12) == planar);
}

TEST_CASE("a repeated frame is converted once and keeps its time") {
  FrameInput input(AV_PIX_FMT_NV12);
  const ImagePtr image = rampImage(64, 48, 1);
  const FramePtr first = input.frame(image, 0).take(), second = input.frame(image, 1).take();
  CHECK(first->data[0] == second->data[0]);
  CHECK(second->pts == 1);
  const FramePtr other = input.frame(rampImage(64, 48, 2), 2).take();
  CHECK(other->data[0] != first->data[0]);
  CHECK(first->data[1][2] == image->plane(1).data[1]);
  CHECK(first->data[1][3] == image->plane(2).data[1]);
}

// libav drops options that an encoder does not know without an error.
TEST_CASE("every option of a family is one that libav's encoder has") {
  // av1_nvenc exists from libav 6.0 on; of its options those that the other two spell differently.
  const std::set<std::string> absentInAv1{"spatial_aq", "temporal_aq", "profile"};
  for (const EncoderFamily* family : encoderFamilies()) {
    if (std::string(family->name).starts_with("test-")) continue;
    CAPTURE(family->name);
    const AVCodec* codec = avcodec_find_encoder_by_name(family->name);
    for (int variant = 0; variant < family->variants; ++variant) {
      CAPTURE(variant);
      const EncoderContextPtr context(avcodec_alloc_context3(codec));
      if (codec == nullptr) context->codec_id = AV_CODEC_ID_AV1;
      Options options;
      family->configure(settingsFor(family->name), variant, *context, options);
      for (const std::string& name : options.names()) {
        CAPTURE(name);
        if (codec == nullptr) {
          CHECK((!family->isNvenc || absentInAv1.count(name) == 0));
          continue;
        }
        const bool isKnown =
            av_opt_find(context.get(), name.c_str(), nullptr, 0, AV_OPT_SEARCH_CHILDREN) != nullptr;
        CHECK(isKnown);
      }
    }
  }
}

TEST_CASE("an option that the encoder does not know is reported") {
  static const EncoderFamily kMisspelt{.name = "test-misspelt",
                                       .codec = VideoCodec::kH264,
                                       .libavName = "libx264",
                                       .configure = [](const VideoEncoderSettings& settings, int variant,
                                                       AVCodecContext& context, Options& options) {
                                         configureLikeX264(settings, variant, context, options);
                                         options.set("spatial_aq", "1");
                                       }};
  const auto outcome = openEncoder(added(kMisspelt), settingsFor(kMisspelt.name));
  REQUIRE(outcome.opened);
  CHECK(outcome.opened->ignoredOptions == std::vector<std::string>{"spatial_aq"});
  CHECK(probeEncoder(kMisspelt.name).ignoredOptions == std::vector<std::string>{"spatial_aq"});
  CHECK(probeEncoder("libx264").ignoredOptions.empty());
}

TEST_CASE("a movie's segments use the variant that the probe reported") {
  CHECK(probeEncoder(added(kChoosy).name).variant == 1);
  VideoEncoderSettings settings = settingsFor(kChoosy.name);
  settings.variant = 1;
  const auto outcome = openEncoder(kChoosy, settings);
  REQUIRE(outcome.opened);
  CHECK(outcome.opened->variant == 1);
  settings.variant = 0;
  CHECK(openEncoder(kChoosy, settings).refusal.error.code == ErrorCode::ENCODER_UNAVAILABLE);
}

TEST_CASE("options unknown to a hardware generation are omitted") {
  VideoEncoderSettings settings = settingsFor(added(kChoosy).name);
  const auto segment = segmentOf(settings, 3);
  CHECK(segment.size() > 200);
  CHECK(probeEncoder(kChoosy.name).available);
}

TEST_CASE("hardware without a free session is reported and not tried with simpler settings") {
  const auto encoder = VideoEncoder::open(settingsFor(added(kBusy).name), fixture::path("busy.nut"));
  REQUIRE(!encoder.ok());
  CHECK(encoder.error().code == ErrorCode::ENCODER_BUSY);
  CHECK(encoder.error().message == "all sessions of test-busy are in use");
  const EncoderProbeResult result = probeEncoder(kBusy.name);
  CHECK(!result.available);
  CHECK(result.refusal == "no-session");
}

TEST_CASE("the device that draws is tried first for encoding") {
  const DeviceIdentity drawing{{1, 2, 3}, 130};
  const std::vector<EncoderDevice> nodes = encoderDevices(kH264Vaapi, drawing, {128, 129, 130, 131}, {});
  REQUIRE(nodes.size() == 4);
  CHECK(nodes[0].node == "/dev/dri/renderD130");
  CHECK(nodes[1].node == "/dev/dri/renderD128");
  CHECK(nodes[3].node == "/dev/dri/renderD131");
  CHECK(encoderDevices(kH264Vaapi, {}, {128, 129}, {})[0].node == "/dev/dri/renderD128");
  CHECK(encoderDevices(kH264Vaapi, drawing, {}, {0}).empty());
  // A device that draws may be unable to encode; then any other is used.
  CHECK(encoderDevices(kHevcNvenc, {.cudaOrdinal = 2}, {}, {0, 1, 2}) ==
        std::vector<EncoderDevice>{{"", 2}, {"", 0}, {"", 1}});
  CHECK(encoderDevices(kHevcNvenc, {}, {128}, {}) == std::vector<EncoderDevice>{{}});
  CHECK(encoderDevices(x264Family(), drawing) == std::vector<EncoderDevice>{{}});
}

TEST_CASE("an encoder failure fails the segment and leaves no file") {
  const std::string path = fixture::path("broken.nut");
  {
    auto encoder = VideoEncoder::open(settingsFor(added(kBreaking).name), path);
    REQUIRE(encoder.ok());
    Status status;
    for (int k = 0; k < 9 && status.ok(); ++k) {
      VideoFrame shown;
      shown.image = rampImage(320, 182, k);
      status = encoder.value()->encode(std::move(shown));
    }
    REQUIRE(!status.ok());
    CHECK(status.error().code == ErrorCode::ENCODE_FAILED);
    CHECK(std::filesystem::exists(path));
  }
  CHECK(!std::filesystem::exists(path));
}

TEST_CASE("errors of encoders that cannot be opened state the reason") {
  for (const EncoderProbeResult& result : probeEncoders()) {
    CAPTURE(result.name);
    CAPTURE(result.reason);
    CHECK(result.available == result.reason.empty());
    CHECK(result.available == result.refusal.empty());
    const bool software = result.name.starts_with("lib");
    if (software) CHECK(result.available);
    if (result.name.ends_with("_vaapi") && !std::filesystem::exists("/dev/dri/renderD128")) {
      const std::set<std::string> kinds{"no-device", "not-built"};
      CHECK(kinds.count(result.refusal) == 1);
      if (result.refusal == "no-device") CHECK(result.reason == "there is no render node in /dev/dri");
    }
  }
  CHECK(probeEncoder("h264_videotoolbox").reason == "the engine does not know this encoder");
}

TEST_CASE("a quality outside the encoder's range is rejected by name") {
  VideoEncoderSettings settings = settingsFor("libx265");
  settings.crf = 60;
  const auto encoder = VideoEncoder::open(settings, fixture::path("scale.nut"));
  REQUIRE(!encoder.ok());
  CHECK(encoder.error().code == ErrorCode::INVALID_TIMELINE);
  CHECK(encoder.error().message == "encode.crf must be from 0 to 51 for libx265");
  settings = settingsFor("libsvtav1");
  settings.crf = 60;
  CHECK(headersOf(settings).size() > 10);
}

TEST_CASE("driver messages about sessions and devices are recognised") {
  const auto nvenc = [](const char* message) { return classifyRefusal(kH264Nvenc, message); };
  CHECK(nvenc("[h264_nvenc @ 0x1] OpenEncodeSessionEx failed: out of memory (10): (no details)") ==
        RefusalReason::kNoSession);
  CHECK(nvenc("OpenEncodeSessionEx failed: incompatible client key (21): (no details)") ==
        RefusalReason::kNoSession);
  CHECK(nvenc("[h264_nvenc @ 0x1] Cannot load libcuda.so.1") == RefusalReason::kNoDevice);
  CHECK(nvenc("OpenEncodeSessionEx failed: unsupported device (2): (no details) No capable devices found") ==
        RefusalReason::kNoDevice);
  CHECK(nvenc("B frames as references are not supported") == RefusalReason::kRefused);
  const auto vaapi = [](const char* message) { return classifyRefusal(kHevcVaapi, message); };
  CHECK(vaapi("/dev/dri/renderD128: No VA display found for device /dev/dri/renderD128.") ==
        RefusalReason::kNoDevice);
  CHECK(vaapi("/dev/dri/renderD129: Driver does not support any RC mode compatible with selected options") ==
        RefusalReason::kRefused);
}
