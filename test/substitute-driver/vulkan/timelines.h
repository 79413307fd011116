#pragma once

#include <vulkan/vulkan.h>

namespace substitute {

// Timeline semaphores of the software device that the layer exports, and a device that is lost or slow.

// A device's own functions, below the layer.
struct TimelineFunctions {
  VkDevice device = VK_NULL_HANDLE;
  PFN_vkWaitSemaphoresKHR wait = nullptr;
  PFN_vkSignalSemaphoreKHR signal = nullptr;
  PFN_vkCreateSemaphore create = nullptr;
  PFN_vkDestroySemaphore destroy = nullptr;
  PFN_vkQueueSubmit submit = nullptr;
};

// An exported semaphore of a device.
void addTimeline(const TimelineFunctions& functions, VkSemaphore semaphore);
// False: it is not exported, and the caller destroys it.
bool removeTimeline(VkSemaphore semaphore);
// All of a device, whose importers find it gone.
void removeTimelines(VkDevice device);
// A new descriptor, or -1.
int exportTimeline(VkSemaphore semaphore);
// Notes that submitted work or the host signals the value; false if it is not greater than the last.
bool promiseTimeline(VkSemaphore semaphore, uint64_t value);
// The largest value that was promised; the greatest number for semaphores that are not exported.
uint64_t promisedOf(VkSemaphore semaphore);

// With `withholds=1` work starts when the host waits for a fence or an importer for a semaphore, so that
// whoever waits for nothing finds it undone. The semaphore and value that each submission has to wait for;
// VK_NULL_HANDLE without the setting.
VkSemaphore gateOf(const TimelineFunctions& functions, uint64_t& value);
void openGate(VkDevice device);

}  // namespace substitute
