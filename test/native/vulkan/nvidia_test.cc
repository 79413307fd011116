#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "compositor/compose_testing.h"
#include "libav/encode/video/encoder_probe.h"
#include "libav/hardware/interop/choose_interop.h"
#include "libav/hardware/interop/in_place_frames.h"
#include "libav/hardware/interop/interop_backend.h"
#include "render/clip_movie.h"
#include "vulkan/nvenc_choice.h"
#include "vulkan/software_device.h"

// NVIDIA's path with the substitute driver (test/substitute-driver). These cases run in a process of their
// own, whose LD_LIBRARY_PATH has the substitute: other cases see a host without a card.
TEST_SUITE_BEGIN("nvidia");

namespace framewright {
namespace {

// The engine counts a process's cards once.
const std::string kCards = "cards=5,other-model=4,";

// Why the software device is synchronised by fences; semaphore_test.cc has one that exports semaphores.
const std::string kNoSemaphores = "semaphores: The graphics device does not export timeline semaphores.";

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
  const std::string onCard = fixture::path("on-card.nut"), onCpu = fixture::path("on-cpu.nut"),
                    through = fixture::path("through-memory.nut");
  Timeline software = movie(322, 182);
  software.encode.encoder = "libx264";
  software.encode.preset = "veryfast";
  const auto expected = fixture::renderWhole(software, onCpu);
  REQUIRE(expected.ok());
  for (const char* const encoder : {"h264_nvenc", "hevc_nvenc"}) {
    CAPTURE(std::string(encoder));
    Timeline timeline = movie(322, 182);
    timeline.encode.encoder = encoder;
    const auto drawn = fixture::renderWhole(timeline, onCard);
    INFO(textOf(drawn));
    REQUIRE(drawn.ok());
    CHECK(drawn.value().interop == "cuda-direct");
    CHECK(drawn.value().interopReason == "cuda-direct-" + kNoSemaphores);
    CHECK(drawn.value().interopCopies == 0);
    CHECK(drawn.value().frames == 40);
    CHECK(worstPsnr(onCpu, onCard) > 32);
    timeline.interop = InteropMode::kOff;
    REQUIRE(fixture::renderWhole(timeline, through).ok());
    CHECK(fixture::readFile(through) == fixture::readFile(onCard));
  }
}

TEST_CASE("each call of the driver that fails leaves the frames in main memory, with its name") {
  // Why frames are not read in place, unless they are, and not copied.
  struct Fault {
    std::string call, inPlace, copied;
  };
  const std::string encoder = "the encoder rejects its frames",
                    readback = "the samples differ from those sent",
                    device = "libav cannot open a CUDA device",
                    unknown = "cuImportExternalMemory: CUDA_ERROR_UNKNOWN",
                    full = "cuExternalMemoryGetMappedBuffer: CUDA_ERROR_OUT_OF_MEMORY";
  const Fault faults[] = {{"CtxCreate:1:2", device, device},
                          {"ImportExternalMemory:1:999", unknown, unknown},
                          {"ExternalMemoryGetMappedBuffer:1:2", full, full},
                          {"Memcpy2D:1:700", readback, "cuMemcpy2DAsync: CUDA_ERROR_ILLEGAL_ADDRESS"},
                          {"StreamSynchronize:1:700", "", "cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS"},
                          {"MemAlloc:1:2", "", "there was not enough memory"},
                          {"RegisterResource:1:23", encoder, encoder},
                          {"MapInputResource:1:16", encoder, encoder},
                          {"LockBitstream:1:8", encoder, encoder}};
  int width = 160;
  SoftwareDevice software;
  const auto compositor = software.compositor();
  for (const auto& [fault, inPlace, copied] : faults) {
    CAPTURE(fault);
    const Substitute card("fault=" + fault);
    const InteropChoice choice = choose(*compositor, width += 2), copying = choose(*compositor, width, false);
    CAPTURE(choice.reason);
    CHECK(choice.name == (inPlace.empty() ? "cuda-direct" : ""));
    CHECK(choice.reason.starts_with("cuda-direct-" + kNoSemaphores));
    if (!inPlace.empty()) CHECK(choice.reason.find("; cuda-direct: " + inPlace) != std::string::npos);
    CAPTURE(copying.reason);
    CHECK(copying.name.empty());
    CHECK(copying.reason.starts_with("cuda-" + kNoSemaphores + "; cuda: "));
    CHECK(copying.reason.find(copied) != std::string::npos);
  }
}

TEST_CASE(
    "frames are copied on the card where NVENC refuses the compositor's memory, or an operator wants it") {
  SoftwareDevice software;
  const auto compositor = software.compositor();
  {
    const Substitute card("own-only=1");
    const InteropChoice choice = choose(*compositor, 198);
    CHECK(choice.name == "cuda");
    CAPTURE(choice.reason);
    CHECK(choice.reason.find("cuda-direct: the encoder rejects its frames") != std::string::npos);
  }
  const Substitute card;
  CHECK(choose(*compositor, 200).name == "cuda-direct");
  CHECK(choose(*compositor, 200, false).name == "cuda");
}

TEST_CASE(
    "frames have the same bytes in main memory, in place, copied, and where NVENC has too many in place") {
  const Substitute card;
  const std::string path = fixture::path("by-path.nut");
  struct Path {
    InteropMode mode;
    int maxFrames;
    const char* name;
    int minCopies, maxCopies;
  };
  const int unlimited = InPlaceFrames::maxFrames;
  std::vector<uint8_t> expected;
  for (const auto& [mode, maxFrames, name, minCopies, maxCopies] :
       {Path{InteropMode::kOff, unlimited, "", 0, 0},
        Path{InteropMode::kAuto, unlimited, "cuda-direct", 0, 0},
        Path{InteropMode::kCopy, unlimited, "cuda", 40, 40},
        Path{InteropMode::kAuto, 6, "cuda-direct", 10, 34}}) {
    CAPTURE(std::string(name));
    CAPTURE(maxFrames);
    Timeline timeline = movie(246, 138);
    timeline.interop = mode;
    InPlaceFrames::maxFrames = maxFrames;
    const auto drawn = fixture::renderWhole(timeline, path);
    InPlaceFrames::maxFrames = unlimited;
    INFO(textOf(drawn));
    REQUIRE(drawn.ok());
    CHECK(drawn.value().interop == name);
    CHECK(drawn.value().interopCopies >= minCopies);
    CHECK(drawn.value().interopCopies <= maxCopies);
    if (expected.empty()) expected = fixture::readFile(path);
    CHECK(fixture::readFile(path) == expected);
  }
}

TEST_CASE("an encoder that ends early releases the compositor's memory") {
  const Substitute card;
  SoftwareDevice software;
  const auto compositor = software.compositor();
  InteropChoice choice = choose(*compositor, 206);
  REQUIRE(choice.name == "cuda-direct");
  VideoEncoderSettings settings = settingsOf(206);
  settings.interop = std::move(choice.interop);
  auto encoder = VideoEncoder::open(settings, fixture::path("ends-early.nut"));
  REQUIRE(encoder.ok());
  std::vector<std::weak_ptr<const DeviceMemory>> memory;
  for (int i = 0; i < 12; ++i) {
    const auto frame = compositor->createDeviceFrame(choice.place, 206, 98);
    REQUIRE(frame.ok());
    REQUIRE(frame.value()->deviceMemory()->fill(*makeImage(PixelFormat::kNv12, 206, 98)).ok());
    memory.push_back(frame.value()->deviceMemory());
    REQUIRE(encoder.value()->encode({frame.value()}).ok());
  }
  // The encoder is the last to know the memory.
  settings.interop.reset();
  CHECK_FALSE(memory.front().expired());
  encoder.value().reset();
  for (const auto& each : memory) CHECK(each.expired());
}

TEST_CASE("a card lost during a segment costs a second run through main memory, with the same frames") {
  const std::string expected = fixture::path("in-main-memory.nut"), path = fixture::path("lost.nut");
  struct Fault {
    InteropMode mode;
    const char *call, *path;
  };
  Timeline inMainMemory = movie(258, 146);
  inMainMemory.interop = InteropMode::kOff;
  {
    const Substitute card;
    REQUIRE(fixture::renderWhole(inMainMemory, expected).ok());
  }
  // Two copies per frame: ten frames of the probe, then some of the movie.
  for (const auto& [mode, fault, name] :
       {Fault{InteropMode::kCopy, "Memcpy2D:40:700", "cuda"},
        Fault{InteropMode::kCopy, "StreamSynchronize:25:700", "cuda"},
        Fault{InteropMode::kAuto, "ImportExternalMemory:11:999", "cuda-direct"},
        Fault{InteropMode::kAuto, "MapInputResource:20:16", "cuda-direct"}}) {
    CAPTURE(std::string(fault));
    const Substitute card("fault=" + std::string(fault));
    Timeline timeline = movie(258, 146);
    timeline.interop = mode;
    const auto drawn = fixture::renderWhole(timeline, path);
    INFO(textOf(drawn));
    REQUIRE(drawn.ok());
    CHECK(drawn.value().interop.empty());
    CHECK(drawn.value().interopReason.starts_with(std::string(name) + " failed: "));
    CHECK(fixture::readFile(path) == fixture::readFile(expected));
    SoftwareDevice software(false);
    VideoEncoderSettings settings;
    settings.encoder = "h264_nvenc";
    settings.width = 258;
    settings.height = 146;
    disableInterop(name, settings, software.device->properties().identity, "");
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
  CHECK(drawn.value().interop == "cuda-direct");
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
