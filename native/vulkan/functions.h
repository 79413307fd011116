#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

// The Vulkan functions in use, as X-macro lists for tables of function pointers.
#define FRAMEWRIGHT_VK_INSTANCE(X)                \
  X(DestroyInstance)                              \
  X(EnumeratePhysicalDevices)                     \
  X(GetPhysicalDeviceProperties2)                 \
  X(GetPhysicalDeviceFeatures2)                   \
  X(GetPhysicalDeviceMemoryProperties2)           \
  X(GetPhysicalDeviceQueueFamilyProperties)       \
  X(EnumerateDeviceExtensionProperties)           \
  X(GetPhysicalDeviceExternalBufferProperties)    \
  X(GetPhysicalDeviceExternalSemaphoreProperties) \
  X(CreateDevice)                                 \
  X(GetDeviceProcAddr)

#define FRAMEWRIGHT_VK_DEVICE(X)  \
  X(DestroyDevice)                \
  X(GetDeviceQueue)               \
  X(QueueSubmit)                  \
  X(DeviceWaitIdle)               \
  X(CreateBuffer)                 \
  X(DestroyBuffer)                \
  X(GetBufferMemoryRequirements)  \
  X(AllocateMemory)               \
  X(FreeMemory)                   \
  X(BindBufferMemory)             \
  X(MapMemory)                    \
  X(FlushMappedMemoryRanges)      \
  X(InvalidateMappedMemoryRanges) \
  X(CreateShaderModule)           \
  X(DestroyShaderModule)          \
  X(CreateDescriptorSetLayout)    \
  X(DestroyDescriptorSetLayout)   \
  X(CreatePipelineLayout)         \
  X(DestroyPipelineLayout)        \
  X(CreateComputePipelines)       \
  X(DestroyPipeline)              \
  X(CreateDescriptorPool)         \
  X(DestroyDescriptorPool)        \
  X(ResetDescriptorPool)          \
  X(AllocateDescriptorSets)       \
  X(UpdateDescriptorSets)         \
  X(CreateCommandPool)            \
  X(DestroyCommandPool)           \
  X(ResetCommandPool)             \
  X(AllocateCommandBuffers)       \
  X(BeginCommandBuffer)           \
  X(EndCommandBuffer)             \
  X(CmdBindPipeline)              \
  X(CmdBindDescriptorSets)        \
  X(CmdPushConstants)             \
  X(CmdDispatch)                  \
  X(CmdPipelineBarrier)           \
  X(CmdCopyBuffer)                \
  X(CmdFillBuffer)                \
  X(CmdResetQueryPool)            \
  X(CmdWriteTimestamp)            \
  X(CreateQueryPool)              \
  X(DestroyQueryPool)             \
  X(GetQueryPoolResults)          \
  X(CreateSemaphore)              \
  X(DestroySemaphore)             \
  X(CreateFence)                  \
  X(DestroyFence)                 \
  X(WaitForFences)                \
  X(ResetFences)

namespace framewright::vulkan {

struct InstanceFunctions {
#define FRAMEWRIGHT_VK_MEMBER(name) PFN_vk##name name = nullptr;
  FRAMEWRIGHT_VK_INSTANCE(FRAMEWRIGHT_VK_MEMBER)
};

struct DeviceFunctions {
  FRAMEWRIGHT_VK_DEVICE(FRAMEWRIGHT_VK_MEMBER)
#undef FRAMEWRIGHT_VK_MEMBER
  PFN_vkGetMemoryFdKHR GetMemoryFdKHR = nullptr;  // null if memory cannot be exported
  PFN_vkGetMemoryFdPropertiesKHR GetMemoryFdPropertiesKHR = nullptr;
  // Null if timeline semaphores cannot be exported.
  PFN_vkGetSemaphoreFdKHR GetSemaphoreFdKHR = nullptr;
  PFN_vkWaitSemaphoresKHR WaitSemaphoresKHR = nullptr;
  PFN_vkSignalSemaphoreKHR SignalSemaphoreKHR = nullptr;
};

}  // namespace framewright::vulkan
