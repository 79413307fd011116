#pragma once

#include <vulkan/vulkan.h>

#include "faults.h"

namespace substitute {

// Programs in the engine's sandbox keep only variables of known names: VK_SUBSTITUTE has settings, too, but
// no faults.
inline bool isOn(const char* name) {
  return settingOf("VULKAN_SUBSTITUTE", name, 0) != 0 || settingOf("VK_SUBSTITUTE", name, 0) != 0;
}

// The dispatch key, which all objects of an instance or device share.
template <class Handle>
void* keyOf(Handle handle) {
  return *reinterpret_cast<void**>(handle);
}

// The next layer's function in place of this layer's own of this name.
PFN_vkVoidFunction nextFunction(void* key, const char* name);
// The instance or device of the key.
void* objectOf(void* key);

template <class Function, class Handle>
Function nextOf(Handle handle, const char* name) {
  return reinterpret_cast<Function>(nextFunction(keyOf(handle), name));
}

#define FW_NEXT(handle, name) nextOf<PFN_vk##name>(handle, "vk" #name)

template <class Wanted>
Wanted* findIn(const void* chain, VkStructureType type) {
  auto* each = static_cast<VkBaseOutStructure*>(const_cast<void*>(chain));
  for (; each != nullptr; each = each->pNext)
    if (each->sType == type) return reinterpret_cast<Wanted*>(each);
  return nullptr;
}

// queue.cc: submissions and what waits for them.
VkResult VKAPI_CALL createSemaphore(VkDevice device, const VkSemaphoreCreateInfo* info,
                                    const VkAllocationCallbacks* allocator, VkSemaphore* semaphore);
void VKAPI_CALL destroySemaphore(VkDevice device, VkSemaphore semaphore,
                                 const VkAllocationCallbacks* allocator);
VkResult VKAPI_CALL semaphoreFd(VkDevice device, const VkSemaphoreGetFdInfoKHR* info, int* fd);
VkResult VKAPI_CALL waitSemaphores(VkDevice device, const VkSemaphoreWaitInfo* info, uint64_t timeout);
VkResult VKAPI_CALL signalSemaphore(VkDevice device, const VkSemaphoreSignalInfo* info);
VkResult VKAPI_CALL queueSubmit(VkQueue queue, uint32_t count, const VkSubmitInfo* works, VkFence fence);
VkResult VKAPI_CALL waitForFences(VkDevice device, uint32_t count, const VkFence* fences, VkBool32 all,
                                  uint64_t timeout);
VkResult VKAPI_CALL deviceWaitIdle(VkDevice device);
void VKAPI_CALL externalSemaphores(VkPhysicalDevice physical,
                                   const VkPhysicalDeviceExternalSemaphoreInfo* info,
                                   VkExternalSemaphoreProperties* found);
// Called before a device is destroyed.
void endSubmissions(VkDevice device);

}  // namespace substitute
