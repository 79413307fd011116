#include "compositor/choose_compositor.h"

#include "compositor/compose_testing.h"
#include "compositor/cpu/draw_fill.h"
#include "compositor/cpu/planar_picture.h"
#include "vulkan/buffer.h"
#include "vulkan/instance.h"
#include "vulkan/software_device.h"

namespace framewright {

TEST_CASE("a Vulkan device in software is drawn with only where it was asked for") {
  const SoftwareDevice software(false);
  const auto asked = createCompositor(CompositorChoice::kVulkan);
  REQUIRE(asked.ok());
  CHECK(dynamic_cast<VulkanCompositor*>(asked.value().get()) != nullptr);
  const auto verdicts = compositorVerdicts();
  REQUIRE(verdicts.size() == 2);
  CHECK(verdicts[0].name == "cpu");
  CHECK(verdicts[0].available);
  CHECK(verdicts[1].name == "vulkan");
  if (software.instance->devices().size() > 1) return;  // a real device stands beside it
  CHECK_FALSE(verdicts[1].available);
  CHECK(verdicts[1].reason.find("software") != std::string::npos);
  const auto automatic = createCompositor(CompositorChoice::kAuto);
  REQUIRE(automatic.ok());
  const auto image = paintRgba(16, 16, [](int, int) { return Color{1, 2, 3, 255}; });
  const auto picture = automatic.value()->prepareStill(*image, 0, 0);
  REQUIRE(picture.ok());
  CHECK(dynamic_cast<const PlanarPicture*>(picture.value().get()) != nullptr);
}

TEST_CASE("pictures leave the device for others and come back") {
  SoftwareDevice software;
  const auto tight = software.compositor({.memoryBudget = 400 * 1024});
  const auto cpu = createCpuCompositor();
  std::vector<PicturePtr> onDevice, onHost;
  for (int i = 0; i < 6; ++i) {
    const auto image = paintRgba(256, 192, [i](int x, int y) {
      return Color{static_cast<uint8_t>(x * (i + 1)), static_cast<uint8_t>(y + 30 * i), 90, 255};
    });
    onDevice.push_back(tight->prepareStill(*image, 0, 0).take());
    onHost.push_back(cpu->prepareStill(*image, 0, 0).take());
  }
  for (int frame = 0; frame < 18; ++frame) {
    DrawList list;
    list.layers.push_back(pictureLayer(frame % 6, {3.5, 2, 120, 80}));
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

TEST_CASE("three frames are under way at once and keep to their own images") {
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

TEST_CASE("memory that the device shares can be handed on") {
  const SoftwareDevice software(false);
  if (!software.device->exportsMemory()) return;
  const auto buffer = vulkan::Buffer::create(software.device, 1 << 16, vulkan::MemoryUse::kDevice, true);
  REQUIRE(buffer.ok());
  const auto fd = buffer.value()->exportFd();
  REQUIRE(fd.ok());
  CHECK(fd.value() >= 0);
}

}  // namespace framewright
