#include "compositor/vulkan/device/host_visible_frames.h"

#include <algorithm>

#include "compositor/vulkan/device/shared_frame.h"

namespace framewright::gpu {

Result<std::shared_ptr<Image>> HostVisibleFrames::create(PixelFormat format, int width, int height) {
  const FrameLayout layout = frameLayoutOf(format, width, height);
  auto made = vulkan::Buffer::create(device_, layout.readBytes + kReadBeyond, vulkan::MemoryUse::kReadback);
  if (!made.ok() || !made.value()->isCached()) return Image::create(format, width, height);
  const std::shared_ptr<vulkan::Buffer> memory = made.take();
  std::erase_if(lent_, [](const std::weak_ptr<vulkan::Buffer>& lent) { return lent.expired(); });
  lent_.push_back(memory);
  Plane planes[3];
  for (int i = 0; i < layout.planeCount(); ++i) planes[i] = layout.plane(i, memory->mapped());
  return Image::wrap(format, width, height, planes, memory);
}

std::shared_ptr<vulkan::Buffer> HostVisibleFrames::memoryOf(const Image& frame) {
  if (const auto* shared = static_cast<const SharedFrame*>(frame.deviceMemory().get()))
    return shared->buffer();
  const FrameLayout layout = frameLayoutOf(frame);
  for (const std::weak_ptr<vulkan::Buffer>& lent : lent_) {
    std::shared_ptr<vulkan::Buffer> memory = lent.lock();
    if (memory != nullptr && layout.plane(0, memory->mapped()).data == frame.plane(0).data) return memory;
  }
  return nullptr;
}

}  // namespace framewright::gpu
