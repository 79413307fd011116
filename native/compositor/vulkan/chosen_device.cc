#include "compositor/vulkan/chosen_device.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>

#include "vulkan/instance.h"

namespace framewright {
namespace {

using vulkan::DeviceFacts;
using vulkan::DeviceType;

// What is asked for first: those that have their own memory.
int rank(const DeviceFacts& facts) {
  switch (facts.type) {
    case DeviceType::kDiscrete:
      return 4;
    case DeviceType::kVirtual:
      return 3;
    case DeviceType::kIntegrated:
      return 2;
    case DeviceType::kOther:
      return 1;
    case DeviceType::kCpu:
      break;
  }
  return 0;
}

// The host's instance and its best device that can compose; opened once and kept, since drivers take their
// time. A device that was lost is opened again by the next render.
class Host {
 public:
  static Host& get() {
    static Host host;
    return host;
  }

  Result<std::shared_ptr<vulkan::Device>> device(bool insist) {
    std::lock_guard lock(mutex_);
    if (!insist && !vulkan::hostHasGraphicsDevice())
      return Error{ErrorCode::GPU_FAILED, "The host has no graphics device.", ""};
    FW_RETURN_IF_ERROR(find());
    if (rank(facts()) == 0 && !insist) {
      return Error{
          ErrorCode::GPU_FAILED,
          "The only Vulkan device is software (" + facts().name + "), slower than the CPU compositor.", ""};
    }
    if (auto device = device_.lock()) return device;
    FW_ASSIGN_OR_RETURN(auto device, vulkan::Device::create(instance_, best_));
    device_ = device;
    return device;
  }

  CompositorVerdict verdict() {
    auto opened = device(true);
    if (!opened.ok()) return {"vulkan", false, opened.error().message};
    std::lock_guard lock(mutex_);
    const std::string name = facts().name;
    if (rank(facts()) > 0) return {"vulkan", true, name};
    return {"vulkan", false,
            "only in software (" + name + "); for tests, with FRAMEWRIGHT_COMPOSITOR=vulkan"};
  }

 private:
  Status find() {
    if (instance_ != nullptr) return {};
    FW_ASSIGN_OR_RETURN(const auto instance, vulkan::Instance::open());
    const std::vector<DeviceFacts>& devices = instance->devices();
    int found = -1;
    std::string missing;
    for (size_t i = 0; i < devices.size(); ++i) {
      if (!devices[i].missing.empty()) {
        missing += (missing.empty() ? " " : "; ") + devices[i].name + ": " + devices[i].missing;
        continue;
      }
      if (found < 0 || rank(devices[i]) > rank(devices[static_cast<size_t>(found)]))
        found = static_cast<int>(i);
    }
    if (found < 0)
      return Error{ErrorCode::GPU_FAILED, "There is no Vulkan device that can compose." + missing, ""};
    best_ = static_cast<size_t>(found);
    instance_ = instance;
    return {};
  }
  const DeviceFacts& facts() const { return instance_->devices()[best_]; }

  std::mutex mutex_;
  std::shared_ptr<const vulkan::Instance> instance_;
  size_t best_ = 0;
  std::weak_ptr<vulkan::Device> device_;
};

class ReplaceableCompositor final : public Compositor {
 public:
  explicit ReplaceableCompositor(std::unique_ptr<VulkanCompositor> device) : device_(std::move(device)) {}

  Result<PicturePtr> prepareStill(const Image& image, double drawnWidth, double drawnHeight) override {
    return device_->prepareStill(image, drawnWidth, drawnHeight);
  }
  Result<PicturePtr> prepareVideoFrame(ImagePtr image, double drawnWidth, double drawnHeight) override {
    return device_->prepareVideoFrame(std::move(image), drawnWidth, drawnHeight);
  }
  Result<std::shared_ptr<Image>> createFrame(PixelFormat wanted, int width, int height) override {
    return failed_ ? Image::create(wanted, width, height) : device_->createFrame(wanted, width, height);
  }
  int framesInFlight() const override { return device_->framesInFlight(); }

  Status compose(const DrawList& list, std::span<const PicturePtr> pictures, Image& frame) override {
    FW_RETURN_IF_ERROR(start(list, pictures, frame));
    return finish(frame);
  }

  Status start(const DrawList& list, std::span<const PicturePtr> pictures, Image& frame) override {
    if (!failed_) {
      const Status started = device_->start(list, pictures, frame);
      if (started.ok()) {
        started_.push_back({&frame, list, {pictures.begin(), pictures.end()}});
        return started;
      }
      if (!isOfDevice(started)) return started;
      failed_ = true;
    }
    return device_->composeOnHost(list, pictures, frame);
  }

  // What was under way when the device failed is drawn again.
  Status finish(Image& frame) override {
    const auto found = std::find_if(started_.begin(), started_.end(),
                                    [&](const Started& started) { return started.frame == &frame; });
    if (found == started_.end()) return {};
    const Started started = std::move(*found);
    started_.erase(found);
    if (!failed_) {
      const Status finished = device_->finish(frame);
      if (finished.ok() || !isOfDevice(finished)) return finished;
      failed_ = true;
    }
    return device_->composeOnHost(started.list, started.pictures, frame);
  }

 private:
  struct Started {
    Image* frame;
    DrawList list;
    std::vector<PicturePtr> pictures;
  };

  static bool isOfDevice(const Status& status) {
    return status.error().code == ErrorCode::GPU_FAILED || status.error().code == ErrorCode::OUT_OF_MEMORY;
  }

  const std::unique_ptr<VulkanCompositor> device_;
  std::vector<Started> started_;
  bool failed_ = false;
};

// A gradient that fades out, turned over a colour.
Result<std::shared_ptr<Image>> drawProbe(Compositor& compositor) {
  constexpr int kWidth = 96, kHeight = 64;
  FW_ASSIGN_OR_RETURN(const std::shared_ptr<Image> image,
                      Image::create(PixelFormat::kRgbaStraight, kWidth, kHeight));
  const Plane& plane = image->plane(0);
  for (int i = 0; i < kWidth * kHeight; ++i) {
    uint8_t* const px = plane.data + i / kWidth * plane.stride + 4 * (i % kWidth);
    px[0] = static_cast<uint8_t>(2 * (i % kWidth));
    px[1] = static_cast<uint8_t>(3 * (i / kWidth));
    px[2] = static_cast<uint8_t>(i);
    px[3] = static_cast<uint8_t>(255 - 2 * (i % kWidth));
  }
  FW_ASSIGN_OR_RETURN(const PicturePtr picture, compositor.prepareStill(*image, 0, 0));
  DrawList list;
  list.pictures.push_back({});
  list.layers.resize(3);
  list.layers[0].fill = {40, 90, 200, 255};
  list.layers[0].toCanvas = scaling(kWidth, kHeight);
  for (size_t i = 1; i < 3; ++i) {
    list.layers[i].kind = Layer::Kind::kPicture;
    list.layers[i].picture = 0;
    list.layers[i].opacity = 0.8;
  }
  list.layers[1].toCanvas = Affine{70, 0, 9.3, 0, 50, 4.6};
  list.layers[2].toCanvas = translation(48, 20) * rotationDegrees(31) * scaling(50, 30);
  FW_ASSIGN_OR_RETURN(std::shared_ptr<Image> frame, Image::create(PixelFormat::kI420, kWidth, kHeight));
  FW_RETURN_IF_ERROR(compositor.compose(list, {&picture, 1}, *frame));
  return frame;
}

// Whether the device draws what the CPU draws: a driver that does not is worse than none.
Status checkDrawing(Compositor& device) {
  constexpr int kMostApart = 2;
  const auto cpu = createCpuCompositor();
  FW_ASSIGN_OR_RETURN(const auto expected, drawProbe(*cpu));
  FW_ASSIGN_OR_RETURN(const auto drawn, drawProbe(device));
  for (int p = 0; p < 3; ++p) {
    const Plane &a = expected->plane(p), &b = drawn->plane(p);
    for (int i = 0; i < a.width * a.height; ++i) {
      const int x = i % a.width, y = i / a.width;
      if (std::abs(a.data[y * a.stride + x] - b.data[y * b.stride + x]) > kMostApart)
        return Error{ErrorCode::GPU_FAILED, "The graphics device draws something else than the CPU.", ""};
    }
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<Compositor>> createChosenDevice(bool insist) {
  FW_ASSIGN_OR_RETURN(auto device, Host::get().device(insist));
  FW_ASSIGN_OR_RETURN(auto compositor, createVulkanCompositor(std::move(device)));
  FW_RETURN_IF_ERROR(checkDrawing(*compositor));
  if (insist) return std::unique_ptr<Compositor>(std::move(compositor));
  return createReplaceable(std::move(compositor));
}

std::unique_ptr<Compositor> createReplaceable(std::unique_ptr<VulkanCompositor> device) {
  return std::make_unique<ReplaceableCompositor>(std::move(device));
}

CompositorVerdict deviceVerdict() { return Host::get().verdict(); }

}  // namespace framewright
