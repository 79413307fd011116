#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/result.h"
#include "vulkan/instance.h"

namespace framewright::vulkan {

// Location of a buffer's memory and its users.
enum class MemoryUse {
  kDevice,    // shaders and copies
  kUpload,    // written by the host, read by copies
  kReadback,  // written by copies, read by the host
};

inline constexpr VkBufferUsageFlags kBufferUsage =
    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

// 0 for kHost.
constexpr VkExternalMemoryHandleTypeFlagBits handleTypeOf(FramePlace place) {
  switch (place) {
    case FramePlace::kHost:
      return VkExternalMemoryHandleTypeFlagBits{};
    case FramePlace::kDmaBuf:
      return VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
    case FramePlace::kOpaque:
    case FramePlace::kOpaqueTimeline:
      break;
  }
  return VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
}

// The queue family that receives memory of `place`: DMA-BUFs may go to a driver that knows no Vulkan, such as
// libva's, which takes the foreign family; other descriptors stay among drivers of one vendor. Devices
// without VK_EXT_queue_family_foreign have no other choice than the external family.
constexpr uint32_t recipientFamily(FramePlace place, bool hasForeignFamily) {
  return place == FramePlace::kDmaBuf && hasForeignFamily ? VK_QUEUE_FAMILY_FOREIGN_EXT
                                                          : VK_QUEUE_FAMILY_EXTERNAL;
}

// A logical device with one compute queue and the layouts shared by all pipelines: storage buffers at binding
// 0 (tables), 1 (target) and 2 (kSources of them), and 128 bytes of push constants. Any thread.
class Device {
 public:
  static constexpr uint32_t kSources = kStorageBuffers - 2;
  static constexpr uint32_t kPushBytes = 128;

  static Result<std::shared_ptr<Device>> create(std::shared_ptr<const Instance> instance, size_t index);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const DeviceProperties& properties() const { return properties_; }
  const VkPhysicalDeviceLimits& limits() const { return limits_; }
  const DeviceFunctions& functions() const { return functions_; }
  VkDevice handle() const { return device_; }
  uint32_t queueFamily() const { return queueFamily_; }
  VkPipelineLayout pipelineLayout() const { return pipelineLayout_; }
  VkDescriptorSetLayout setLayout() const { return setLayout_; }
  // Whether a buffer's memory can be exported this way, with its semaphore if it has one.
  bool exports(FramePlace place) const {
    return functions_.GetMemoryFdKHR != nullptr && (exported_ & handleTypeOf(place)) != 0 &&
           (place != FramePlace::kOpaqueTimeline || functions_.GetSemaphoreFdKHR != nullptr);
  }
  // Whether another API's memory can be imported as a buffer this way.
  bool imports(FramePlace place) const {
    return functions_.GetMemoryFdPropertiesKHR != nullptr && (imported_ & handleTypeOf(place)) != 0;
  }
  bool hasForeignFamily() const { return hasForeignFamily_; }
  bool hasTimestamps() const { return timestamps_; }

  // Index of the memory type to allocate from, or -1.
  int memoryType(uint32_t allowed, MemoryUse use) const;
  bool isCoherent(int memoryType) const;
  bool isCached(int memoryType) const;  // for host reads
  // Bytes still available in device-local memory according to the driver; the heap size if it does not report
  // a budget.
  uint64_t memoryLeft() const;

  Status submit(const VkSubmitInfo& work, VkFence fence);
  // Waits for the fence; after a failure all further calls fail.
  Status wait(VkFence fence);
  // Waits at most `nanoseconds` until the timeline semaphore has the value; returns whether it has. After a
  // failure all further calls fail.
  Result<bool> wait(VkSemaphore semaphore, uint64_t value, uint64_t nanoseconds);
  bool isLost() const { return lost_.load(std::memory_order_relaxed); }
  // Waits until the device is idle.
  void waitIdle();

 private:
  Device() = default;
  Status open(size_t index);
  Status createLayouts();
  VkExternalMemoryFeatureFlags sharingOf(FramePlace place) const;
  bool canExportTimelines(const std::vector<VkExtensionProperties>& offered) const;
  void loadTimelines();
  VkResult noted(VkResult result);

  std::shared_ptr<const Instance> instance_;
  VkPhysicalDevice physical_ = VK_NULL_HANDLE;
  DeviceProperties properties_;
  VkPhysicalDeviceLimits limits_{};
  VkPhysicalDeviceMemoryProperties memory_{};
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  uint32_t queueFamily_ = 0;
  VkExternalMemoryHandleTypeFlags exported_ = 0, imported_ = 0;
  bool timestamps_ = false, tellsBudget_ = false, hasForeignFamily_ = false;
  DeviceFunctions functions_;
  VkDescriptorSetLayout setLayout_ = VK_NULL_HANDLE;
  VkPipelineLayout pipelineLayout_ = VK_NULL_HANDLE;
  std::mutex submitting_;
  std::atomic<bool> lost_ = false;
};

}  // namespace framewright::vulkan
