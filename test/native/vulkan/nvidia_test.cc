#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "libav/encode/video/encoder_probe.h"
#include "libav/hardware/interop/choose_interop.h"
#include "render/clip_movie.h"
#include "vulkan/software_device.h"

// NVIDIA's path with the substitute driver (test/substitute-driver). These cases run in a process of their
// own, whose LD_LIBRARY_PATH has the substitute: other cases see a host without a card.
TEST_SUITE_BEGIN("nvidia");

namespace framewright {
namespace {

// The engine counts a process's cards once.
const std::string kCards = "cards=5,other-model=4,";

// Why the software device is synchronised by fences; semaphore_test.cc has one that exports semaphores.
const std::string kNoSemaphores = "cuda-semaphores: The graphics device does not export timeline semaphores.";

// What the substitute shall do until destroyed; see its header.
class Substitute {
 public:
  explicit Substitute(const std::string& settings = "") {
    setenv("CUDA_SUBSTITUTE", (kCards + settings).c_str(), 1);
  }
  ~Substitute() { unsetenv("CUDA_SUBSTITUTE"); }
  Substitute(const Substitute&) = delete;
  Substitute& operator=(const Substitute&) = delete;
};

// Colours that change in every frame, encoded by NVENC from frames of the software device.
Timeline movie(int width, int height, int frames = 40) {
  Timeline timeline =
      fixture::clipMovie("nvidia.mp4", width, height, {4, 4, width - 20.0, height - 10.0}, frames);
  timeline.compositor = CompositorChoice::kVulkan;
  timeline.encode.encoder = "h264_nvenc";
  timeline.encode.preset = "p4";
  timeline.encode.crf = 18;
  return timeline;
}

std::string textOf(const Result<SegmentResult>& result) {
  return result.ok() ? result.value().interopReason : result.error().message + " " + result.error().detail;
}

// PSNR of the luma in dB at the frame that differs most.
double worstPsnr(const std::string& a, const std::string& b) {
  const std::string lines =
      fixture::outputOf("ffmpeg -v error -i " + a + " -i " + b + " -lavfi psnr=stats_file=- -f null -");
  double worst = 100;
  int frames = 0;
  for (size_t at = lines.find("psnr_y:"); at != std::string::npos;
       at = lines.find("psnr_y:", at + 1), ++frames)
    worst = std::min(worst, std::atof(lines.c_str() + at + 7));
  REQUIRE(frames == 40);
  return worst;
}

}  // namespace

TEST_CASE("frames go from the device to NVENC, and the video shows them") {
  const Substitute card;
  const std::string onCard = fixture::path("on-card.nut"), onCpu = fixture::path("on-cpu.nut");
  const auto drawn = fixture::renderWhole(movie(322, 182), onCard);
  INFO(textOf(drawn));
  REQUIRE(drawn.ok());
  CHECK(drawn.value().interop == "cuda");
  CHECK(drawn.value().interopReason == kNoSemaphores);
  CHECK(drawn.value().frames == 40);
  Timeline software = movie(322, 182);
  software.encode.encoder = "libx264";
  software.encode.preset = "veryfast";
  const auto expected = fixture::renderWhole(software, onCpu);
  REQUIRE(expected.ok());
  CHECK(worstPsnr(onCpu, onCard) > 32);
}

TEST_CASE("each call of the driver that fails leaves the frames in main memory, with its name") {
  const std::pair<const char*, const char*> faults[] = {
      {"CtxCreate:1:2", "cannot open a CUDA device"},
      {"MemAlloc:1:2", "there was not enough memory"},
      {"ImportExternalMemory:1:999", "cuImportExternalMemory: CUDA_ERROR_UNKNOWN"},
      {"ExternalMemoryGetMappedBuffer:1:2", "cuExternalMemoryGetMappedBuffer: CUDA_ERROR_OUT_OF_MEMORY"},
      {"Memcpy2D:1:700", "cuMemcpy2DAsync: CUDA_ERROR_ILLEGAL_ADDRESS"},
      {"StreamSynchronize:1:700", "cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS"},
      {"RegisterResource:1:23", "the encoder rejects its frames"},
      {"MapInputResource:1:16", "the encoder rejects its frames"},
      {"LockBitstream:1:8", "the encoder rejects its frames"}};
  int width = 160;
  SoftwareDevice software;
  const auto compositor = software.compositor();
  for (const auto& [fault, reason] : faults) {
    CAPTURE(fault);
    const Substitute card("fault=" + std::string(fault));
    VideoEncoderSettings settings;
    settings.encoder = "h264_nvenc";
    settings.preset = "p4";
    settings.width = width += 2;  // results of probes are kept by size
    settings.height = 98;
    const InteropChoice choice =
        chooseInterop(settings, {*compositor->device(), [&](FramePlace place, int w, int h) {
                                   return compositor->createDeviceFrame(place, w, h);
                                 }});
    CHECK(choice.name.empty());
    CAPTURE(choice.reason);
    CHECK(choice.reason.starts_with(kNoSemaphores + "; cuda: "));
    CHECK(choice.reason.find(reason) != std::string::npos);
  }
}

TEST_CASE("a card lost during a segment costs a second run through main memory, with the same frames") {
  const std::string expected = fixture::path("in-main-memory.nut"), path = fixture::path("lost.nut");
  Timeline inMainMemory = movie(258, 146);
  inMainMemory.allowsInterop = false;
  {
    const Substitute card;
    REQUIRE(fixture::renderWhole(inMainMemory, expected).ok());
  }
  // Two copies per frame: ten frames of the probe, then some of the movie.
  for (const char* const fault : {"Memcpy2D:40:700", "StreamSynchronize:25:700", "MapInputResource:20:16"}) {
    CAPTURE(fault);
    const Substitute card("fault=" + std::string(fault));
    const auto drawn = fixture::renderWhole(movie(258, 146), path);
    INFO(textOf(drawn));
    REQUIRE(drawn.ok());
    CHECK(drawn.value().interop.empty());
    CHECK(drawn.value().interopReason.starts_with("cuda failed: "));
    CHECK(fixture::readFile(path) == fixture::readFile(expected));
    SoftwareDevice software(false);
    VideoEncoderSettings settings;
    settings.encoder = "h264_nvenc";
    settings.width = 258;
    settings.height = 146;
    disableInterop("cuda", settings, software.device->properties().identity, "");
  }
}

TEST_CASE("an encoder that breaks fails the segment; one without a session is busy") {
  const std::string path = fixture::path("broken.nut");
  {
    const Substitute card("fault=EncodePicture:30:20");
    const auto drawn = fixture::renderWhole(movie(226, 130), path);
    REQUIRE(!drawn.ok());
    CHECK(drawn.error().code == ErrorCode::ENCODE_FAILED);
  }
  {
    const Substitute card("sessions=0");
    const auto drawn = fixture::renderWhole(movie(230, 130), path);
    REQUIRE(!drawn.ok());
    CHECK(drawn.error().code == ErrorCode::ENCODER_BUSY);
  }
  const Substitute card("no-encoder=0");
  const auto drawn = fixture::renderWhole(movie(234, 130), path);
  INFO(textOf(drawn));
  REQUIRE(drawn.ok());  // by another card
  CHECK(drawn.value().interop.empty());
}

TEST_CASE("a card of an older generation encodes without B-frames") {
  const Substitute card("no-b-frames=1");
  const auto drawn = fixture::renderWhole(movie(242, 138), fixture::path("older.nut"));
  INFO(textOf(drawn));
  REQUIRE(drawn.ok());
  CHECK(drawn.value().interop == "cuda");
  const EncoderProbeResult probed = probeEncoder("h264_nvenc");
  CHECK(probed.reason == "");
  CHECK(probed.variant == 2);
}

TEST_CASE("the driver knows every option that is set for NVENC") {
  const Substitute card;
  const EncoderProbeResult found = probeEncoder("h264_nvenc");
  CHECK(found.reason == "");
  CHECK(found.ignoredOptions.empty());
}

// Segments of one movie, encoded at once from frames of the CPU; returns the largest number of parallel
// encoders, or 0 if a segment fails.
int maxParallel(int segments, int width) {
  Timeline timeline = movie(width, 98);
  timeline.compositor = CompositorChoice::kCpu;
  std::vector<std::thread> threads;
  std::atomic<int> max{0}, done{0};
  for (int i = 0; i < segments; ++i) {
    threads.emplace_back([&, i] {
      const auto drawn = fixture::renderWhole(timeline, fixture::path("card-" + std::to_string(i) + ".nut"));
      if (!drawn.ok()) return;
      ++done;
      for (int seen = max, now = drawn.value().maxParallelEncoders;
           now > seen && !max.compare_exchange_weak(seen, now);)
        continue;
    });
  }
  for (std::thread& thread : threads) thread.join();
  return done == segments ? max.load() : 0;
}

TEST_CASE("segments are encoded on all cards of one model, with two sessions and more on each") {
  // A frame takes 10 ms, so that segments overlap whatever else the host does.
  const Substitute cards("frame-ms=10");
  CHECK(maxParallel(8, 200) > 4);
  // The fifth would write other headers.
  VideoEncoderSettings settings;
  settings.encoder = "h264_nvenc";
  const std::vector<std::string> devices = VideoEncoder::devices(settings);
  CHECK(devices.size() >= 3);  // without the first where it showed that it has no encoder
  CHECK(devices.back() == "cuda:3");
}

TEST_SUITE_END();

}  // namespace framewright
