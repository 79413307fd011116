#include <algorithm>

#include "compositor/vulkan/select_device.h"

namespace framewright {
namespace {

class FallbackCompositor final : public Compositor {
 public:
  FallbackCompositor(std::unique_ptr<VulkanCompositor> device, std::string name)
      : device_(std::move(device)), name_(std::move(name)) {}

  Result<PreparedImagePtr> prepareStill(const Image& image, double drawnWidth, double drawnHeight) override {
    return device_->prepareStill(image, drawnWidth, drawnHeight);
  }
  Result<PreparedImagePtr> prepareVideoFrame(ImagePtr image, double drawnWidth, double drawnHeight) override {
    return device_->prepareVideoFrame(std::move(image), drawnWidth, drawnHeight);
  }
  Result<std::shared_ptr<Image>> createFrame(PixelFormat wanted, int width, int height) override {
    if (!failed_) return device_->createFrame(wanted, width, height);
    if (!deepColor()) return Image::create(wanted, width, height);
    const bool isInterleaved = wanted == PixelFormat::kNv12;
    return Image::create(isInterleaved ? PixelFormat::kP010 : PixelFormat::kI010, width, height);
  }
  std::optional<CanvasColor> deepColor() const override { return device_->deepColor(); }
  std::optional<DeviceIdentity> device() const override { return device_->device(); }
  Result<std::shared_ptr<Image>> createDeviceFrame(FramePlace place, int width, int height) override {
    return device_->createDeviceFrame(place, width, height);
  }
  std::shared_ptr<const DecodedFrameMemory> decodedFrameMemory() const override {
    return failed_ ? nullptr : device_->decodedFrameMemory();
  }
  std::string deviceFailure() const override { return failure_; }
  int64_t hostFrames() const override { return device_->hostFrames(); }
  int framesInFlight() const override { return device_->framesInFlight(); }

  Status compose(const DrawList& list, std::span<const PreparedImagePtr> images, Image& frame) override {
    FW_RETURN_IF_ERROR(start(list, images, frame));
    return finish(frame);
  }

  Status start(const DrawList& list, std::span<const PreparedImagePtr> images, Image& frame) override {
    if (!failed_) {
      const Status started = device_->start(list, images, frame);
      if (started.ok()) {
        started_.push_back({&frame, list, {images.begin(), images.end()}});
        return started;
      }
      if (!isOfDevice(started)) return started;
      fail(started);
      // Its encoder is on the device.
      if (frame.deviceMemory() != nullptr) return started;
    }
    return device_->composeOnHost(list, images, frame);
  }

  // Frames in flight when the device failed are redrawn.
  Status finish(Image& frame) override {
    const auto found = std::find_if(started_.begin(), started_.end(),
                                    [&](const Started& started) { return started.frame == &frame; });
    if (found == started_.end()) return {};
    const Started started = std::move(*found);
    started_.erase(found);
    if (!failed_) {
      const Status finished = device_->finish(frame);
      if (finished.ok() || !isOfDevice(finished)) return finished;
      fail(finished);
      if (frame.deviceMemory() != nullptr) return finished;
    }
    return device_->composeOnHost(started.list, started.images, frame);
  }

  Status settle() override { return failed_ ? Status() : device_->settle(); }

 private:
  struct Started {
    Image* frame;
    DrawList list;
    std::vector<PreparedImagePtr> images;
  };

  static bool isOfDevice(const Status& status) {
    return status.error().code == ErrorCode::GPU_FAILED || status.error().code == ErrorCode::OUT_OF_MEMORY;
  }

  void fail(const Status& status) {
    failed_ = true;
    const Error& error = status.error();
    failure_ = name_ + ": " + error.message + (error.detail.empty() ? "" : " " + error.detail);
  }

  const std::unique_ptr<VulkanCompositor> device_;
  const std::string name_;
  std::vector<Started> started_;
  bool failed_ = false;
  std::string failure_;
};

}  // namespace

std::unique_ptr<Compositor> createFallbackCompositor(std::unique_ptr<VulkanCompositor> device,
                                                     std::string name) {
  return std::make_unique<FallbackCompositor>(std::move(device), std::move(name));
}

}  // namespace framewright
