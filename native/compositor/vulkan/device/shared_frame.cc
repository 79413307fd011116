#include "compositor/vulkan/device/shared_frame.h"

#include "core/planes.h"

namespace framewright::gpu {

SharedFrame::SharedFrame(std::shared_ptr<vulkan::Device> device, std::shared_ptr<vulkan::Buffer> buffer,
                         const FrameLayout& layout)
    : DeviceMemory({0, layout.surface.lumaStride}, {layout.surface.u, layout.pairStride}),
      device_(std::move(device)),
      buffer_(std::move(buffer)),
      layout_(layout) {}

Result<std::shared_ptr<Image>> SharedFrame::create(const std::shared_ptr<vulkan::Device>& device,
                                                   FramePlace place, int width, int height,
                                                   const std::shared_ptr<vulkan::TimelineGuard>& guard) {
  const FrameLayout layout = frameLayoutOf(PixelFormat::kNv12, width, height, kDeviceRows);
  std::shared_ptr<vulkan::Timeline> timeline;
  if (place == FramePlace::kOpaqueTimeline) {
    FW_ASSIGN_OR_RETURN(timeline, vulkan::Timeline::create(device));
  }
  FW_ASSIGN_OR_RETURN(auto buffer, vulkan::Buffer::create(device, layout.readBytes + kReadBeyond,
                                                          vulkan::MemoryUse::kDevice, place));
  const auto frame = std::shared_ptr<SharedFrame>(new SharedFrame(device, std::move(buffer), layout));
  if (timeline != nullptr) frame->timeline_.emplace(std::move(timeline), guard);
  return Image::onDevice(width, height, frame);
}

Status SharedFrame::fill(const Image& image) const {
  FW_RETURN_IF_ERROR(startFilling(image));
  return timeline_ ? Status() : filling_->wait();
}

Status SharedFrame::startFilling(const Image& image) const {
  if (filling_ != nullptr) FW_RETURN_IF_ERROR(filling_->wait());
  FW_ASSIGN_OR_RETURN(upload_,
                      vulkan::Buffer::create(device_, layout_.readBytes, vulkan::MemoryUse::kUpload));
  for (int p = 0; p < 2; ++p)
    copyPlane(image.plane(p), layout_.plane(p, upload_->mapped()), layout_.sampleBytes(p));
  FW_RETURN_IF_ERROR(upload_->flush());
  FW_ASSIGN_OR_RETURN(filling_, vulkan::Commands::create(device_));
  FW_RETURN_IF_ERROR(filling_->begin());
  filling_->copy(*upload_, 0, *buffer_, 0, layout_.readBytes);
  filling_->release(*buffer_);
  return timeline_ ? timeline_->submitWrite(*filling_) : filling_->submit();
}

}  // namespace framewright::gpu
