#include "compositor/vulkan/device/shared_frame.h"

#include "core/planes.h"
#include "vulkan/commands.h"

namespace framewright::gpu {

SharedFrame::SharedFrame(std::shared_ptr<vulkan::Device> device, std::shared_ptr<vulkan::Buffer> buffer,
                         const FrameLayout& layout)
    : DeviceMemory({0, layout.surface.lumaStride}, {layout.surface.u, layout.pairStride}),
      device_(std::move(device)),
      buffer_(std::move(buffer)),
      layout_(layout) {}

Result<std::shared_ptr<Image>> SharedFrame::create(const std::shared_ptr<vulkan::Device>& device,
                                                   FramePlace place, int width, int height) {
  const FrameLayout layout = frameLayoutOf(PixelFormat::kNv12, width, height, kDeviceRows);
  FW_ASSIGN_OR_RETURN(auto buffer, vulkan::Buffer::create(device, layout.readBytes + kReadBeyond,
                                                          vulkan::MemoryUse::kDevice, place));
  return Image::onDevice(width, height,
                         std::shared_ptr<SharedFrame>(new SharedFrame(device, std::move(buffer), layout)));
}

Status SharedFrame::fill(const Image& image) const {
  FW_ASSIGN_OR_RETURN(const auto upload,
                      vulkan::Buffer::create(device_, layout_.readBytes, vulkan::MemoryUse::kUpload));
  for (int p = 0; p < 2; ++p)
    copyPlane(image.plane(p), layout_.plane(p, upload->mapped()), layout_.sampleBytes(p));
  FW_RETURN_IF_ERROR(upload->flush());
  FW_ASSIGN_OR_RETURN(const auto commands, vulkan::Commands::create(device_));
  FW_RETURN_IF_ERROR(commands->begin());
  commands->copy(*upload, 0, *buffer_, 0, layout_.readBytes);
  commands->release(*buffer_);
  FW_RETURN_IF_ERROR(commands->submit());
  return commands->wait();
}

}  // namespace framewright::gpu
