#include "compositor/vulkan/vulkan_compositor.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "compositor/deep/deep_compositor.h"
#include "compositor/vulkan/device/decoded_image.h"
#include "compositor/vulkan/device/deep_device_image.h"
#include "compositor/vulkan/device/host_visible_frames.h"
#include "compositor/vulkan/device/shared_frame.h"
#include "compositor/vulkan/passes/deep_support.h"
#include "compositor/vulkan/passes/frame_planner.h"
#include "core/planes.h"
#include "vulkan/commands.h"

namespace framewright {
namespace {

using namespace gpu;

constexpr size_t kFramesInFlight = 3;
constexpr double kBudgetShare = 0.6;  // share of the free device memory

// A frame in flight with its own host memory. Device memory is shared, since frames are drawn one after
// another.
struct FrameSlot {
  std::unique_ptr<vulkan::Commands> commands;
  std::shared_ptr<vulkan::Buffer> upload;    // tables, then images
  std::shared_ptr<vulkan::Buffer> tables;    // in device memory
  std::shared_ptr<vulkan::Buffer> readback;  // for frames in ordinary memory
  std::shared_ptr<vulkan::Buffer> memory;    // receives the frame: its own buffer or `readback`
  FramePlan plan;
  std::vector<PreparedImagePtr> images;
  FrameLayout layout;
  std::shared_ptr<const DeviceMemory> shared;  // the frame's, if another API reads it
  Image* frame = nullptr;                      // null: free, or ordered by its timeline
};

class DeviceCompositor final : public VulkanCompositor {
 public:
  DeviceCompositor(std::shared_ptr<vulkan::Device> device, std::shared_ptr<Pipelines> pipelines,
                   uint64_t budget, const SampleFormat& format)
      : device_(std::move(device)),
        pool_(device_),
        frames_(device_),
        residents_(pool_, budget),
        pipelines_(std::move(pipelines)),
        format_(format),
        planner_(pool_, residents_, format),
        cpu_(format.isDeep() ? createDeepCompositor(format.curves()->color(), false)
                             : createCpuCompositor()) {}

  ~DeviceCompositor() override { device_->waitIdle(); }

  Status open() {
    for (FrameSlot& slot : slots_) {
      FW_ASSIGN_OR_RETURN(slot.commands, vulkan::Commands::create(device_));
    }
    return {};
  }

  Result<PreparedImagePtr> prepareStill(const Image& image, double drawnWidth, double drawnHeight) override {
    return onDevice(cpu_->prepareStill(image, drawnWidth, drawnHeight));
  }

  Result<PreparedImagePtr> prepareVideoFrame(ImagePtr image, double drawnWidth, double drawnHeight) override {
    if (image->decodedFrame() != nullptr) {
      const auto& frame = static_cast<const SharedFrame&>(*image->deviceMemory());
      const int bits = image->format() == PixelFormat::kP010 ? 10 : 8;
      const bool isReadable = frame.device() == device_ && decodedFrameMemory()->reads(bits);
      if (isReadable) return PreparedImagePtr(std::make_shared<DecodedImage>(std::move(image), format_));
      FW_ASSIGN_OR_RETURN(image, downloadImage(std::move(image)));
    }
    return onDevice(cpu_->prepareVideoFrame(std::move(image), drawnWidth, drawnHeight));
  }

  Result<std::shared_ptr<Image>> createFrame(PixelFormat wanted, int width, int height) override {
    if (format_.isDeep()) wanted = wanted == PixelFormat::kNv12 ? PixelFormat::kP010 : PixelFormat::kI010;
    return frames_.create(wanted, width, height);
  }

  std::optional<CanvasColor> deepColor() const override { return cpu_->deepColor(); }

  std::optional<DeviceIdentity> device() const override { return device_->properties().identity; }
  std::shared_ptr<const DecodedFrameMemory> decodedFrameMemory() const override {
    return createDecodedFrameMemory(device_, format_);
  }
  Result<std::shared_ptr<Image>> createDeviceFrame(FramePlace place, int width, int height) override {
    if (format_.isDeep())
      return Error{ErrorCode::GPU_FAILED, "Frames of 10 bits do not stay on the device.", ""};
    return SharedFrame::create(device_, place, width, height, guard_);
  }

  Status compose(const DrawList& list, std::span<const PreparedImagePtr> images, Image& frame) override {
    FW_RETURN_IF_ERROR(start(list, images, frame));
    return finish(frame);
  }

  Status start(const DrawList& list, std::span<const PreparedImagePtr> images, Image& frame) override {
    if (format_.isDeep() && !canDrawDeep(list, *format_.curves())) {
      ++hostFrames_;
      return composeOnHost(list, images, frame);
    }
    const Status started = startOnDevice(list, images, frame);
    if (!started.ok()) planner_.forgetUploads();
    return started;
  }

  Status startOnDevice(const DrawList& list, std::span<const PreparedImagePtr> images, Image& frame) {
    FrameSlot& slot = slots_[next_];
    next_ = (next_ + 1) % slots_.size();
    FW_RETURN_IF_ERROR(finishSlot(slot));
    slot.memory = frames_.memoryOf(frame);
    FW_RETURN_IF_ERROR(fitTarget(frame, slot.memory));
    slot.plan.clear();
    slot.plan.used.push_back(target_.buffer);
    FW_RETURN_IF_ERROR(planner_.plan(list, images, target_, slot.plan));
    if (layout_.isDeep()) {
      planCodes(slot.plan, list.isDithered);
    } else if (layout_.isInterleaved()) {
      planPairs(slot.plan);
    }
    slot.images.assign(images.begin(), images.end());
    slot.layout = layout_;
    FW_RETURN_IF_ERROR(fill(slot));
    slot.shared = frame.deviceMemory();
    FW_RETURN_IF_ERROR(record(slot));
    slot.frame = &frame;
    return {};
  }

  Status composeOnHost(const DrawList& list, std::span<const PreparedImagePtr> images,
                       Image& frame) override {
    // The device may still be writing.
    static_cast<void>(finish(frame));
    if (frame.deviceMemory() != nullptr) {
      return Error{ErrorCode::GPU_FAILED,
                   "The graphics device gave out while its frames went to the encoder there.", ""};
    }
    std::vector<PreparedImagePtr> host;
    for (const PreparedImagePtr& image : images) {
      PreparedImagePtr& own = host.emplace_back();
      if (image == nullptr) continue;
      FW_ASSIGN_OR_RETURN(own, static_cast<const DeviceImage&>(*image).hostImage());
    }
    if (frame.planeCount() == 3) return cpu_->compose(list, host, frame);
    FW_ASSIGN_OR_RETURN(const auto planar,
                        Image::create(format_.isDeep() ? PixelFormat::kI010 : PixelFormat::kI420,
                                      frame.width(), frame.height()));
    FW_RETURN_IF_ERROR(cpu_->compose(list, host, *planar));
    if (format_.isDeep()) {
      writeP010(*planar, frame);
      return {};
    }
    copyPlane(planar->plane(0), frame.plane(0));
    interleave(planar->plane(1), planar->plane(2), frame.plane(1));
    return {};
  }

  double drawSeconds() const override { return drawSeconds_; }
  size_t evictions() const override { return residents_.evictions(); }
  int64_t hostFrames() const override { return hostFrames_; }
  int framesInFlight() const override { return static_cast<int>(kFramesInFlight); }

  Status finish(Image& frame) override {
    const bool isOrdered = frame.deviceMemory() != nullptr && frame.deviceMemory()->timeline() != nullptr;
    for (FrameSlot& slot : slots_) {
      if (slot.frame != &frame) continue;
      if (!isOrdered) return finishSlot(slot);
      // The reader waits for the timeline, and the next frame of this slot for the fence.
      slot.frame = nullptr;
      return guard_->status();
    }
    return {};
  }

  Status settle() override {
    for (FrameSlot& slot : slots_) FW_RETURN_IF_ERROR(finishSlot(slot));
    return guard_->settle();
  }

 private:
  Result<PreparedImagePtr> onDevice(Result<PreparedImagePtr> prepared) const {
    if (!prepared.ok()) return prepared.error();
    if (format_.isDeep()) {
      return PreparedImagePtr(
          std::make_shared<DeepDeviceImage>(std::static_pointer_cast<const DeepImage>(prepared.take())));
    }
    return PreparedImagePtr(
        std::make_shared<PlanarDeviceImage>(std::static_pointer_cast<const PlanarImage>(prepared.take())));
  }

  static void writeP010(const Image& planar, Image& frame) {
    constexpr int kShift = 6;
    const auto row = [](const Plane& plane, int y) { return reinterpret_cast<uint16_t*>(rowOf(plane, y)); };
    const auto shifted = [](uint16_t code) { return static_cast<uint16_t>(code << kShift); };
    for (int p = 0; p < 3; ++p) {
      const Plane& from = planar.plane(p);
      const Plane& to = frame.plane(std::min(p, 1));
      for (int y = 0; y < from.height; ++y) {
        uint16_t* const out = row(to, y);
        for (int x = 0; x < from.width; ++x) out[p == 0 ? x : 2 * x + p - 1] = shifted(row(from, y)[x]);
      }
    }
  }

  // `memory`: the frame's own, or null.
  Status fitTarget(const Image& frame, const std::shared_ptr<vulkan::Buffer>& memory) {
    const FrameLayout layout = frameLayoutOf(frame);
    if (layout.drawnIn == DrawnIn::kFrame) {
      target_ = {memory, layout.surface};
      layout_ = layout;
      return {};
    }
    if (target_.buffer != nullptr && layout_.format == frame.format() && layout_.drawnIn == layout.drawnIn &&
        layout_.rowAlignment == layout.rowAlignment && target_.layout.width == frame.width() &&
        target_.layout.height == frame.height())
      return {};
    FW_ASSIGN_OR_RETURN(target_.buffer, pool_.acquire(layout.drawnBytes + kReadBeyond));
    layout_ = layout;
    target_.layout = layout.surface;
    return {};
  }

  void planPairs(FramePlan& plan) const {
    const SurfaceLayout& surface = layout_.surface;
    Pass pass{Shader::pair};
    pass.target = target_.buffer.get();
    pass.push = {surface.u,
                 surface.v,
                 surface.chromaStride,
                 layout_.pairs,
                 layout_.pairStride,
                 static_cast<uint32_t>(surface.chromaWidth()),
                 static_cast<uint32_t>(surface.chromaHeight())};
    pass.groups = groupsFor(surface.chromaWidth(), surface.chromaHeight());
    plan.passes.push_back(std::move(pass));
  }

  void planCodes(FramePlan& plan, bool isDithered) const {
    SurfaceLayout surface = layout_.surface;
    surface.isDithered = isDithered;
    Pass pass{Shader::codes, {layout_.isInterleaved() ? 1u : 0u}};
    pass.target = target_.buffer.get();
    appendSurface(pass.push, surface);
    append(pass.push, layout_.codes, layout_.pairs, layout_.pairStride);
    pass.groups = groupsFor(surface.width, surface.height);
    pass.groups[2] = 3;
    plan.passes.push_back(std::move(pass));
  }

  Status grow(std::shared_ptr<vulkan::Buffer>& buffer, uint64_t bytes, vulkan::MemoryUse use) {
    if (buffer != nullptr && buffer->size() >= bytes) return {};
    buffer.reset();
    FW_ASSIGN_OR_RETURN(buffer, vulkan::Buffer::create(device_, bytes + bytes / 2 + 4096, use));
    return {};
  }

  // Uploads the tables and new images.
  Status fill(FrameSlot& slot) {
    const std::vector<uint32_t>& words = slot.plan.tables.words();
    const uint64_t tableBytes = (words.size() * 4 + 63) / 64 * 64;
    uint64_t bytes = tableBytes;
    for (const DeviceImage* image : slot.plan.uploads) bytes += image->levels()[0].bytes();
    FW_RETURN_IF_ERROR(grow(slot.upload, bytes, vulkan::MemoryUse::kUpload));
    FW_RETURN_IF_ERROR(grow(slot.tables, tableBytes + kReadBeyond, vulkan::MemoryUse::kDevice));
    if (slot.memory == nullptr) {
      FW_RETURN_IF_ERROR(grow(slot.readback, slot.layout.readBytes, vulkan::MemoryUse::kReadback));
      slot.memory = slot.readback;
    }
    // An empty vector may have no data, which memcpy does not accept.
    if (!words.empty()) std::memcpy(slot.upload->mapped(), words.data(), words.size() * 4);
    uint8_t* to = slot.upload->mapped() + tableBytes;
    for (const DeviceImage* image : slot.plan.uploads) {
      image->upload(to);
      to += image->levels()[0].bytes();
    }
    return slot.upload->flush();
  }

  Status record(FrameSlot& slot) {
    vulkan::Commands& commands = *slot.commands;
    FW_RETURN_IF_ERROR(commands.begin());
    const uint64_t tableBytes = (slot.plan.tables.words().size() * 4 + 63) / 64 * 64;
    if (tableBytes > 0) commands.copy(*slot.upload, 0, *slot.tables, 0, tableBytes);
    uint64_t at = tableBytes;
    for (const DeviceImage* image : slot.plan.uploads) {
      const uint64_t bytes = image->levels()[0].bytes();
      commands.copy(*slot.upload, at, *image->buffer, 0, bytes);
      at += bytes;
    }
    for (const vulkan::Buffer* const memory : slot.plan.decoded) commands.acquire(*memory);
    commands.barrier();
    commands.stamp();
    for (const Pass& pass : slot.plan.passes) {
      if (pass.waits) commands.barrier();
      FW_ASSIGN_OR_RETURN(const vulkan::ComputePipeline* const pipeline,
                          pipelines_->get(pass.shader, format_.isDeep(), pass.constants));
      FW_RETURN_IF_ERROR(
          commands.dispatch(*pipeline, *slot.tables, *pass.target, pass.sources, pass.push, pass.groups));
    }
    commands.stamp();
    commands.barrier();
    for (const FrameLayout::Copy& copy : slot.layout.copies())
      commands.copy(*target_.buffer, copy.from, *slot.memory, copy.to, copy.bytes);
    for (const vulkan::Buffer* const memory : slot.plan.decoded) commands.yield(*memory);
    if (slot.shared == nullptr) return commands.submit();
    commands.release(*slot.memory);
    const SharedTimeline* const timeline = static_cast<const SharedFrame&>(*slot.shared).timeline();
    return timeline == nullptr ? commands.submit() : timeline->submitWrite(commands);
  }

  Status finishSlot(FrameSlot& slot) {
    if (!slot.commands->isPending()) return {};
    Image* const frame = std::exchange(slot.frame, nullptr);  // null: ordered by a timeline
    const Status done = slot.commands->wait();
    slot.plan.clear();
    slot.images.clear();
    slot.shared.reset();
    const std::shared_ptr<vulkan::Buffer> memory = std::move(slot.memory);
    FW_RETURN_IF_ERROR(done);
    FW_ASSIGN_OR_RETURN(const std::vector<double> stamps, slot.commands->stampSeconds());
    drawSeconds_ = stamps.empty() ? 0 : stamps.back();
    FW_RETURN_IF_ERROR(memory->invalidate());
    if (memory != slot.readback || frame == nullptr) return {};
    for (int p = 0; p < frame->planeCount(); ++p)
      copyPlane(slot.layout.plane(p, memory->mapped()), frame->plane(p), slot.layout.sampleBytes(p));
    return {};
  }

  const std::shared_ptr<vulkan::Device> device_;
  const std::shared_ptr<vulkan::TimelineGuard> guard_ = std::make_shared<vulkan::TimelineGuard>();
  BufferPool pool_;
  HostVisibleFrames frames_;
  ImageCache residents_;
  const std::shared_ptr<Pipelines> pipelines_;
  const SampleFormat format_;
  FramePlanner planner_;
  const std::unique_ptr<Compositor> cpu_;  // prepares images, and draws what the device cannot
  std::array<FrameSlot, kFramesInFlight> slots_;
  size_t next_ = 0;
  DeviceSurface target_;  // with layout_
  FrameLayout layout_;
  double drawSeconds_ = 0;
  int64_t hostFrames_ = 0;
};

}  // namespace

Result<std::unique_ptr<VulkanCompositor>> createVulkanCompositor(std::shared_ptr<vulkan::Device> device,
                                                                 const VulkanCompositorOptions& options) {
  const uint64_t budget =
      options.memoryBudget > 0
          ? options.memoryBudget
          : static_cast<uint64_t>(static_cast<double>(device->memoryLeft()) * kBudgetShare);
  auto pipelines = options.pipelines != nullptr ? options.pipelines : std::make_shared<Pipelines>(device);
  const SampleFormat format = options.deepColor
                                  ? SampleFormat(std::make_shared<const CanvasCurves>(*options.deepColor))
                                  : SampleFormat();
  auto compositor =
      std::make_unique<DeviceCompositor>(std::move(device), std::move(pipelines), budget, format);
  FW_RETURN_IF_ERROR(compositor->open());
  return std::unique_ptr<VulkanCompositor>(std::move(compositor));
}

}  // namespace framewright
