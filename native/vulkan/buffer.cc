#include "vulkan/buffer.h"

#include "vulkan/failure.h"

namespace framewright::vulkan {

Result<std::shared_ptr<Buffer>> Buffer::create(std::shared_ptr<Device> device, uint64_t bytes, MemoryUse use,
                                               FramePlace place) {
  auto buffer = std::shared_ptr<Buffer>(new Buffer(std::move(device), bytes, place));
  FW_RETURN_IF_ERROR(buffer->allocate(use));
  return buffer;
}

Status Buffer::allocate(MemoryUse use) {
  const bool exportable = place_ != FramePlace::kHost;
  const DeviceFunctions& vk = device_->functions();
  if (use == MemoryUse::kDevice && size_ > device_->limits().maxStorageBufferRange) {
    return Error{ErrorCode::GPU_FAILED, "An image is larger than the graphics device can see at once.",
                 std::to_string(size_) + " bytes"};
  }
  if (exportable && !device_->exports(place_))
    return Error{ErrorCode::GPU_FAILED, "The graphics device does not hand out memory.", ""};
  VkExternalMemoryBufferCreateInfo external{VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO};
  external.handleTypes = handleTypeOf(place_);
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  if (exportable) info.pNext = &external;
  info.size = size_;
  info.usage = kBufferUsage;
  FW_VK_RETURN_IF_ERROR("vkCreateBuffer", vk.CreateBuffer(device_->handle(), &info, nullptr, &buffer_));
  VkMemoryRequirements needs{};
  vk.GetBufferMemoryRequirements(device_->handle(), buffer_, &needs);
  const int type = device_->memoryType(needs.memoryTypeBits, use);
  if (type < 0)
    return Error{ErrorCode::GPU_FAILED, "The graphics device has no memory of the kind needed.", ""};
  VkMemoryDedicatedAllocateInfo dedicated{VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO};
  dedicated.buffer = buffer_;
  VkExportMemoryAllocateInfo exported{VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, &dedicated};
  exported.handleTypes = handleTypeOf(place_);
  VkMemoryAllocateInfo memory{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  if (exportable) memory.pNext = &exported;
  memory.allocationSize = needs.size;
  memory.memoryTypeIndex = static_cast<uint32_t>(type);
  FW_VK_RETURN_IF_ERROR("vkAllocateMemory", vk.AllocateMemory(device_->handle(), &memory, nullptr, &memory_));
  allocated_ = needs.size;
  FW_VK_RETURN_IF_ERROR("vkBindBufferMemory", vk.BindBufferMemory(device_->handle(), buffer_, memory_, 0));
  if (use == MemoryUse::kDevice) return {};
  coherent_ = device_->isCoherent(type);
  cached_ = device_->isCached(type);
  void* address = nullptr;
  FW_VK_RETURN_IF_ERROR("vkMapMemory",
                        vk.MapMemory(device_->handle(), memory_, 0, VK_WHOLE_SIZE, 0, &address));
  mapped_ = static_cast<uint8_t*>(address);
  return {};
}

Buffer::~Buffer() {
  const DeviceFunctions& vk = device_->functions();
  if (buffer_ != VK_NULL_HANDLE) vk.DestroyBuffer(device_->handle(), buffer_, nullptr);
  if (memory_ != VK_NULL_HANDLE) vk.FreeMemory(device_->handle(), memory_, nullptr);
}

Status Buffer::flush() const {
  if (coherent_) return {};
  const VkMappedMemoryRange range{VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, nullptr, memory_, 0, VK_WHOLE_SIZE};
  FW_VK_RETURN_IF_ERROR("vkFlushMappedMemoryRanges",
                        device_->functions().FlushMappedMemoryRanges(device_->handle(), 1, &range));
  return {};
}

Status Buffer::invalidate() const {
  if (coherent_) return {};
  const VkMappedMemoryRange range{VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, nullptr, memory_, 0, VK_WHOLE_SIZE};
  FW_VK_RETURN_IF_ERROR("vkInvalidateMappedMemoryRanges",
                        device_->functions().InvalidateMappedMemoryRanges(device_->handle(), 1, &range));
  return {};
}

Result<int> Buffer::exportFd() const {
  VkMemoryGetFdInfoKHR info{VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR};
  info.memory = memory_;
  info.handleType = handleTypeOf(place_);
  int fd = -1;
  FW_VK_RETURN_IF_ERROR("vkGetMemoryFdKHR",
                        device_->functions().GetMemoryFdKHR(device_->handle(), &info, &fd));
  return fd;
}

}  // namespace framewright::vulkan
