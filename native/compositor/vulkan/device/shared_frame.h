#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "compositor/vulkan/device/frame_layout.h"
#include "vulkan/commands.h"
#include "vulkan/timeline_guard.h"

namespace framewright::gpu {

// The timeline of a frame, whose values a guard watches.
class SharedTimeline final : public FrameTimeline {
 public:
  SharedTimeline(std::shared_ptr<const vulkan::Timeline> timeline,
                 std::shared_ptr<vulkan::TimelineGuard> guard)
      : timeline_(std::move(timeline)), guard_(std::move(guard)) {}

  Result<int> exportFd() const override { return timeline_->exportFd(); }
  uint64_t lastValue() const override { return last_.load(std::memory_order_acquire); }
  void addRead() const override { add(vulkan::TimelineGuard::Signaller::kOtherApi); }
  // Submits a recording that writes the frame once its last reader is done.
  Status submitWrite(vulkan::Commands& commands) const {
    FW_RETURN_IF_ERROR(commands.submit(timeline_.get(), lastValue()));
    add(vulkan::TimelineGuard::Signaller::kDevice);
    return {};
  }

 private:
  void add(vulkan::TimelineGuard::Signaller signaller) const {
    guard_->watch(timeline_, last_.fetch_add(1, std::memory_order_acq_rel) + 1, signaller);
  }

  const std::shared_ptr<const vulkan::Timeline> timeline_;
  const std::shared_ptr<vulkan::TimelineGuard> guard_;
  mutable std::atomic<uint64_t> last_ = 0;
};

// A frame in exportable device memory.
class SharedFrame final : public DeviceMemory {
 public:
  // `guard` watches the timelines of kOpaqueTimeline, and is not needed otherwise.
  static Result<std::shared_ptr<Image>> create(const std::shared_ptr<vulkan::Device>& device,
                                               FramePlace place, int width, int height,
                                               const std::shared_ptr<vulkan::TimelineGuard>& guard = nullptr);

  // A frame of kNv12 or kP010 that another API fills.
  static Result<std::shared_ptr<SharedFrame>> createDecoded(const std::shared_ptr<vulkan::Device>& device,
                                                            PixelFormat format, int width, int height);
  // The linear frame of another API, without a copy; see DecodedFrameMemory::import().
  static Result<std::shared_ptr<SharedFrame>> import(const std::shared_ptr<vulkan::Device>& device,
                                                     const DmaBufFrame& frame);

  Result<int> exportFd() const override { return buffer_->exportFd(); }
  uint64_t bytes() const override { return buffer_->allocationSize(); }
  Status fill(const Image& image) const override;
  const SharedTimeline* timeline() const override { return timeline_ ? &*timeline_ : nullptr; }
  Status read(const Image& to) const override;
  const std::shared_ptr<vulkan::Device>& device() const { return device_; }
  const std::shared_ptr<vulkan::Buffer>& buffer() const { return buffer_; }

 private:
  SharedFrame(std::shared_ptr<vulkan::Device> device, std::shared_ptr<vulkan::Buffer> buffer,
              const FrameLayout& layout);
  SharedFrame(std::shared_ptr<vulkan::Device> device, std::shared_ptr<vulkan::Buffer> buffer,
              const DmaBufFrame& frame);

  static DeviceMemory::Rows rowsOf(const FrameLayout& layout, int plane);

  Status startFilling(const Image& image) const;

  const std::shared_ptr<vulkan::Device> device_;
  const std::shared_ptr<vulkan::Buffer> buffer_;
  const FrameLayout layout_;  // of frames that were allocated here
  std::optional<const SharedTimeline> timeline_;
  mutable std::shared_ptr<vulkan::Buffer> upload_;  // of the last fill()
  mutable std::unique_ptr<vulkan::Commands> filling_;
};

}  // namespace framewright::gpu
