#include <unistd.h>

#include "vulkan/buffer.h"
#include "vulkan/failure.h"

namespace framewright::vulkan {
namespace {

constexpr VkExternalMemoryHandleTypeFlagBits kHandleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;

Error refused(const std::string& detail) {
  return {ErrorCode::GPU_FAILED, "The graphics device cannot import the memory of a decoded frame.", detail};
}

}  // namespace

Result<std::shared_ptr<Buffer>> Buffer::import(std::shared_ptr<Device> device, int fd, uint64_t bytes) {
  if (!device->imports(FramePlace::kDmaBuf)) return refused("no DMA-BUFs");
  if (bytes > device->limits().maxStorageBufferRange) return refused(std::to_string(bytes) + " bytes");
  auto buffer = std::shared_ptr<Buffer>(new Buffer(std::move(device), bytes, FramePlace::kDmaBuf));
  FW_RETURN_IF_ERROR(buffer->importMemory(fd));
  return buffer;
}

Status Buffer::importMemory(int fd) {
  const DeviceFunctions& vk = device_->functions();
  VkMemoryFdPropertiesKHR found{VK_STRUCTURE_TYPE_MEMORY_FD_PROPERTIES_KHR};
  FW_VK_RETURN_IF_ERROR("vkGetMemoryFdPropertiesKHR",
                        vk.GetMemoryFdPropertiesKHR(device_->handle(), kHandleType, fd, &found));
  VkExternalMemoryBufferCreateInfo external{VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO};
  external.handleTypes = kHandleType;
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, &external};
  info.size = size_;
  info.usage = kBufferUsage;
  FW_VK_RETURN_IF_ERROR("vkCreateBuffer", vk.CreateBuffer(device_->handle(), &info, nullptr, &buffer_));
  VkMemoryRequirements needs{};
  vk.GetBufferMemoryRequirements(device_->handle(), buffer_, &needs);
  const uint32_t allowed = needs.memoryTypeBits & found.memoryTypeBits;
  // Memory of integrated devices may be of any kind.
  int type = device_->memoryType(allowed, MemoryUse::kDevice);
  if (type < 0) type = device_->memoryType(allowed, MemoryUse::kUpload);
  if (type < 0) return refused("no memory type for it");
  VkMemoryDedicatedAllocateInfo dedicated{VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO};
  dedicated.buffer = buffer_;
  VkImportMemoryFdInfoKHR import{VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR, &dedicated};
  import.handleType = kHandleType;
  import.fd = dup(fd);
  if (import.fd < 0) return refused("the descriptor cannot be duplicated");
  VkMemoryAllocateInfo memory{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &import};
  memory.allocationSize = needs.size > size_ ? needs.size : size_;
  memory.memoryTypeIndex = static_cast<uint32_t>(type);
  const VkResult imported = vk.AllocateMemory(device_->handle(), &memory, nullptr, &memory_);
  if (imported < 0) close(import.fd);  // the driver owns the descriptor only after success
  FW_VK_RETURN_IF_ERROR("vkAllocateMemory", imported);
  allocated_ = memory.allocationSize;
  FW_VK_RETURN_IF_ERROR("vkBindBufferMemory", vk.BindBufferMemory(device_->handle(), buffer_, memory_, 0));
  return {};
}

}  // namespace framewright::vulkan
