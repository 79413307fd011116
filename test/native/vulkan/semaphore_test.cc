#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "compositor/choose_compositor.h"
#include "compositor/compose_testing.h"
#include "compositor/vulkan/select_device.h"
#include "libav/encode/video/encoder_probe.h"
#include "libav/hardware/interop/choose_interop.h"
#include "libav/hardware/interop/interop_backend.h"
#include "render/clip_movie.h"
#include "render/interop_probe.h"
#include "vulkan/nvenc_choice.h"
#include "vulkan/software_device.h"
#include "vulkan/timeline_guard.h"

// Timeline semaphores between Vulkan and CUDA, with the substitute layer and driver (test/substitute-driver).
// These cases run in a process of their own.
TEST_SUITE_BEGIN("semaphores");

namespace framewright {
namespace {

// What the layer and the driver shall do until destroyed.
class Simulated {
 public:
  explicit Simulated(const std::string& vulkan = "", const std::string& cuda = "", bool exports = true) {
    setenv("VULKAN_SUBSTITUTE", ((exports ? "discrete=1,timelines=1," : "discrete=1,") + vulkan).c_str(), 1);
    setenv("CUDA_SUBSTITUTE", cuda.c_str(), 1);
  }
  ~Simulated() {
    unsetenv("VULKAN_SUBSTITUTE");
    unsetenv("CUDA_SUBSTITUTE");
  }
  Simulated(const Simulated&) = delete;
  Simulated& operator=(const Simulated&) = delete;
};

// The layer's card. The layer calls the software device a discrete one.
struct Card {
#ifdef __SANITIZE_ADDRESS__
  __lsan::ScopedDisabler drivers;  // drivers and layers leak memory when they are unloaded
#endif
  std::vector<std::string> messages;
  std::shared_ptr<vulkan::Device> device;

  // The validation layer sees no signals of another API, and waits for them itself.
  explicit Card(bool validate = false) {
    auto instance = vulkan::Instance::open(
        {.validate = validate, .onMessage = [this](const std::string& text) { messages.push_back(text); }});
    REQUIRE(instance.ok());
    auto created = vulkan::Device::create(instance.take(), 0);
    REQUIRE(created.ok());
    device = created.take();
  }
  std::unique_ptr<VulkanCompositor> compositor() const {
    auto created = createVulkanCompositor(device);
    REQUIRE(created.ok());
    return created.take();
  }
};

Timeline movie(int width, const std::string& encoder) {
  Timeline timeline = fixture::clipMovie("semaphores.mp4", width, 98, {4, 4, width - 20.0, 80});
  timeline.compositor = CompositorChoice::kAuto;
  timeline.encode.encoder = encoder;
  timeline.encode.preset = encoder == "libx264" ? "veryfast" : "p4";
  timeline.encode.crf = encoder == "libx264" ? 0 : 18;
  return timeline;
}

// A frame of one colour, in device memory.
Status drawFrame(Compositor& compositor, Image& frame, int number) {
  DrawList list;
  list.layers.resize(1);
  list.layers[0].fill = {static_cast<uint8_t>(20 * number), 90, 200, 255};
  list.layers[0].toCanvas = scaling(frame.width(), frame.height());
  return compositor.start(list, {}, frame);
}

// Shortens the wait for values that never arrive.
struct ShortWait {
  ShortWait() { vulkan::TimelineGuard::maxWait = std::chrono::milliseconds(300); }
  ~ShortWait() { vulkan::TimelineGuard::maxWait = std::chrono::milliseconds(20'000); }
};

}  // namespace

TEST_CASE("a frame's semaphore counts what is drawn") {
  const Simulated card;
  Card own(true);
  CHECK(own.device->exports(FramePlace::kOpaqueTimeline));
  {
    const auto compositor = own.compositor();
    const auto frame = compositor->createDeviceFrame(FramePlace::kOpaqueTimeline, 64, 48);
    REQUIRE(frame.ok());
    const FrameTimeline* const timeline = frame.value()->deviceMemory()->timeline();
    REQUIRE(timeline != nullptr);
    for (int i = 0; i < 5; ++i) {
      CHECK(timeline->lastValue() == static_cast<uint64_t>(i));
      REQUIRE(drawFrame(*compositor, *frame.value(), i).ok());
      CHECK(compositor->finish(*frame.value()).ok());
    }
    REQUIRE(frame.value()->deviceMemory()->fill(*makeImage(PixelFormat::kNv12, 64, 48)).ok());
    CHECK(timeline->lastValue() == 6);
    CHECK(compositor->settle().ok());
  }
  INFO((own.messages.empty() ? "" : own.messages.front()));
  CHECK(own.messages.empty());
}

TEST_CASE("frames are ordered by semaphores alone, where nothing is drawn until something waits for it") {
  const Simulated card("withholds=1");
  const Card own;
  const auto compositor = own.compositor();
  for (const bool allowsInPlace : {true, false}) {
    const InteropChoice choice = choose(*compositor, 150, allowsInPlace);
    CHECK(choice.name == (allowsInPlace ? "cuda-direct-semaphores" : "cuda-semaphores"));
    CHECK(choice.reason == "");
  }
}

TEST_CASE("a device that exports no semaphores is synchronised by fences") {
  const Simulated card("", "", false);
  const Card own;
  CHECK_FALSE(own.device->exports(FramePlace::kOpaqueTimeline));
  const auto compositor = own.compositor();
  const InteropChoice choice = choose(*compositor, 152);
  CHECK(choice.name == "cuda-direct");
  CHECK(choice.reason == "cuda-direct-semaphores: The graphics device does not export timeline semaphores.");
}

TEST_CASE("semaphores that fail, or order nothing, leave frames to fences") {
  struct Fault {
    const char *vulkan, *cuda, *reason;
    bool isOfCopies = false;  // frames that are read in place need no signals
  };
  const Fault faults[] = {
      {"fault=CreateSemaphore:1:-2", "", "There was not enough memory on the graphics device."},
      {"fault=GetSemaphoreFdKHR:1:-10", "", "vkGetSemaphoreFdKHR: VK_ERROR_TOO_MANY_OBJECTS"},
      {"", "fault=ImportExternalSemaphore:1:999", "cuImportExternalSemaphore: CUDA_ERROR_UNKNOWN"},
      {"", "fault=WaitExternalSemaphoresAsync:1:1",
       "cuWaitExternalSemaphoresAsync: CUDA_ERROR_INVALID_VALUE"},
      {"", "fault=SignalExternalSemaphoresAsync:2:1",
       "cuSignalExternalSemaphoresAsync: CUDA_ERROR_INVALID_VALUE", true},
      {"withholds=1", "ignores-waits=1", "the samples differ from those sent"},
      {"", "signals-early=1,lazy-streams=1", "the samples differ from those sent", true}};
  int width = 152;
  for (const Fault& fault : faults) {
    const std::string text = std::string(fault.vulkan) + " " + fault.cuda;
    CAPTURE(text);
    const Simulated card(fault.vulkan, fault.cuda);
    const Card own;
    const auto compositor = own.compositor();
    const InteropChoice choice = choose(*compositor, width += 2, !fault.isOfCopies);
    CHECK(choice.name == (fault.isOfCopies ? "cuda" : "cuda-direct"));
    CAPTURE(choice.reason);
    CHECK(choice.reason.starts_with(fault.isOfCopies ? "cuda-semaphores: " : "cuda-direct-semaphores: "));
    CHECK(choice.reason.find(fault.reason) != std::string::npos);
  }
}

TEST_CASE("CUDA is not left waiting for a card that is lost, or for a signal that never comes") {
  const ShortWait wait;
  // The frame that is lost: one in the middle, and the last one, which no later frame waits for.
  for (const int lost : {3, 6}) {
    CAPTURE(lost);
    const Simulated card("fault=Lost:" + std::to_string(lost) + ":-4");
    const Card own;
    const auto compositor = own.compositor();
    const InteropBackend& backend = lost == 3 ? kCudaDirectSemaphoreInterop : kCudaSemaphoreInterop;
    auto interop = backend.open(*compositor->device(), 160, 98);
    REQUIRE(interop.ok());
    Status failed;
    std::vector<FramePtr> sent;
    for (int i = 0; i < 6 && failed.ok(); ++i) {
      const auto frame = compositor->createDeviceFrame(FramePlace::kOpaqueTimeline, 160, 98);
      REQUIRE(frame.ok());
      failed = drawFrame(*compositor, *frame.value(), i);
      if (failed.ok()) failed = compositor->finish(*frame.value());
      if (!failed.ok()) break;
      auto frameOfCuda = interop.value()->frame(frame.value());
      REQUIRE(frameOfCuda.ok());
      sent.push_back(frameOfCuda.take());
    }
    // What the encoder does: it reads every frame that it was sent.
    for (const FramePtr& frame : sent) {
      const FramePtr back = allocateFrame().take();
      back->format = AV_PIX_FMT_NV12;
      CHECK(av_hwframe_transfer_data(back.get(), frame.get(), 0) == 0);
    }
    const Status settled = compositor->settle();
    const Error error = failed.ok() ? settled.error() : failed.error();
    CHECK(error.code == ErrorCode::GPU_FAILED);
    CHECK(error.message == "The graphics device was lost.");
    CHECK(own.device->isLost());
  }
  // The device waits for CUDA.
  const Simulated card("", "loses-signals=1");
  const Card own;
  const auto compositor = own.compositor();
  auto interop = kCudaSemaphoreInterop.open(*compositor->device(), 160, 98);
  REQUIRE(interop.ok());
  const auto frame = compositor->createDeviceFrame(FramePlace::kOpaqueTimeline, 160, 98);
  REQUIRE(frame.ok());
  for (int i = 0; i < 2; ++i) {
    REQUIRE(drawFrame(*compositor, *frame.value(), i).ok());
    REQUIRE(compositor->finish(*frame.value()).ok());
    REQUIRE(interop.value()->frame(frame.value()).ok());
  }
  const Status settled = compositor->settle();
  REQUIRE(!settled.ok());
  CHECK(settled.error().message == "The graphics device or its encoder hangs.");
}

TEST_CASE("a segment by semaphores equals one through main memory") {
  const Simulated card;
  const std::string through = fixture::path("through-memory.nut"),
                    within = fixture::path("by-semaphores.nut");
  Timeline inMainMemory = movie(178, "h264_nvenc");
  inMainMemory.interop = InteropMode::kOff;
  const auto expected = fixture::renderWhole(inMainMemory, through);
  INFO(textOf(expected));
  REQUIRE(expected.ok());
  for (const InteropMode mode : {InteropMode::kAuto, InteropMode::kCopy}) {
    Timeline timeline = movie(178, "h264_nvenc");
    timeline.interop = mode;
    const auto drawn = fixture::renderWhole(timeline, within);
    INFO(textOf(drawn));
    REQUIRE(drawn.ok());
    const bool isInPlace = mode == InteropMode::kAuto;
    CHECK(drawn.value().interop == (isInPlace ? "cuda-direct-semaphores" : "cuda-semaphores"));
    CHECK(drawn.value().interopReason == "");
    CHECK(drawn.value().interopCopies == (isInPlace ? 0 : 40));
    CHECK(fixture::readFile(within) == fixture::readFile(through));
  }
}

TEST_CASE("a segment has the same bytes where nothing is drawn until something waits for it") {
  const std::string through = fixture::path("drawn-at-once.nut"), within = fixture::path("drawn-late.nut");
  Timeline timeline = movie(190, "h264_nvenc");
  timeline.interop = InteropMode::kOff;
  {
    const Simulated card;
    REQUIRE(fixture::renderWhole(timeline, through).ok());
  }
  const Simulated card("withholds=1");
  timeline.interop = InteropMode::kAuto;
  for (const char* const name : {"cuda-direct-semaphores", "cuda-direct"}) {
    const auto drawn = fixture::renderWhole(timeline, within);
    INFO(textOf(drawn));
    REQUIRE(drawn.ok());
    CHECK(drawn.value().interop == name);
    CHECK(fixture::readFile(within) == fixture::readFile(through));
    const auto compositor = createCompositor(CompositorChoice::kAuto);
    REQUIRE(compositor.ok());
    disableInterop(name, settingsOf(190), *compositor.value()->device(), "by a test");
  }
}

TEST_CASE("the report names the best way to an encoder, and why others are not used") {
  const Simulated card;
  const auto reports = probeInteropBackends({probeEncoder("h264_nvenc")});
  REQUIRE(reports.size() >= 4);
  CHECK(reports[0].name == "cuda-direct-semaphores");
  CHECK(reports[0].available);
  CHECK(reports[0].reason == "h264_nvenc");
  const char* const others[] = {"cuda-direct", "cuda-semaphores", "cuda"};
  for (size_t i = 0; i < 3; ++i) {
    CHECK(reports[i + 1].name == others[i]);
    CHECK_FALSE(reports[i + 1].available);
    CHECK(reports[i + 1].reason == "not needed, because cuda-direct-semaphores works");
  }
}

TEST_CASE("a signal that is lost during a segment costs a second run, with the same frames") {
  const ShortWait wait;
  const std::string expected = fixture::path("signals.nut"), path = fixture::path("lost-signals.nut");
  Timeline copying = movie(182, "h264_nvenc");
  copying.interop = InteropMode::kCopy;
  {
    const Simulated card;
    Timeline inMainMemory = movie(182, "h264_nvenc");
    inMainMemory.interop = InteropMode::kOff;
    REQUIRE(fixture::renderWhole(inMainMemory, expected).ok());
    // The probe's result is cached.
    REQUIRE(fixture::renderWhole(copying, path).ok());
  }
  const Simulated card("", "loses-signals=1");
  const auto drawn = fixture::renderWhole(copying, path);
  INFO(textOf(drawn));
  REQUIRE(drawn.ok());
  CHECK(drawn.value().interop.empty());
  CHECK(drawn.value().interopReason.starts_with(
      "cuda-semaphores failed: The graphics device or its encoder hangs."));
  CHECK(fixture::readFile(path) == fixture::readFile(expected));
}

TEST_CASE("a card that is lost while CUDA waits for it fails no segment") {
  const std::string path = fixture::path("card-lost.nut");
  {
    const Simulated card;
    REQUIRE(fixture::renderWhole(movie(186, "h264_nvenc"), path).ok());
  }
  const Simulated card("fault=Lost:12:-4");
  const auto drawn = fixture::renderWhole(movie(186, "h264_nvenc"), path);
  INFO(textOf(drawn));
  REQUIRE(drawn.ok());
  CHECK(drawn.value().interop.empty());
  CHECK(drawn.value().interopReason.starts_with(
      "cuda-direct-semaphores failed: The graphics device was lost."));
  CHECK(drawn.value().frames == 40);
  CHECK_FALSE(probeCompositors()[1].available);
  forgetVulkanDevices();
}

TEST_SUITE_END();

}  // namespace framewright
