#include "compositor/vulkan/select_device.h"

#include <cstdlib>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <unistd.h>

#include "compositor/deep/deep_compositor.h"
#include "compositor/vulkan/device/device_list.h"
#include "compositor/vulkan/device/pipelines.h"

namespace framewright {
namespace {

// A gradient with fading alpha, rotated over a colour.
Result<std::shared_ptr<Image>> drawProbe(Compositor& compositor) {
  constexpr int kWidth = 96, kHeight = 64;
  FW_ASSIGN_OR_RETURN(const std::shared_ptr<Image> image,
                      Image::create(PixelFormat::kRgbaStraight, kWidth, kHeight));
  const Plane& plane = image->plane(0);
  for (int i = 0; i < kWidth * kHeight; ++i) {
    uint8_t* const px = plane.data + i / kWidth * plane.stride + 4 * (i % kWidth);
    px[0] = static_cast<uint8_t>(2 * (i % kWidth));
    px[1] = static_cast<uint8_t>(3 * (i / kWidth));
    px[2] = static_cast<uint8_t>(i % kWidth + 2 * (i / kWidth));
    px[3] = static_cast<uint8_t>(255 - 2 * (i % kWidth));
  }
  FW_ASSIGN_OR_RETURN(const PreparedImagePtr prepared, compositor.prepareStill(*image, 0, 0));
  DrawList list;
  list.images.push_back({});
  list.layers.resize(3);
  list.layers[0].fill = {40, 90, 200, 255};
  list.layers[0].toCanvas = scaling(kWidth, kHeight);
  for (size_t i = 1; i < 3; ++i) {
    list.layers[i].kind = Layer::Kind::kImage;
    list.layers[i].image = 0;
    list.layers[i].opacity = 0.8;
  }
  list.layers[1].toCanvas = Affine{70, 0, 9.3, 0, 50, 4.6};
  list.layers[2].toCanvas = translation(48, 20) * rotationDegrees(31) * scaling(50, 30);
  FW_ASSIGN_OR_RETURN(std::shared_ptr<Image> frame,
                      compositor.createFrame(PixelFormat::kI420, kWidth, kHeight));
  FW_RETURN_IF_ERROR(compositor.compose(list, {&prepared, 1}, *frame));
  return frame;
}

// Compares the device's output with the CPU's; drivers with wrong results are not used. Samples of 10 bits
// have the same tolerance; their chroma has it on average, because it is filtered in another order. Colours
// of the test image change slowly, so that this makes little difference.
template <class Sample>
bool drawsLike(const Image& expected, const Image& drawn) {
  constexpr int kMaxDifference = 2;
  for (int p = 0; p < 3; ++p) {
    const Plane &a = expected.plane(p), &b = drawn.plane(p);
    const auto at = [](const Plane& plane, int x, int y) {
      return reinterpret_cast<const Sample*>(plane.data + y * plane.stride)[x];
    };
    int64_t sum = 0;
    for (int i = 0; i < a.width * a.height; ++i) {
      const int x = i % a.width, y = i / a.width, difference = std::abs(at(a, x, y) - at(b, x, y));
      sum += difference;
      if (difference > kMaxDifference && (p == 0 || sizeof(Sample) == 1)) return false;
    }
    if (sum > int64_t{kMaxDifference} * a.width * a.height) return false;
  }
  return true;
}

Status checkDrawing(Compositor& device) {
  const std::optional<CanvasColor> color = device.deepColor();
  const auto cpu = color ? createDeepCompositor(*color, false) : createCpuCompositor();
  FW_ASSIGN_OR_RETURN(const auto expected, drawProbe(*cpu));
  FW_ASSIGN_OR_RETURN(const auto drawn, drawProbe(device));
  if ((color ? drawsLike<uint16_t> : drawsLike<uint8_t>)(*expected, *drawn)) return {};
  return Error{ErrorCode::GPU_FAILED, "It draws something else than the CPU.", ""};
}

// An opened device and the objects shared by its compositors.
struct OpenedDevice {
  std::shared_ptr<vulkan::Device> device;
  std::shared_ptr<gpu::Pipelines> pipelines;

  std::optional<Status> deepCheck = std::nullopt;  // of 10 bits, once they were needed

  Result<std::unique_ptr<VulkanCompositor>> compositor(const std::optional<CanvasColor>& deepColor) {
    FW_ASSIGN_OR_RETURN(auto compositor,
                        createVulkanCompositor(device, {.pipelines = pipelines, .deepColor = deepColor}));
    if (!deepColor) return compositor;
    if (!deepCheck) deepCheck = checkDrawing(*compositor);
    FW_RETURN_IF_ERROR(*deepCheck);
    return compositor;
  }
};

// The host's Vulkan instance and its usable devices; opened once, since drivers start slowly.
class Host {
 public:
  // Never destroyed: some drivers crash during process exit.
  static Host& get() {
    static Host& host = *new Host;
    return host;
  }

  // Creates a compositor on the next device, as createVulkanOnBestDevice().
  Result<std::unique_ptr<Compositor>> compositor(bool insist, const std::optional<CanvasColor>& deepColor) {
    std::lock_guard lock(mutex_);
    // Avoids loading every driver in vain.
    if (!insist && !DeviceRegistry::ofProcess().hasDeviceFiles())
      return Error{ErrorCode::GPU_FAILED, "The host has no graphics device.", ""};
    FW_RETURN_IF_ERROR(find());
    while (const auto index = devices_->next(insist)) {
      if (!isOpen(*index)) continue;
      FW_ASSIGN_OR_RETURN(auto compositor, opened_[*index].compositor(deepColor));
      if (insist) return std::unique_ptr<Compositor>(std::move(compositor));
      return createFallbackCompositor(std::move(compositor), instance_->devices()[*index].name);
    }
    return Error{ErrorCode::GPU_FAILED, "There is no Vulkan device that can compose. " + devices_->describe(),
                 ""};
  }

  CompositorProbe probe() {
    std::lock_guard lock(mutex_);
    const Status found = find();
    if (!found.ok()) return {"vulkan", false, found.error().message};
    // Software devices are not probed: compiling their shaders takes seconds.
    for (const size_t index : devices_->best(false)) isOpen(index);
    if (!devices_->best(false).empty()) return {"vulkan", true, devices_->describe()};
    const bool software = !devices_->best(true).empty();
    return {"vulkan", false,
            devices_->describe() + (software ? "; for tests, with FRAMEWRIGHT_COMPOSITOR=vulkan" : "")};
  }

  void forget() {
    std::lock_guard lock(mutex_);
    if (instance_ == nullptr) return;
    forgotten_.emplace_back(std::exchange(instance_, nullptr), std::exchange(opened_, {}));
    devices_.reset();
  }

 private:
  Status find() {
    if (instance_ != nullptr) return {};
    FW_ASSIGN_OR_RETURN(instance_, vulkan::Instance::open());
    devices_.emplace(instance_->devices(), static_cast<size_t>(getpid()));
    opened_.resize(instance_->devices().size());
    return {};
  }

  // A device that failed or was lost is excluded for the life of the process.
  bool isOpen(size_t index) {
    OpenedDevice& opened = opened_[index];
    if (opened.device != nullptr && opened.device->isLost()) {
      devices_->exclude(index, "it was lost while it drew");
      opened = {};
      return false;
    }
    if (opened.device != nullptr) return true;
    const Status status = open(index, opened);
    if (status.ok()) return true;
    devices_->exclude(index, status.error().message + " " + status.error().detail);
    opened = {};
    return false;
  }

  Status open(size_t index, OpenedDevice& opened) {
    FW_ASSIGN_OR_RETURN(opened.device, vulkan::Device::create(instance_, index));
    opened.pipelines = std::make_shared<gpu::Pipelines>(opened.device);
    FW_ASSIGN_OR_RETURN(const auto compositor, opened.compositor(std::nullopt));
    return checkDrawing(*compositor);
  }

  std::mutex mutex_;
  std::shared_ptr<const vulkan::Instance> instance_;
  std::optional<DeviceList> devices_;
  std::vector<OpenedDevice> opened_;  // by instance index
  // Not destroyed either.
  std::vector<std::pair<std::shared_ptr<const vulkan::Instance>, std::vector<OpenedDevice>>> forgotten_;
};

}  // namespace

Result<std::unique_ptr<Compositor>> createVulkanOnBestDevice(bool insist,
                                                             const std::optional<CanvasColor>& deepColor) {
  return Host::get().compositor(insist, deepColor);
}

CompositorProbe probeVulkan() { return Host::get().probe(); }

void forgetVulkanDevices() { Host::get().forget(); }

}  // namespace framewright
