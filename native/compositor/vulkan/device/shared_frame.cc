#include "compositor/vulkan/device/shared_frame.h"

#include "core/planes.h"

namespace framewright::gpu {

SharedFrame::SharedFrame(std::shared_ptr<vulkan::Device> device, std::shared_ptr<vulkan::Buffer> buffer,
                         const FrameLayout& layout)
    : DeviceMemory(rowsOf(layout, 0), rowsOf(layout, 1)),
      device_(std::move(device)),
      buffer_(std::move(buffer)),
      layout_(layout) {}

SharedFrame::SharedFrame(std::shared_ptr<vulkan::Device> device, std::shared_ptr<vulkan::Buffer> buffer,
                         const DmaBufFrame& frame)
    : DeviceMemory(frame.rows[0], frame.rows[1]), device_(std::move(device)), buffer_(std::move(buffer)) {}

Result<std::shared_ptr<SharedFrame>> SharedFrame::import(const std::shared_ptr<vulkan::Device>& device,
                                                         const DmaBufFrame& frame) {
  for (int p = 0; p < 2; ++p) {
    const Rows& rows = frame.rows[p];
    const auto height = static_cast<uint64_t>(p == 0 ? frame.height : (frame.height + 1) / 2);
    const auto width =
        static_cast<uint64_t>(p == 0 ? frame.width : (frame.width + 1) / 2 * 2) * (frame.bits > 8 ? 2 : 1);
    // Shaders read whole words.
    const bool isReadable = rows.offset % 4 == 0 && rows.pitch % 4 == 0 && width <= rows.pitch &&
                            rows.offset + height * rows.pitch <= frame.bytes;
    if (!isReadable) {
      return Error{ErrorCode::GPU_FAILED, "Shaders cannot read the rows of a decoded frame.",
                   std::to_string(rows.pitch) + " bytes from " + std::to_string(rows.offset)};
    }
  }
  FW_ASSIGN_OR_RETURN(auto buffer, vulkan::Buffer::import(device, frame.fd, frame.bytes));
  return std::shared_ptr<SharedFrame>(new SharedFrame(device, std::move(buffer), frame));
}

Result<std::shared_ptr<Image>> SharedFrame::create(const std::shared_ptr<vulkan::Device>& device,
                                                   FramePlace place, int width, int height,
                                                   const std::shared_ptr<vulkan::TimelineGuard>& guard) {
  const FrameLayout layout = sharedLayoutOf(width, height);
  std::shared_ptr<vulkan::Timeline> timeline;
  if (place == FramePlace::kOpaqueTimeline) {
    FW_ASSIGN_OR_RETURN(timeline, vulkan::Timeline::create(device));
  }
  FW_ASSIGN_OR_RETURN(auto buffer, vulkan::Buffer::create(device, layout.drawnBytes + kReadBeyond,
                                                          vulkan::MemoryUse::kDevice, place));
  const auto frame = std::shared_ptr<SharedFrame>(new SharedFrame(device, std::move(buffer), layout));
  if (timeline != nullptr) frame->timeline_.emplace(std::move(timeline), guard);
  return Image::onDevice(width, height, frame);
}

Result<std::shared_ptr<SharedFrame>> SharedFrame::createDecoded(const std::shared_ptr<vulkan::Device>& device,
                                                                PixelFormat format, int width, int height) {
  const FrameLayout layout = frameLayoutOf(format, width, height, kDeviceRows);
  FW_ASSIGN_OR_RETURN(auto buffer, vulkan::Buffer::create(device, layout.readBytes + kReadBeyond,
                                                          vulkan::MemoryUse::kDevice, FramePlace::kOpaque));
  return std::shared_ptr<SharedFrame>(new SharedFrame(device, std::move(buffer), layout));
}

DeviceMemory::Rows SharedFrame::rowsOf(const FrameLayout& layout, int plane) {
  const uint32_t bytes = layout.surface.sampleBytes;
  if (plane == 0) return {0, layout.surface.lumaStride * bytes};
  return {uint64_t{layout.chroma()} * bytes, layout.pairStride * bytes};
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

Status SharedFrame::read(const Image& to) const {
  FW_ASSIGN_OR_RETURN(const auto readback,
                      vulkan::Buffer::create(device_, buffer_->size(), vulkan::MemoryUse::kReadback));
  FW_ASSIGN_OR_RETURN(const auto commands, vulkan::Commands::create(device_));
  FW_RETURN_IF_ERROR(commands->begin());
  commands->acquire(*buffer_);
  commands->copy(*buffer_, 0, *readback, 0, buffer_->size());
  commands->yield(*buffer_);
  FW_RETURN_IF_ERROR(commands->submit());
  FW_RETURN_IF_ERROR(commands->wait());
  FW_RETURN_IF_ERROR(readback->invalidate());
  for (int p = 0; p < 2; ++p) {
    const Plane& plane = to.plane(p);
    copyPlane({readback->mapped() + rows(p).offset, static_cast<ptrdiff_t>(rows(p).pitch), plane.width,
               plane.height},
              plane, (p + 1) * (to.format() == PixelFormat::kP010 ? 2 : 1));
  }
  return {};
}

}  // namespace framewright::gpu
