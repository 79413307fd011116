#include <cstdlib>
#include <string>
#include <vector>

#include "compositor/compose_testing.h"
#include "compositor/vulkan/select_device.h"
#include "core/decoded_frame.h"
#include "devices/probe_cache.h"
#include "libav/decode/video_decoder.h"
#include "libav/hardware/decode/decode_device.h"
#include "libav/hardware/decode/decode_interop_probe.h"
#include "render/clip_movie.h"
#include "vulkan/software_device.h"

// Frames that NVDEC decodes and the software Vulkan device draws, with the substitute for NVIDIA's driver
// (test/substitute-driver), whose first card is that device.
TEST_SUITE_BEGIN("nvidia");

namespace framewright {
namespace {

const CancelToken never;
constexpr int kFrames = 60;

class Substitute {
 public:
  // Copies happen as late as CUDA allows.
  explicit Substitute(const std::string& settings = "delay=1") {
    setenv("CUDA_SUBSTITUTE", ("cards=5,other-model=4," + settings).c_str(), 1);
  }
  ~Substitute() { unsetenv("CUDA_SUBSTITUTE"); }
  Substitute(const Substitute&) = delete;
  Substitute& operator=(const Substitute&) = delete;
};

const std::string kSource = "-f lavfi -i testsrc2=s=322x194:r=30:d=2 -pix_fmt yuv420p ";
const std::string kColors = "-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv ";
const std::string kCoded = "-c:v libx264 -bf 3 -g 30 -preset veryfast";

// A clip of its own for cases after which the device does not decode it any more.
std::string clip(int number = 0) {
  return fixture::media("decoded." + std::to_string(number) + ".mp4", kSource + kColors + kCoded);
}

Timeline movie(const std::string& path, const Rect& box = {10, 6, 280, 150}) {
  Timeline timeline = fixture::clipMovie("unused.mp4", 320, 180, box, kFrames);
  timeline.sources[0].path = path;
  timeline.compositor = CompositorChoice::kVulkan;
  timeline.encode.encoder = "libx264";
  timeline.encode.preset = "ultrafast";
  timeline.encode.crf = 0;
  timeline.hardwareDecode = HardwareDecode::kOn;
  return timeline;
}

// Results of probes are cached as long as the process.
void forgetFailures() {
  ProbeCache& cache = ProbeCache::ofProcess();
  cache.store(formatKey("nvdec 0", {AV_CODEC_ID_H264, 8}), "");
  SoftwareDevice software(false);
  cache.store(decodeInteropKey("nvdec 0", software.device->properties().identity), "");
}

// Renders the movie with all frames in main memory, which needs no substitute.
std::string expectedOf(Timeline timeline) {
  const std::string path = fixture::path("decoded-expected.nut");
  timeline.allowsInterop = false;
  timeline.hardwareDecode = HardwareDecode::kOff;
  const auto drawn = fixture::renderWhole(timeline, path);
  INFO((drawn.ok() ? "" : drawn.error().message + " " + drawn.error().detail));
  REQUIRE(drawn.ok());
  const std::vector<uint8_t> bytes = fixture::readFile(path);
  return {bytes.begin(), bytes.end()};
}

struct Rendered {
  std::string bytes;
  DecodeReport video;
  int64_t hostCopies = 0, deviceCopies = 0;
};

Rendered render(const Timeline& timeline) {
  const std::string path = fixture::path("decoded.nut");
  const auto drawn = fixture::renderWhole(timeline, path);
  INFO((drawn.ok() ? "" : drawn.error().message + " " + drawn.error().detail));
  REQUIRE(drawn.ok());
  REQUIRE(drawn.value().videos.size() == 1);
  const std::vector<uint8_t> bytes = fixture::readFile(path);
  Rendered rendered{{bytes.begin(), bytes.end()}, drawn.value().videos[0]};
  if (const auto& copies = rendered.video.transfers.copies) {
    rendered.hostCopies = copies->host;
    rendered.deviceCopies = copies->device;
  }
  return rendered;
}

bool hasCardFiles() { return DeviceRegistry::ofProcess().nvidiaCount() > 0; }

std::shared_ptr<DecodeTarget> targetOf(Compositor& compositor) {
  const auto target = std::make_shared<DecodeTarget>();
  target->device = *compositor.device();
  target->memory = compositor.decodedFrameMemory();
  return target;
}

std::vector<uint8_t> samplesOf(const Image& image) {
  std::vector<uint8_t> samples;
  for (int p = 0; p < image.planeCount(); ++p) {
    const Plane& plane = image.plane(p);
    for (int y = 0; y < plane.height; ++y)
      samples.insert(samples.end(), plane.data + y * plane.stride,
                     plane.data + y * plane.stride + plane.width);
  }
  return samples;
}

}  // namespace

TEST_CASE("frames that NVDEC decodes stay on the card, and the segment has the same bytes") {
  if (!hasCardFiles()) return;
  const Timeline timeline = movie(clip());
  const std::string expected = expectedOf(timeline);
  const Substitute card;
  const Rendered drawn = render(timeline);
  CHECK(drawn.video.backend == "nvdec");
  CHECK(drawn.video.transfers.interop == "cuda");
  CHECK(drawn.video.transfers.reason == "");
  CHECK(drawn.deviceCopies == kFrames);
  CHECK(drawn.hostCopies == 0);
  CHECK(drawn.bytes == expected);
}

TEST_CASE("frames of every codec, size and siting stay on the card as they are") {
  if (!hasCardFiles()) return;
  const std::string odd = "-f lavfi -i testsrc2=s=321x195:r=30:d=2 -pix_fmt yuv420p ";
  const std::pair<const char*, std::string> clips[] = {
      {"centred.mp4", kSource + kColors + kCoded + " -chroma_sample_location center"},
      {"odd.webm", odd + kColors + "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 30"},
      {"hevc.mp4", kSource + kColors + "-c:v libx265 -preset ultrafast -x265-params log-level=none"}};
  for (const auto& [name, options] : clips) {
    CAPTURE(std::string(name));
    const Timeline timeline = movie(fixture::media(name, options));
    const std::string expected = expectedOf(timeline);
    const Substitute card;
    const Rendered drawn = render(timeline);
    CAPTURE(drawn.video.transfers.reason);
    CHECK(drawn.video.transfers.interop == "cuda");
    CHECK(drawn.hostCopies == 0);
    CHECK(drawn.bytes == expected);
  }
}

TEST_CASE("frames on the card are those of the CPU in every order of access") {
  if (!hasCardFiles()) return;
  const Substitute card;
  SoftwareDevice software(false);
  const auto compositor = software.compositor();
  auto video =
      VideoDecoder::open(clip(), 1, never, {.mode = HardwareDecode::kOn, .target = targetOf(*compositor)});
  auto plain = VideoDecoder::open(clip(), 1, never);
  REQUIRE((video.ok() && plain.ok()));
  std::vector<ImagePtr> used;  // while others are decoded
  std::vector<std::vector<uint8_t>> expected;
  for (const int64_t timeUs :
       {0, 33'334, 66'667, 1'500'000, 1'533'334, 400'000, 433'334, 100'000, 1'966'667}) {
    const auto decoded = video.value()->frameAt(timeUs), same = plain.value()->frameAt(timeUs);
    REQUIRE((decoded.ok() && same.ok()));
    REQUIRE(decoded.value()->decodedFrame() != nullptr);
    CHECK(decoded.value()->siting == same.value()->siting);
    used.push_back(decoded.value());
    expected.push_back(samplesOf(*same.value()));
  }
  for (size_t i = 0; i < used.size(); ++i) CHECK(samplesOf(*downloadImage(used[i]).take()) == expected[i]);
}

TEST_CASE("canvases of 10 bits are drawn from decoded frames of 8 and 10 bits on the card") {
  if (!hasCardFiles()) return;
  const std::string deep = "-c:v libx265 -preset ultrafast -x265-params log-level=none -pix_fmt yuv420p10le ";
  const std::string light =
      "-colorspace bt2020nc -color_primaries bt2020 -color_trc smpte2084 -color_range tv ";
  struct Case {
    std::string clip;
    CanvasTransfer transfer;
    bool isDrawnByCpu;
  };
  const Case cases[] = {{clip(), CanvasTransfer::kSdr, false},
                        {fixture::media("deep.mp4", kSource + kColors + deep), CanvasTransfer::kSdr, false},
                        {fixture::media("deep.mp4", kSource + kColors + deep), CanvasTransfer::kSdr, true},
                        {fixture::media("light.mp4", kSource + light + deep), CanvasTransfer::kPq, false}};
  for (const auto& [path, transfer, isDrawnByCpu] : cases) {
    CAPTURE(path);
    Timeline timeline = movie(path);
    timeline.encode.encoder = "libx265";
    timeline.encode.bitDepth = 10;
    timeline.encode.color.transfer = transfer;
    if (isDrawnByCpu) timeline.sections[0].clips[0].effects.finish.sharpen = {0.5, {}};
    const std::string expected = expectedOf(timeline);
    const Substitute card;
    const Rendered drawn = render(timeline);
    CAPTURE(drawn.video.transfers.reason);
    CHECK(drawn.video.backend == "nvdec");
    CHECK(drawn.video.transfers.interop == "cuda");
    CHECK(drawn.deviceCopies == kFrames);
    CHECK(drawn.hostCopies == (isDrawnByCpu ? kFrames : 0));
    CHECK(drawn.bytes == expected);
  }
}

TEST_CASE("frames of 10 bits pass through main memory for canvases of 8 bits, and SDR for those of HDR") {
  if (!hasCardFiles()) return;
  const std::string deep = "-c:v libx265 -preset ultrafast -x265-params log-level=none -pix_fmt yuv420p10le ";
  Timeline plain = movie(fixture::media("deep.mp4", kSource + kColors + deep));
  Timeline light = movie(clip());
  light.encode.encoder = "libx265";
  light.encode.bitDepth = 10;
  light.encode.color.transfer = CanvasTransfer::kHlg;
  for (const Timeline& timeline : {plain, light}) {
    const std::string expected = expectedOf(timeline);
    const Substitute card;
    const Rendered drawn = render(timeline);
    CHECK(drawn.video.backend == "nvdec");
    CHECK(drawn.video.transfers.reason == "its frames are converted on the CPU");
    CHECK(drawn.deviceCopies == 0);
    CHECK(drawn.hostCopies == kFrames);
    CHECK(drawn.bytes == expected);
  }
}

TEST_CASE("decoded frames pass through main memory where interop is off") {
  if (!hasCardFiles()) return;
  Timeline timeline = movie(clip());
  const std::string expected = expectedOf(timeline);
  timeline.allowsInterop = false;
  const Substitute card;
  const Rendered drawn = render(timeline);
  CHECK(drawn.video.backend == "nvdec");
  CHECK(drawn.video.transfers.interop == "");
  CHECK(drawn.deviceCopies == 0);
  CHECK(drawn.hostCopies == kFrames);
  CHECK(drawn.bytes == expected);
}

TEST_CASE("frames that are converted on the CPU pass through main memory") {
  if (!hasCardFiles()) return;
  const std::pair<const char*, std::string> clips[] = {
      {"untagged.mp4", kSource + kCoded},
      {"full.mp4",
       "-f lavfi -i testsrc2=s=322x194:r=30:d=2 -vf scale=out_range=full -pix_fmt yuvj420p "
       "-colorspace bt709 -color_primaries bt709 -color_trc bt709 " +
           kCoded},
      {"turned.mp4", "-i " + clip() + " -c copy -metadata:s:v:0 rotate=90"}};
  for (const auto& [name, options] : clips) {
    CAPTURE(std::string(name));
    const Timeline timeline = movie(fixture::media(name, options));
    const std::string expected = expectedOf(timeline);
    const Substitute card;
    const Rendered drawn = render(timeline);
    CHECK(drawn.video.backend == "nvdec");
    CHECK(drawn.bytes == expected);
    CHECK(drawn.hostCopies >= kFrames - 3);
    CHECK(drawn.video.transfers.reason == "its frames are converted on the CPU");
  }
}

TEST_CASE("frames that the CPU blends are downloaded once each") {
  if (!hasCardFiles()) return;
  Timeline timeline = movie(clip());
  timeline.sections[0].clips[0].media.speed = 0.4;
  timeline.sections[0].clips[0].media.blendsFrames = true;
  const std::string expected = expectedOf(timeline);
  const Substitute card;
  const Rendered drawn = render(timeline);
  CHECK(drawn.video.transfers.interop == "cuda");
  CHECK(drawn.deviceCopies > 20);
  CHECK(drawn.hostCopies > 0);
  CHECK(drawn.hostCopies <= drawn.deviceCopies);
  CHECK(drawn.bytes == expected);
}

TEST_CASE("a segment continues a clip whose last frames were on the card") {
  if (!hasCardFiles()) return;
  const Timeline timeline = movie(clip());
  const std::string first = fixture::path("first.nut"), second = fixture::path("second.nut");
  const auto framesOf = [&](const Timeline& each) {
    REQUIRE(renderSegment(each, {0, 25}, first, {}, never).ok());
    const auto rest = renderSegment(each, {25, kFrames}, second, {}, never);
    REQUIRE(rest.ok());
    if (!rest.value().videos.empty()) {
      const FrameTransfers& transfers = rest.value().videos[0].transfers;
      CHECK(transfers.interop == "cuda");
      CHECK(transfers.copies->device <= kFrames - 25);  // its own
    }
    return fixture::framesOf(first) + fixture::framesOf(second);
  };
  Timeline software = timeline;
  software.hardwareDecode = HardwareDecode::kOff;
  const std::string expected = framesOf(software);
  const Substitute card;
  CHECK(framesOf(timeline) == expected);
}

TEST_CASE("each call for decoded frames that fails leaves them in main memory, with its name") {
  if (!hasCardFiles()) return;
  const Timeline timeline = movie(clip());
  const std::string expected = expectedOf(timeline);
  const std::pair<const char*, const char*> faults[] = {
      {"ImportExternalMemory:1:999", "cuImportExternalMemory: CUDA_ERROR_UNKNOWN"},
      {"ExternalMemoryGetMappedBuffer:1:2", "cuExternalMemoryGetMappedBuffer: CUDA_ERROR_OUT_OF_MEMORY"},
      {"Memcpy2DOnDevice:1:700", "cuMemcpy2DAsync: CUDA_ERROR_ILLEGAL_ADDRESS"},
      {"ImportExternalMemory:4:999", "cuImportExternalMemory: CUDA_ERROR_UNKNOWN"},
      {"Memcpy2DOnDevice:61:700", "cuMemcpy2DAsync: CUDA_ERROR_ILLEGAL_ADDRESS"},
      {"Memcpy2DOnDevice:90:2", "cuMemcpy2DAsync: CUDA_ERROR_OUT_OF_MEMORY"}};
  for (const auto& [fault, reason] : faults) {
    CAPTURE(std::string(fault));
    {
      const Substitute card("");
      forgetFailures();
      REQUIRE(render(timeline).bytes == expected);  // all other probes are done
    }
    const Substitute card("fault=" + std::string(fault));
    const Rendered drawn = render(timeline);
    CHECK(drawn.video.backend == "nvdec");
    CHECK(drawn.video.transfers.reason.find(reason) != std::string::npos);
    CHECK(drawn.hostCopies > 0);
    CHECK(drawn.hostCopies + drawn.deviceCopies == kFrames);
    CHECK(drawn.bytes == expected);
  }
  forgetFailures();
}

TEST_CASE("a card that fails altogether while its frames are in use costs no frame") {
  if (!hasCardFiles()) return;
  int number = 0;
  for (const char* const fault : {"Memcpy2D:40:700", "StreamSynchronize:30:700", "MapVideoFrame:20:700"}) {
    CAPTURE(std::string(fault));
    const Timeline timeline = movie(clip(++number));
    const std::string expected = expectedOf(timeline);
    {
      const Substitute card("");
      forgetFailures();
      const Rendered before = render(timeline);
      REQUIRE(before.video.transfers.interop == "cuda");
      REQUIRE(before.bytes == expected);
    }
    const Substitute card("fault=" + std::string(fault));
    const Rendered drawn = render(timeline);
    CHECK(drawn.video.backend == "software");
    CHECK(drawn.deviceCopies > 0);
    CHECK(drawn.bytes == expected);
  }
  forgetFailures();
}

TEST_CASE("the probe finds wrong samples, and a card that is not the compositor's") {
  SoftwareDevice software;
  const auto compositor = software.compositor();
  const auto target = targetOf(*compositor);
  const Substitute card;
  const auto device = kNvdecBackend.open("0");
  REQUIRE(device.ok());
  const DecodeFormat format{AV_CODEC_ID_H264, 8};
  const auto probed = probeDecodeInterop(device.value(), format, {target, "0", "key"}, never);
  REQUIRE(probed.ok());
  CHECK(probed.value().reason == "");
  const auto other = probeDecodeInterop(device.value(), format, {target, "1", "key"}, never);
  REQUIRE(other.ok());
  CHECK(other.value().reason == "another card composes");
  const std::pair<const char*, const char*> faults[] = {
      {"ImportExternalMemory:1:999", "cuImportExternalMemory"},
      {"Memcpy2DOnDevice:9:700", "cuMemcpy2DAsync"},
      {"StreamSynchronize:30:700", "CUDA_ERROR_ILLEGAL_ADDRESS"}};
  for (const auto& [fault, reason] : faults) {
    const Substitute broken("fault=" + std::string(fault));
    const auto failed = probeDecodeInterop(device.value(), format, {target, "0", "key"}, never);
    REQUIRE(failed.ok());
    CAPTURE(failed.value().reason);
    CHECK(failed.value().reason.find(reason) != std::string::npos);
  }
  const Substitute wrong("lose-copies=1");
  const auto lost = probeDecodeInterop(device.value(), format, {target, "0", "key"}, never);
  REQUIRE(lost.ok());
  CHECK(lost.value().reason == "the compositor's device reads other samples");
  INFO(software.firstMessage());
  CHECK(software.messages.empty());
}

TEST_CASE("frames on a device that is lost are drawn by the CPU, and later ones by any compositor") {
  if (!hasCardFiles()) return;
  const std::string path = clip();
  const Substitute card;
  for (const char* const fault : {"QueueSubmit:5:-4", "WaitForFences:4:-4", "AllocateMemory:2:-2"}) {
    CAPTURE(std::string(fault));
    SoftwareDevice software(false);
    const auto compositor = createFallbackCompositor(software.compositor(), "A card");
    const auto cpu = createCpuCompositor();
    const auto target = targetOf(*compositor);
    auto video = VideoDecoder::open(path, 1, never, {.mode = HardwareDecode::kOn, .target = target});
    auto plain = VideoDecoder::open(path, 1, never);
    REQUIRE((video.ok() && plain.ok()));
    for (int i = 0; i < 12; ++i) {
      if (i == 2) setenv("VULKAN_SUBSTITUTE", ("fault=" + std::string(fault)).c_str(), 1);
      const auto decoded = video.value()->frameAt(i * 33'334), same = plain.value()->frameAt(i * 33'334);
      REQUIRE((decoded.ok() && same.ok()));
      CHECK((decoded.value()->decodedFrame() != nullptr || i > 2));
      const PreparedImagePtr onDevice = compositor->prepareVideoFrame(decoded.value(), 0, 0).take(),
                             onHost = cpu->prepareVideoFrame(same.value(), 0, 0).take();
      DrawList list;
      list.layers.push_back(imageLayer(0, {3, 2, 150, 90}));
      const auto drawn = makeImage(PixelFormat::kI420, 160, 96),
                 expected = makeImage(PixelFormat::kI420, 160, 96);
      const Status composed = compositor->compose(list, {&onDevice, 1}, *drawn);
      INFO((composed.ok() ? "" : composed.error().message + composed.error().detail));
      REQUIRE(composed.ok());
      REQUIRE(cpu->compose(list, {&onHost, 1}, *expected).ok());
      CHECK(largestDifference(*drawn, *expected) <= 2);
    }
    unsetenv("VULKAN_SUBSTITUTE");
    CHECK(compositor->deviceFailure().starts_with("A card: "));
    CHECK_FALSE(target->hasLostFrame);
    forgetFailures();
  }
}

TEST_CASE("a compositor on another device downloads decoded frames, each once") {
  if (!hasCardFiles()) return;
  const Substitute card;
  SoftwareDevice first(false), second(false);
  const auto compositor = first.compositor(), other = second.compositor();
  const auto target = targetOf(*compositor);
  auto video = VideoDecoder::open(clip(), 1, never, {.mode = HardwareDecode::kOn, .target = target});
  auto plain = VideoDecoder::open(clip(), 1, never);
  REQUIRE((video.ok() && plain.ok()));
  const auto frame = video.value()->frameAt(500'000), same = plain.value()->frameAt(500'000);
  REQUIRE((frame.ok() && same.ok()));
  REQUIRE(frame.value()->decodedFrame() != nullptr);
  const auto copies = video.value()->report().transfers.copies;
  REQUIRE(other->prepareVideoFrame(frame.value(), 0, 0).ok());
  REQUIRE(other->prepareVideoFrame(frame.value(), 0, 0).ok());
  CHECK(copies->host == 1);
  CHECK(samplesOf(*downloadImage(frame.value()).take()) == samplesOf(*same.value()));
  // A decoder that is put aside has no frames on the card, and goes on with the same ones.
  REQUIRE(video.value()->setTarget(nullptr).ok());
  const auto shown = video.value()->frameAt(500'000);
  REQUIRE(shown.ok());
  CHECK(shown.value()->decodedFrame() == nullptr);
  CHECK(samplesOf(*shown.value()) == samplesOf(*same.value()));
  REQUIRE(video.value()->setTarget(targetOf(*other)).ok());
  const auto later = video.value()->frameAt(700'000);
  REQUIRE(later.ok());
  REQUIRE(later.value()->decodedFrame() != nullptr);
  CHECK(samplesOf(*downloadImage(later.value()).take()) ==
        samplesOf(*plain.value()->frameAt(700'000).take()));
}

TEST_SUITE_END();

}  // namespace framewright
