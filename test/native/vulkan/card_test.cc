#include <cstdlib>
#include <string>

#include "compositor/choose_compositor.h"
#include "compositor/compose_testing.h"
#include "compositor/vulkan/select_device.h"
#include "render/clip_movie.h"
#include "render/interop_probe.h"
#include "vulkan/buffer.h"
#include "vulkan/software_device.h"

// The software device as a card, and calls of Vulkan that fail, by the substitute layer
// (test/substitute-driver), with the substitute for a VAAPI driver. These cases run in a process of their
// own.
TEST_SUITE_BEGIN("card");

namespace framewright {
namespace {

// What the layer and the VAAPI driver shall do until destroyed. The engine lists a process's devices once, so
// all cases have the same device.
class SimulatedCard {
 public:
  explicit SimulatedCard(const std::string& settings = "", bool isDiscrete = true) {
    setenv("VULKAN_SUBSTITUTE",
           (std::string(isDiscrete ? "discrete=1," : "") + "dma-buf=1," + settings).c_str(), 1);
    setenv("VAAPI_SUBSTITUTE", "vulkan-import=1", 1);
  }
  ~SimulatedCard() {
    unsetenv("VULKAN_SUBSTITUTE");
    unsetenv("VAAPI_SUBSTITUTE");
  }
  SimulatedCard(const SimulatedCard&) = delete;
  SimulatedCard& operator=(const SimulatedCard&) = delete;
};

// Draws one frame on a newly opened device; the error of the first step that fails.
Status drawOnce() {
  FW_ASSIGN_OR_RETURN(const auto instance, vulkan::Instance::open());
  if (instance->devices().empty()) return Error{ErrorCode::GPU_FAILED, "There is no device.", ""};
  FW_ASSIGN_OR_RETURN(const auto device, vulkan::Device::create(instance, 0));
  FW_ASSIGN_OR_RETURN(const auto compositor, createVulkanCompositor(device));
  const auto image = paintRgba(16, 16, [](int, int) { return Color{1, 2, 3, 255}; });
  FW_ASSIGN_OR_RETURN(const PreparedImagePtr prepared, compositor->prepareStill(*image, 0, 0));
  DrawList list;
  list.layers.push_back(imageLayer(0, {0, 0, 16, 16}));
  for (int i = 0; i < 5; ++i) {
    FW_RETURN_IF_ERROR(compositor->compose(list, {&prepared, 1}, *makeImage(PixelFormat::kI420, 64, 48)));
  }
  return {};
}

// Frames that change, of a scene with a fill and a clip.
Timeline movie(int width, CompositorChoice compositor, const std::string& encoder) {
  Timeline timeline = fixture::clipMovie("card.mp4", width, 98, {4, 4, width - 20.0, 80});
  timeline.compositor = compositor;
  timeline.encode.encoder = encoder;
  timeline.encode.crf = encoder == "libx264" ? 0 : 20;
  return timeline;
}

}  // namespace

TEST_CASE("each call of Vulkan that fails is an error that names it") {
  {
    const SimulatedCard card;
    const Status drawn = drawOnce();
    INFO((drawn.ok() ? "" : drawn.error().message + drawn.error().detail));
    REQUIRE(drawn.ok());
  }
  const char* const calls[] = {"EnumeratePhysicalDevices",
                               "CreateDevice",
                               "CreateDescriptorSetLayout",
                               "CreatePipelineLayout",
                               "CreateCommandPool",
                               "AllocateCommandBuffers",
                               "CreateFence",
                               "CreateQueryPool",
                               "CreateBuffer",
                               "AllocateMemory",
                               "BindBufferMemory",
                               "MapMemory",
                               "CreateShaderModule",
                               "CreateComputePipelines",
                               "CreateDescriptorPool",
                               "AllocateDescriptorSets",
                               "ResetCommandPool",
                               "ResetDescriptorPool",
                               "BeginCommandBuffer",
                               "EndCommandBuffer",
                               "ResetFences",
                               "QueueSubmit",
                               "WaitForFences",
                               "GetQueryPoolResults"};
  const std::pair<int, const char*> results[] = {
      {VK_ERROR_OUT_OF_DEVICE_MEMORY, "VK_ERROR_OUT_OF_DEVICE_MEMORY"},
      {VK_ERROR_DEVICE_LOST, "VK_ERROR_DEVICE_LOST"},
      {VK_ERROR_TOO_MANY_OBJECTS, "VK_ERROR_TOO_MANY_OBJECTS"}};
  size_t next = 0;
  for (const char* const call : calls) {
    const auto& [result, name] = results[next++ % std::size(results)];
    CAPTURE(std::string(call));
    const SimulatedCard card("fault=" + std::string(call) + ":1:" + std::to_string(result));
    const Status drawn = drawOnce();
    REQUIRE(!drawn.ok());
    CHECK(drawn.error().detail ==
          "vk" + std::string(call) + ": " + name + " (" + std::to_string(result) + ")");
    CHECK(drawn.error().code ==
          (result == VK_ERROR_OUT_OF_DEVICE_MEMORY ? ErrorCode::OUT_OF_MEMORY : ErrorCode::GPU_FAILED));
  }
}

TEST_CASE("an instance that cannot be created says what is missing") {
  const std::pair<int, const char*> results[] = {
      {VK_ERROR_INCOMPATIBLE_DRIVER, "No Vulkan driver is installed."},
      {VK_ERROR_LAYER_NOT_PRESENT, "The Vulkan validation layer is not installed."},
      {VK_ERROR_OUT_OF_HOST_MEMORY, "There was not enough memory on the graphics device."}};
  for (const auto& [result, message] : results) {
    const SimulatedCard card("fault=CreateInstance:1:" + std::to_string(result));
    const auto opened = vulkan::Instance::open();
    REQUIRE(!opened.ok());
    CHECK(opened.error().message == message);
  }
}

TEST_CASE("a device with two manifests is one device, and devices with different UUIDs are several") {
  const std::string first = fixture::path("first.json"), second = fixture::path("second.json");
  fixture::outputOf("for to in " + first + " " + second +
                    "; do cp /usr/share/vulkan/icd.d/lvp_icd.*.json $to; done");
  setenv("VK_ICD_FILENAMES", (first + ":" + second).c_str(), 1);
  for (const auto& [settings, count] : {std::pair{"", size_t{1}}, std::pair{"own-uuids=1", size_t{2}}}) {
    const SimulatedCard card(settings, false);
    const auto opened = vulkan::Instance::open();
    REQUIRE(opened.ok());
    CHECK(opened.value()->devices().size() == count);
  }
  unsetenv("VK_ICD_FILENAMES");
}

TEST_CASE("a device that runs out of memory or is lost leaves its frames to the CPU") {
  const auto cpu = createCpuCompositor();
  const std::string faults[] = {
      "AllocateMemory:1:-2", "AllocateMemory:3:-2",         "QueueSubmit:4:-4",
      "WaitForFences:5:-4",  "CreateComputePipelines:1:-1", "EndCommandBuffer:6:-1"};
  for (const std::string& fault : faults) {
    CAPTURE(fault);
    SoftwareDevice software(false);
    const auto compositor = createFallbackCompositor(software.compositor(), "A card");
    const SimulatedCard card("fault=" + fault, false);
    std::vector<std::shared_ptr<Image>> frames;
    for (int i = 0; i < 9; ++i) {
      const auto image = paintRgba(64, 48, [i](int x, int y) {
        return Color{static_cast<uint8_t>(x * (i + 1)), static_cast<uint8_t>(y + 20 * i), 90, 255};
      });
      const PreparedImagePtr onDevice = compositor->prepareStill(*image, 0, 0).take(),
                             onHost = cpu->prepareStill(*image, 0, 0).take();
      DrawList list;
      list.layers.push_back(imageLayer(0, {3, 2, 50, 40}));
      const auto drawn = makeImage(PixelFormat::kI420, 64, 48),
                 expected = makeImage(PixelFormat::kI420, 64, 48);
      const Status composed = compositor->compose(list, {&onDevice, 1}, *drawn);
      INFO((composed.ok() ? "" : composed.error().message + composed.error().detail));
      REQUIRE(composed.ok());
      REQUIRE(cpu->compose(list, {&onHost, 1}, *expected).ok());
      CHECK(largestDifference(*drawn, *expected) <= 2);
    }
    CHECK(compositor->deviceFailure().starts_with("A card: "));
  }
}

TEST_CASE("DMA-BUFs go from the device to a VAAPI encoder, and the video has their samples") {
  const std::string through = fixture::path("card-through.nut"), within = fixture::path("card-within.nut");
  {
    const SimulatedCard card("", false);
    SoftwareDevice software;
    CHECK(software.device->exports(FramePlace::kDmaBuf));
    CHECK(software.device->hasForeignFamily());
    CHECK(software.device->properties().identity.renderNode == 128);
    const auto frame = software.compositor()->createDeviceFrame(FramePlace::kDmaBuf, 64, 48);
    REQUIRE(frame.ok());
    REQUIRE(frame.value()->deviceMemory()->fill(*makeImage(PixelFormat::kNv12, 64, 48)).ok());
    INFO(software.firstMessage());
    CHECK(software.messages.empty());
  }
  const SimulatedCard card;
  const auto expected = fixture::renderWhole(movie(162, CompositorChoice::kVulkan, "libx264"), through);
  REQUIRE(expected.ok());
  const auto drawn = fixture::renderWhole(movie(162, CompositorChoice::kVulkan, "h264_vaapi"), within);
  INFO((drawn.ok() ? drawn.value().interopReason : drawn.error().message + " " + drawn.error().detail));
  REQUIRE(drawn.ok());
  CHECK(drawn.value().interop == "vaapi");
  CHECK(drawn.value().interopCopies == 0);
  CHECK(fixture::framesOf(within) == fixture::framesOf(through));
}

TEST_CASE("an encoder that refuses the device's memory gets copies, and the video has their samples") {
  const std::string through = fixture::path("copy-through.nut"), within = fixture::path("copy-within.nut");
  const SimulatedCard card;
  setenv("VAAPI_SUBSTITUTE", "vulkan-import=1,own-only=1", 1);
  REQUIRE(fixture::renderWhole(movie(168, CompositorChoice::kVulkan, "libx264"), through).ok());
  const auto drawn = fixture::renderWhole(movie(168, CompositorChoice::kVulkan, "h264_vaapi"), within);
  INFO((drawn.ok() ? drawn.value().interopReason : drawn.error().message + " " + drawn.error().detail));
  REQUIRE(drawn.ok());
  CHECK(drawn.value().interop == "vaapi-copy");
  CHECK(drawn.value().interopCopies == 40);
  CHECK(fixture::framesOf(within) == fixture::framesOf(through));
}

TEST_CASE("frames pass through main memory if the device exports no descriptor") {
  const SimulatedCard card("fault=GetMemoryFdKHR:1:-10");
  const auto drawn =
      fixture::renderWhole(movie(164, CompositorChoice::kVulkan, "h264_vaapi"), fixture::path("card-fd.nut"));
  REQUIRE(drawn.ok());
  CHECK(drawn.value().interop.empty());
  CHECK(drawn.value().interopReason.find("vkGetMemoryFdKHR") != std::string::npos);
}

TEST_CASE("automatic composition uses a card that draws like the CPU, and reports what its encoder gets") {
  const SimulatedCard card;
  const auto probes = probeCompositors();
  REQUIRE(probes.size() == 2);
  INFO(probes[1].reason);
  CHECK(probes[1].available);
  const auto reports = probeInteropBackends(probeEncoders());
  const std::pair<const char*, const char*> expected[] = {
      {"cuda-direct-semaphores",
       "cuda-direct-semaphores: The graphics device does not export timeline semaphores."},
      {"cuda-direct", "h264_nvenc"},
      {"cuda-semaphores", "not needed, because cuda-direct works"},
      {"cuda", "not needed, because cuda-direct works"},
      {"vaapi", "h264_vaapi"},
      {"vaapi-copy", "not needed, because vaapi works"}};
  REQUIRE(reports.size() == std::size(expected));
  for (size_t i = 0; i < reports.size(); ++i) {
    CHECK(reports[i].name == expected[i].first);
    CHECK(reports[i].reason == expected[i].second);
    CHECK(reports[i].available == (reports[i].name == "cuda-direct" || reports[i].name == "vaapi"));
  }
}

TEST_CASE("a card that is lost within a segment changes no sample, and is not used again") {
  const std::string whole = fixture::path("card-whole.nut"), lost = fixture::path("card-lost.nut");
  {
    const SimulatedCard card;
    REQUIRE(fixture::renderWhole(movie(166, CompositorChoice::kAuto, "libx264"), whole).ok());
  }
  {
    const SimulatedCard card("fault=WaitForFences:9:-4");
    const auto drawn = fixture::renderWhole(movie(166, CompositorChoice::kAuto, "libx264"), lost);
    INFO((drawn.ok() ? "" : drawn.error().message + " " + drawn.error().detail));
    REQUIRE(drawn.ok());
    CHECK(drawn.value().deviceFailure.find("The graphics device was lost.") != std::string::npos);
    CHECK(fixture::framesOf(lost) == fixture::framesOf(whole));
  }
  const SimulatedCard card;
  const auto probes = probeCompositors();
  CHECK_FALSE(probes[1].available);
  CHECK(probes[1].reason.find("it was lost while it drew") != std::string::npos);
  const auto refused = createCompositor(CompositorChoice::kVulkan);
  CHECK_FALSE(refused.ok());
  forgetVulkanDevices();
}

TEST_SUITE_END();

}  // namespace framewright
