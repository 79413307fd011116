#include "compositor/choose_compositor.h"

#include <tuple>

#include "compositor/compose_testing.h"
#include "compositor/plan/color.h"
#include "compositor/planar_image.h"
#include "compositor/vulkan/select_device.h"
#include "gpu_check/frame_difference.h"
#include "vulkan/buffer.h"
#include "vulkan/instance.h"
#include "vulkan/software_device.h"

namespace framewright {

TEST_CASE("software Vulkan devices are used only on request") {
  const SoftwareDevice software(false);
  const auto asked = createCompositor(CompositorChoice::kVulkan);
  REQUIRE(asked.ok());
  CHECK(dynamic_cast<VulkanCompositor*>(asked.value().get()) != nullptr);
  const auto probes = probeCompositors();
  REQUIRE(probes.size() == 2);
  CHECK(probes[0].name == "cpu");
  CHECK(probes[0].available);
  CHECK(probes[1].name == "vulkan");
  if (software.instance->devices().size() > 1) return;  // a real device is present
  CHECK_FALSE(probes[1].available);
  CHECK(probes[1].reason.find("software") != std::string::npos);
  const auto automatic = createCompositor(CompositorChoice::kAuto);
  REQUIRE(automatic.ok());
  const auto image = paintRgba(16, 16, [](int, int) { return Color{1, 2, 3, 255}; });
  const auto prepared = automatic.value()->prepareStill(*image, 0, 0);
  REQUIRE(prepared.ok());
  CHECK(dynamic_cast<const PlanarImage*>(prepared.value().get()) != nullptr);
}

TEST_CASE("images are evicted from the device and uploaded again") {
  SoftwareDevice software;
  const auto tight = software.compositor({.memoryBudget = 400 * 1024});
  const auto cpu = createCpuCompositor();
  std::vector<PreparedImagePtr> onDevice, onHost;
  for (int i = 0; i < 6; ++i) {
    const auto image = paintRgba(256, 192, [i](int x, int y) {
      return Color{static_cast<uint8_t>(x * (i + 1)), static_cast<uint8_t>(y + 30 * i), 90, 255};
    });
    onDevice.push_back(tight->prepareStill(*image, 0, 0).take());
    onHost.push_back(cpu->prepareStill(*image, 0, 0).take());
  }
  for (int frame = 0; frame < 18; ++frame) {
    DrawList list;
    list.layers.push_back(imageLayer(frame % 6, {3.5, 2, 120, 80}));
    const auto drawn = makeImage(PixelFormat::kI420, 128, 96),
               expected = makeImage(PixelFormat::kI420, 128, 96);
    REQUIRE(tight->compose(list, onDevice, *drawn).ok());
    REQUIRE(cpu->compose(list, onHost, *expected).ok());
    CHECK(largestDifference(*drawn, *expected) <= 2);
  }
  CHECK(tight->evictions() >= 10);
  INFO(software.firstMessage());
  CHECK(software.messages.empty());
}

TEST_CASE("three frames in flight use their own images") {
  SoftwareDevice software;
  const auto device = software.compositor();
  CHECK(device->framesInFlight() == 3);
  std::vector<std::shared_ptr<Image>> frames;
  for (int i = 0; i < 3; ++i) frames.push_back(makeImage(PixelFormat::kI420, 64, 48));
  for (int round = 0; round < 12; ++round) {
    Image& frame = *frames[static_cast<size_t>(round % 3)];
    if (round >= 3) {
      REQUIRE(device->finish(frame).ok());
      CHECK(sampleAt(frame, 0, 5, 5) == yuvOf({static_cast<uint8_t>((round - 3) * 20), 0, 0, 255})[0]);
    }
    DrawList list;
    list.layers.push_back(fillLayer({static_cast<uint8_t>(round * 20), 0, 0, 255}, {0, 0, 64, 48}));
    REQUIRE(device->start(list, {}, frame).ok());
  }
  for (const auto& frame : frames) REQUIRE(device->finish(*frame).ok());
  CHECK(sampleAt(*frames[2], 0, 5, 5) == yuvOf({220, 0, 0, 255})[0]);
  INFO(software.firstMessage());
  CHECK(software.messages.empty());
}

TEST_CASE("frames may be released while the device uses them, and may outlive the device") {
  SoftwareDevice software;
  std::shared_ptr<Image> survivor;
  {
    const auto device = software.compositor();
    DrawList list;
    list.layers.push_back(fillLayer({200, 0, 0, 255}, {0, 0, 640, 360}));
    survivor = device->createFrame(PixelFormat::kI420, 640, 360).take();
    REQUIRE(device->compose(list, {}, *survivor).ok());
    for (int i = 0; i < 2; ++i) {
      const auto given = device->createFrame(PixelFormat::kNv12, 640, 360).take();
      REQUIRE(device->start(list, {}, *given).ok());
    }
  }
  CHECK(sampleAt(*survivor, 0, 639, 359) == yuvOf({200, 0, 0, 255})[0]);
  INFO(software.firstMessage());
  CHECK(software.messages.empty());
}

TEST_CASE("frames in ordinary memory equal frames in device memory") {
  SoftwareDevice software;
  const auto device = software.compositor();
  const auto image = paintRgba(67, 45, [](int x, int y) {
    return Color{static_cast<uint8_t>(3 * x), static_cast<uint8_t>(5 * y), 90, 255};
  });
  const PreparedImagePtr prepared = device->prepareStill(*image, 0, 0).take();
  DrawList list;
  list.layers.push_back(imageLayer(0, {0, 0, 67, 45}));
  for (const PixelFormat format : {PixelFormat::kI420, PixelFormat::kNv12}) {
    const auto ofDevice = device->createFrame(format, 67, 45).take(), elsewhere = makeImage(format, 67, 45);
    REQUIRE(device->compose(list, {&prepared, 1}, *ofDevice).ok());
    REQUIRE(device->compose(list, {&prepared, 1}, *elsewhere).ok());
    const FrameDifference apart = compareFrames(*ofDevice, *elsewhere);
    CHECK(apart.samples == 67 * 45 + 2 * 34 * 23);
    CHECK(apart.differing == 0);
  }
  INFO(software.firstMessage());
  CHECK(software.messages.empty());
}

namespace {

// A device that is lost at a given frame, in start() or in finish().
class LostDevice final : public VulkanCompositor {
 public:
  enum class Where { kStart, kFinish };
  LostDevice(std::unique_ptr<VulkanCompositor> device, Where where, int frames)
      : device_(std::move(device)), where_(where), frames_(frames) {}

  Result<PreparedImagePtr> prepareStill(const Image& image, double width, double height) override {
    return device_->prepareStill(image, width, height);
  }
  Result<PreparedImagePtr> prepareVideoFrame(ImagePtr image, double width, double height) override {
    return device_->prepareVideoFrame(std::move(image), width, height);
  }
  Status compose(const DrawList& list, std::span<const PreparedImagePtr> images, Image& frame) override {
    return device_->compose(list, images, frame);
  }
  Status start(const DrawList& list, std::span<const PreparedImagePtr> images, Image& frame) override {
    if (where_ == Where::kStart && frames_-- <= 0) return lost();
    return device_->start(list, images, frame);
  }
  Status finish(Image& frame) override {
    if (where_ == Where::kFinish && frames_-- <= 0) return lost();
    return device_->finish(frame);
  }
  int framesInFlight() const override { return device_->framesInFlight(); }
  Result<std::shared_ptr<Image>> createFrame(PixelFormat wanted, int width, int height) override {
    return device_->createFrame(wanted, width, height);
  }
  double drawSeconds() const override { return 0; }
  size_t evictions() const override { return 0; }
  Status composeOnHost(const DrawList& list, std::span<const PreparedImagePtr> images,
                       Image& frame) override {
    ++onHost;
    return device_->composeOnHost(list, images, frame);
  }

  int onHost = 0;

 private:
  static Error lost() { return {ErrorCode::GPU_FAILED, "The device was lost.", "by a test"}; }
  const std::unique_ptr<VulkanCompositor> device_;
  const Where where_;
  int frames_;
};

}  // namespace

TEST_CASE("frames in flight on a lost device are redrawn by the CPU") {
  using Where = LostDevice::Where;
  SoftwareDevice software;
  // The third frame is lost with two in flight; a failing finish() loses the second and later frames.
  for (const auto& [where, survivor, redrawn] :
       {std::tuple{Where::kStart, 2, 7}, std::tuple{Where::kFinish, 1, 8}}) {
    auto lost = std::make_unique<LostDevice>(software.compositor(), where, survivor);
    LostDevice& device = *lost;
    const auto compositor = createFallbackCompositor(std::move(lost), "A card");
    CHECK(compositor->deviceFailure().empty());
    std::vector<std::shared_ptr<Image>> frames;
    const auto start = [&](int index) {
      frames.push_back(compositor->createFrame(PixelFormat::kNv12, 64, 48).take());
      DrawList list;
      list.layers.push_back(fillLayer({static_cast<uint8_t>(index * 25), 0, 0, 255}, {0, 0, 64, 48}));
      REQUIRE(compositor->start(list, {}, *frames.back()).ok());
    };
    for (int i = 0; i < 9; ++i) {
      start(i);
      if (i < 2) continue;
      Image& done = *frames[static_cast<size_t>(i - 2)];
      REQUIRE(compositor->finish(done).ok());
      const auto yuv = yuvOf({static_cast<uint8_t>((i - 2) * 25), 0, 0, 255});
      CHECK(sampleAt(done, 0, 5, 5) == yuv[0]);
      CHECK(sampleAt(done, 1, 6, 5) == yuv[1]);
      CHECK(sampleAt(done, 1, 7, 5) == yuv[2]);
    }
    CHECK(device.onHost >= redrawn);
    CHECK(compositor->deviceFailure() == "A card: The device was lost. by a test");
  }
}

TEST_CASE("exportable device memory can be imported") {
  const SoftwareDevice software(false);
  if (!software.device->exports(FramePlace::kOpaque)) return;
  const auto buffer =
      vulkan::Buffer::create(software.device, 1 << 16, vulkan::MemoryUse::kDevice, FramePlace::kOpaque);
  REQUIRE(buffer.ok());
  const auto fd = buffer.value()->exportFd();
  REQUIRE(fd.ok());
  CHECK(fd.value() >= 0);
}

}  // namespace framewright
