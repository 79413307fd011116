#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#include "core/planes.h"
#include "devices/device_registry.h"
#include "libav/encode/video/encoder_probe.h"
#include "libav/hardware/decode/decode_backend.h"
#include "libav/hardware/decode/decode_device.h"
#include "libav/hardware/decode/decode_probe.h"
#include "libav/hardware/decode/decoder_probes.h"
#include "libav/hardware/decode/probe_clip.h"
#include "libav/hardware/interop/choose_interop.h"
#include "libav/hardware/interop/interop_backend.h"
#include "libav/media_fixture.h"
#include "render/clip_movie.h"

// libva and libav's VAAPI code with the substitute driver (test/substitute-driver/vaapi). These cases run in
// a process of their own where /dev has a render node.
TEST_SUITE_BEGIN("vaapi");

namespace framewright {
namespace {

constexpr int kNode = 128;
const CancelToken never;

struct SubstituteVaapi {
  explicit SubstituteVaapi(const std::string& settings = "") {
    setenv("VAAPI_SUBSTITUTE", settings.c_str(), 1);
  }
  ~SubstituteVaapi() { unsetenv("VAAPI_SUBSTITUTE"); }
  SubstituteVaapi(const SubstituteVaapi&) = delete;
  SubstituteVaapi& operator=(const SubstituteVaapi&) = delete;
};

// libav 5.1 leaks the frames of its VAAPI decoder of AV1 where the driver has none.
struct Av1Leaks {
#ifdef __SANITIZE_ADDRESS__
  __lsan::ScopedDisabler leaks;
#endif
};

// Decodes a generated clip on a new device, and in software. Empty: the frames are the same.
std::string differenceIn(const DecodeFormat& format) {
  const auto clip = makeProbeClip(format, kProbeWidth, kProbeHeight, 40);
  REQUIRE(clip.ok());
  const auto device = kVaapiDecodeBackend.open(renderNodePath(kNode));
  if (!device.ok()) return reasonOf(device.error());
  const auto comparison = compareDecoders(clip.value().head, device.value(), 0, never);
  if (comparison.ok()) CHECK(comparison.value().frameCount == 40);
  return comparison.ok() ? "" : reasonOf(comparison.error());
}

// A frame in memory that is shared by a descriptor, as a graphics device gives away a DMA-BUF.
class SharedMemory final : public DeviceMemory {
 public:
  static constexpr uint32_t kPitch = 512, kOffset = 4096;

  SharedMemory(int height, bool isExported)
      : DeviceMemory({kOffset, kPitch}, {kOffset + uint64_t{kPitch} * static_cast<uint64_t>(height), kPitch}),
        bytes_(kOffset + uint64_t{kPitch} * static_cast<uint64_t>(height + (height + 1) / 2)),
        isExported_(isExported),
        fd_(memfd_create("frame", MFD_CLOEXEC)) {
    REQUIRE(ftruncate(fd_, static_cast<off_t>(bytes_)) == 0);
    void* const mapped = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
    REQUIRE(mapped != MAP_FAILED);
    mapped_ = static_cast<uint8_t*>(mapped);
  }
  ~SharedMemory() override {
    munmap(mapped_, bytes_);
    close(fd_);
  }

  Result<int> exportFd() const override {
    if (!isExported_) return Error{ErrorCode::GPU_FAILED, "nothing is given out", ""};
    return dup(fd_);
  }
  uint64_t bytes() const override { return bytes_; }
  Status fill(const Image& image) const override {
    for (int p = 0; p < 2; ++p) {
      const Plane& plane = image.plane(p);
      copyPlane(plane,
                {mapped_ + rows(p).offset, static_cast<ptrdiff_t>(rows(p).pitch), plane.width, plane.height},
                p + 1);
    }
    return {};
  }

 private:
  const uint64_t bytes_;
  const bool isExported_;
  const int fd_;
  uint8_t* mapped_ = nullptr;
};

InteropChoice choose(int width, bool isExported = true) {
  VideoEncoderSettings settings;
  settings.encoder = "h264_vaapi";
  settings.width = width;  // results of probes are cached by size
  settings.height = 98;
  return chooseInterop(settings, {{.uuid = {1, 2, 3}, .renderNode = kNode},
                                  [&](FramePlace place, int w, int h) -> Result<std::shared_ptr<Image>> {
                                    CHECK(place == FramePlace::kDmaBuf);
                                    return Image::onDevice(w, h,
                                                           std::make_shared<SharedMemory>(h, isExported));
                                  }});
}

Timeline movie(int width, const std::string& encoder) {
  Timeline timeline = fixture::clipMovie("vaapi.mp4", width, 98, {4, 4, width - 20.0, 80});
  timeline.compositor = CompositorChoice::kCpu;
  timeline.encode.encoder = encoder;
  timeline.encode.crf = encoder == "libx264" ? 0 : 20;
  return timeline;
}

}  // namespace

TEST_CASE("libav decodes H.264, HEVC and VP9 by VAAPI to the samples of the CPU") {
  for (const char* const settings : {"", "no-derive=1"}) {
    const SubstituteVaapi driver(settings);
    for (const DecodeFormat& format : kExactFormats) {
      CAPTURE(format.name());
      std::optional<Av1Leaks> leaks;
      if (format.codec == AV_CODEC_ID_AV1) leaks.emplace();
      const std::string difference = differenceIn(format);
      CHECK((format.codec == AV_CODEC_ID_AV1) == !difference.empty());
      CAPTURE(difference);
      if (!difference.empty()) CHECK(format.codec == AV_CODEC_ID_AV1);
    }
  }
}

TEST_CASE("each call of VAAPI that fails excludes the device, with the reason of libav") {
  const std::pair<std::string, const char*> faults[] = {{"Initialize:1:1", "VAAPI"},
                                                        {"QueryConfigProfiles:1:1", "operation failed"},
                                                        {"CreateConfig:1:2", "resource allocation failed"},
                                                        {"QuerySurfaceAttributes:1:1", "operation failed"},
                                                        {"CreateSurfaces:1:2", "resource allocation failed"},
                                                        {"CreateContext:1:2", "resource allocation failed"},
                                                        {"BeginPicture:3:1", "operation failed"},
                                                        {"RenderPicture:3:1", "operation failed"},
                                                        {"EndPicture:3:23", "internal decoding error"},
                                                        {"SyncSurface:3:1", "operation failed"},
                                                        {"MapBuffer:3:1", "operation failed"}};
  for (const auto& [fault, reason] : faults) {
    CAPTURE(fault);
    const SubstituteVaapi driver("fault=" + fault);
    const std::string difference = differenceIn({AV_CODEC_ID_H264, 8});
    CAPTURE(difference);
    CHECK(difference.find(reason) != std::string::npos);
  }
}

TEST_CASE("a VAAPI device without a free context excludes no later video") {
  for (const char* const settings : {"contexts=0", "fault=CreateContext:1:2", "fault=CreateContext:1:34"}) {
    CAPTURE(settings);
    const SubstituteVaapi driver(settings);
    const std::string difference = differenceIn({AV_CODEC_ID_H264, 8});
    CAPTURE(difference);
    CHECK(decodeFailure(difference).isTemporary);
  }
}

TEST_CASE("VAAPI devices are found by their render nodes") {
  const SubstituteVaapi driver;
  [[maybe_unused]] const Av1Leaks leaks;
  for (const DecoderProbeResult& probe : probeDecoders()) {
    CAPTURE(probe.reason);
    CHECK(probe.name == "vaapi " + renderNodePath(kNode));
    CHECK(probe.available == (probe.format.codec != AV_CODEC_ID_AV1));
  }
}

TEST_CASE(
    "VAAPI encoders are probed with each rate control; the reason of a driver that lacks one is given") {
  {
    const SubstituteVaapi driver;
    const EncoderProbeResult found = probeEncoder("h264_vaapi");
    CHECK(found.reason == "");
    CHECK(found.variant == 0);
    CHECK(found.ignoredOptions.empty());
    const EncoderProbeResult hevc = probeEncoder("hevc_vaapi");
    CHECK(!hevc.available);
    CHECK(hevc.reason != "");
  }
  {
    const SubstituteVaapi driver("no-icq=1");
    const EncoderProbeResult found = probeEncoder("h264_vaapi");
    CHECK(found.reason == "");
    CHECK(found.variant == 1);
  }
  const SubstituteVaapi driver("fault=CreateContext:1:4");
  CHECK(probeEncoder("h264_vaapi").reason != "");
}

TEST_CASE("frames of the CPU are uploaded to a VAAPI encoder, and the video has their samples") {
  const std::string software = fixture::path("vaapi-software.nut"),
                    hardware = fixture::path("vaapi-hardware.nut");
  REQUIRE(fixture::renderWhole(movie(162, "libx264"), software).ok());
  const std::string expected = fixture::framesOf(software);
  REQUIRE(expected.size() > 40 * 32);
  for (const char* const settings : {"", "no-derive=1", "no-icq=1"}) {
    CAPTURE(settings);
    const SubstituteVaapi driver(settings);
    const auto drawn = fixture::renderWhole(movie(162, "h264_vaapi"), hardware);
    INFO((drawn.ok() ? "" : drawn.error().message + " " + drawn.error().detail));
    REQUIRE(drawn.ok());
    CHECK(fixture::framesOf(hardware) == expected);
  }
}

TEST_CASE(
    "a VAAPI call that fails while encoding fails the segment with its reason; one without a context is "
    "busy") {
  const std::pair<std::string, ErrorCode> faults[] = {{"fault=EndPicture:10:1", ErrorCode::ENCODE_FAILED},
                                                      {"fault=MapBuffer:20:1", ErrorCode::ENCODE_FAILED},
                                                      {"fault=CreateContext:1:34", ErrorCode::ENCODER_BUSY},
                                                      {"contexts=0", ErrorCode::ENCODER_BUSY}};
  for (const auto& [settings, code] : faults) {
    CAPTURE(settings);
    const SubstituteVaapi driver(settings);
    const auto drawn = fixture::renderWhole(movie(164, "h264_vaapi"), fixture::path("vaapi-broken.nut"));
    REQUIRE(!drawn.ok());
    CAPTURE(drawn.error().detail);
    CHECK(drawn.error().code == code);
  }
}

TEST_CASE("memory of the compositor's device is mapped as a surface of the VAAPI encoder") {
  const SubstituteVaapi driver;
  const InteropChoice choice = choose(162);
  INFO(choice.reason);
  CHECK(choice.name == "vaapi");
  CHECK(choice.place == FramePlace::kDmaBuf);
  REQUIRE(choice.interop != nullptr);
  CHECK(choice.interop->format() == AV_PIX_FMT_VAAPI);
  // A frame keeps its image, and the surface of each memory is made once.
  ImagePtr image = Image::onDevice(162, 98, std::make_shared<SharedMemory>(98, true));
  const std::weak_ptr<const Image> watched = image;
  auto first = choice.interop->frame(image);
  auto second = choice.interop->frame(image);
  REQUIRE(first.ok());
  REQUIRE(second.ok());
  CHECK(first.value()->data[3] == second.value()->data[3]);
  image.reset();
  CHECK(!watched.expired());
  first.take().reset();
  second.take().reset();
  CHECK(watched.expired());
}

TEST_CASE("an encoder that refuses surfaces of foreign memory gets copies that the device makes") {
  const SubstituteVaapi driver("own-only=1");
  const InteropChoice choice = choose(166);
  CHECK(choice.name == "vaapi-copy");
  CHECK(choice.place == FramePlace::kDmaBuf);
  CHECK(choice.reason.starts_with("vaapi: the encoder rejects its frames"));
  REQUIRE(choice.interop != nullptr);
  // A copy has memory of its own, and its image lives until it was encoded.
  ImagePtr image = Image::onDevice(166, 98, std::make_shared<SharedMemory>(98, true));
  const std::weak_ptr<const Image> watched = image;
  auto first = choice.interop->frame(image);
  auto second = choice.interop->frame(image);
  REQUIRE(first.ok());
  REQUIRE(second.ok());
  CHECK(first.value()->data[3] != second.value()->data[3]);
  image.reset();
  first.take().reset();
  CHECK(!watched.expired());
  second.take().reset();
  CHECK(watched.expired());
}

TEST_CASE("a video processor that is missing, fails or changes samples leaves the frames in main memory") {
  const std::pair<std::string, const char*> cases[] = {
      {"no-vpp=1", "vaapi-copy: the driver has no video processor"},
      {"shifts-copies=1", "vaapi-copy: the samples differ from those sent"},
      {"no-import=1", "vaapi-copy: the driver cannot map a frame of the compositor's device"},
      {"fault=EndPicture:1:1", "vaapi-copy: the video processor does not copy a frame"}};
  int width = 250;
  for (const auto& [settings, reason] : cases) {
    CAPTURE(settings);
    const SubstituteVaapi driver("own-only=1," + settings);
    const InteropChoice choice = choose(width += 2);
    CHECK(choice.name.empty());
    CAPTURE(choice.reason);
    CHECK(choice.reason.find(reason) != std::string::npos);
  }
}

TEST_CASE("a VAAPI driver that cannot map the compositor's memory leaves the frames in main memory") {
  const std::pair<std::string, const char*> cases[] = {
      {"no-import=1", "vaapi: the driver cannot map a frame of the compositor's device"},
      {"fault=Initialize:1:1", "vaapi: libav cannot open a VAAPI device"},
      {"fault=CreateSurfaces:1:2", "vaapi: "},
      {"fault=CreateContext:1:2", "vaapi: all sessions of h264_vaapi are in use"},
      {"fault=EndPicture:2:1", "vaapi: the encoder rejects its frames"},
      {"fault=MapBuffer:1:1", "vaapi: its frames cannot be read back"}};
  int width = 200;
  for (const auto& [settings, reason] : cases) {
    CAPTURE(settings);
    const SubstituteVaapi driver(settings);
    const InteropChoice choice = choose(width += 2);
    CHECK(choice.name.empty());
    CAPTURE(choice.reason);
    CHECK(choice.reason.starts_with(reason));
  }
  const SubstituteVaapi driver;
  const InteropChoice unexported = choose(240, false);
  CHECK(unexported.reason.starts_with("vaapi: nothing is given out"));
}

TEST_SUITE_END();

}  // namespace framewright
