#include "compositor/choose_compositor.h"
#include "compositor/compose_testing.h"
#include "compositor/deep/deep_compositor.h"
#include "compositor/vulkan/select_device.h"
#include "gpu_check/frame_difference.h"
#include "vulkan/software_device.h"

namespace framewright {
namespace {

// A device of 10 bits that is lost when it has started some frames.
class LostDeepDevice final : public VulkanCompositor {
 public:
  LostDeepDevice(std::unique_ptr<VulkanCompositor> device, int frames)
      : device_(std::move(device)), frames_(frames) {}

  std::optional<CanvasColor> deepColor() const override { return device_->deepColor(); }
  Result<PreparedImagePtr> prepareStill(const Image& image, double width, double height) override {
    return device_->prepareStill(image, width, height);
  }
  Result<PreparedImagePtr> prepareVideoFrame(ImagePtr image, double width, double height) override {
    return device_->prepareVideoFrame(std::move(image), width, height);
  }
  Result<std::shared_ptr<Image>> createFrame(PixelFormat wanted, int width, int height) override {
    return device_->createFrame(wanted, width, height);
  }
  Status compose(const DrawList& list, std::span<const PreparedImagePtr> images, Image& frame) override {
    return start(list, images, frame);
  }
  Status start(const DrawList& list, std::span<const PreparedImagePtr> images, Image& frame) override {
    if (frames_-- <= 0) return Error{ErrorCode::GPU_FAILED, "The device was lost.", ""};
    return device_->start(list, images, frame);
  }
  Status finish(Image& frame) override { return device_->finish(frame); }
  int framesInFlight() const override { return device_->framesInFlight(); }
  int64_t hostFrames() const override { return device_->hostFrames(); }
  double drawSeconds() const override { return 0; }
  size_t evictions() const override { return 0; }
  Status composeOnHost(const DrawList& list, std::span<const PreparedImagePtr> images,
                       Image& frame) override {
    return device_->composeOnHost(list, images, frame);
  }

 private:
  const std::unique_ptr<VulkanCompositor> device_;
  int frames_;
};

}  // namespace

TEST_CASE("devices are chosen for opaque canvases of 10 bits that are blended as signals") {
  const SoftwareDevice software(false);
  const CanvasColor hlg{CanvasTransfer::kHlg, false}, linear{CanvasTransfer::kSdr, true};
  const auto deep = createCompositor(CompositorChoice::kVulkan, hlg, false);
  REQUIRE(deep.ok());
  CHECK(dynamic_cast<VulkanCompositor*>(deep.value().get()) != nullptr);
  CHECK(deep.value()->deepColor() == hlg);
  CHECK(deep.value()->createFrame(PixelFormat::kI420, 16, 16).value()->format() == PixelFormat::kI010);
  const auto place = deep.value()->createDeviceFrame(FramePlace::kOpaque, 16, 16);
  CHECK_FALSE(place.ok());
  for (const auto& compositor : {createCompositor(CompositorChoice::kVulkan, hlg, true).take(),
                                 createCompositor(CompositorChoice::kVulkan, linear, false).take(),
                                 createCompositor(CompositorChoice::kCpu, hlg, false).take()}) {
    CHECK(dynamic_cast<VulkanCompositor*>(compositor.get()) == nullptr);
    CHECK(compositor->deepColor().has_value());
  }
  if (software.instance->devices().size() > 1) return;  // a real device is present
  const auto automatic = createCompositor(CompositorChoice::kAuto, hlg, false);
  REQUIRE(automatic.ok());
  CHECK_FALSE(automatic.value()->device());
}

TEST_CASE("the CPU goes on with the frames of 10 bits of a lost device") {
  SoftwareDevice software;
  const CanvasColor color{CanvasTransfer::kPq, false};
  const auto cpu = createDeepCompositor(color, false);
  const auto compositor = createFallbackCompositor(
      std::make_unique<LostDeepDevice>(software.compositor({.deepColor = color}), 2), "A card");
  CHECK(compositor->deepColor() == color);
  const auto image = paintRgba(40, 30, [](int x, int y) {
    return Color{static_cast<uint8_t>(6 * x), static_cast<uint8_t>(8 * y), 90, static_cast<uint8_t>(255 - x)};
  });
  const std::vector<PreparedImagePtr> images = {compositor->prepareStill(*image, 0, 0).take()},
                                      onHost = {cpu->prepareStill(*image, 0, 0).take()};
  std::vector<std::shared_ptr<Image>> frames;
  std::vector<DrawList> lists;
  for (int i = 0; i < 5; ++i) {
    lists.emplace_back().layers = {fillLayer({static_cast<uint8_t>(40 * i), 60, 80, 255}, {0, 0, 64, 48}),
                                   imageLayer(0, {2.0 * i, 4, 40, 30})};
    // Only the last one is allocated after the loss.
    frames.push_back(compositor->createFrame(i < 4 ? PixelFormat::kI420 : PixelFormat::kNv12, 64, 48).take());
    REQUIRE(compositor->start(lists.back(), images, *frames.back()).ok());
  }
  CHECK(frames[3]->format() == PixelFormat::kI010);
  CHECK(frames[4]->format() == PixelFormat::kP010);
  for (size_t i = 0; i < frames.size(); ++i) {
    REQUIRE(compositor->finish(*frames[i]).ok());
    const auto expected = cpu->createFrame(PixelFormat::kI420, 64, 48).take();
    REQUIRE(cpu->compose(lists[i], onHost, *expected).ok());
    const FrameDifference apart = compareFrames(*expected, *frames[i]);
    CHECK(apart.largestLuma <= 1);
    if (i >= 2) CHECK(apart.differing == 0);
  }
  CHECK(compositor->deviceFailure() == "A card: The device was lost.");
  INFO(software.firstMessage());
  CHECK(software.messages.empty());
}

}  // namespace framewright
