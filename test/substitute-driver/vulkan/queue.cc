#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "vulkan/layer.h"
#include "vulkan/timelines.h"

namespace substitute {
namespace {

// A device that was lost: fault=Lost:N:-4 takes the Nth submission and does nothing more. What was submitted
// before is done, because the software device is not lost.
std::mutex losing;
std::map<VkDevice, std::set<VkFence>> lostFences;  // of lost devices

bool isLost(VkDevice device) {
  std::lock_guard lock(losing);
  return lostFences.count(device) != 0;
}

TimelineFunctions functionsOf(VkDevice device) {
  return {device,
          FW_NEXT(device, WaitSemaphoresKHR),
          FW_NEXT(device, SignalSemaphoreKHR),
          FW_NEXT(device, CreateSemaphore),
          FW_NEXT(device, DestroySemaphore),
          FW_NEXT(device, QueueSubmit)};
}

// Notes what a submission signals, and names waits for nothing.
void checkTimelines(const VkSubmitInfo& work) {
  const auto* const values =
      findIn<VkTimelineSemaphoreSubmitInfo>(work.pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
  if (values == nullptr) return;
  for (uint32_t i = 0; i < work.waitSemaphoreCount && i < values->waitSemaphoreValueCount; ++i)
    if (values->pWaitSemaphoreValues[i] > promisedOf(work.pWaitSemaphores[i]))
      report("a submission waits for the value " + std::to_string(values->pWaitSemaphoreValues[i]) +
             ", which nothing signals");
  for (uint32_t i = 0; i < work.signalSemaphoreCount && i < values->signalSemaphoreValueCount; ++i)
    if (!promiseTimeline(work.pSignalSemaphores[i], values->pSignalSemaphoreValues[i]))
      report("a submission signals the value " + std::to_string(values->pSignalSemaphoreValues[i]) +
             ", which is not greater");
}

// A submission that waits for the gate, too.
VkResult submitBehind(VkSemaphore gate, uint64_t value, VkQueue queue, const VkSubmitInfo& work,
                      VkFence fence) {
  std::vector<VkSemaphore> waits(work.pWaitSemaphores, work.pWaitSemaphores + work.waitSemaphoreCount);
  std::vector<VkPipelineStageFlags> stages(work.pWaitDstStageMask,
                                           work.pWaitDstStageMask + work.waitSemaphoreCount);
  VkTimelineSemaphoreSubmitInfo values{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  std::vector<uint64_t> waitValues(waits.size());
  if (const auto* const own = findIn<VkTimelineSemaphoreSubmitInfo>(
          work.pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO)) {
    values = *own;
    values.pNext = nullptr;
    waitValues.assign(own->pWaitSemaphoreValues, own->pWaitSemaphoreValues + own->waitSemaphoreValueCount);
  }
  waits.push_back(gate);
  stages.push_back(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  waitValues.resize(waits.size());
  waitValues.back() = value;
  values.waitSemaphoreValueCount = static_cast<uint32_t>(waitValues.size());
  values.pWaitSemaphoreValues = waitValues.data();
  VkSubmitInfo changed = work;
  changed.pNext = &values;
  changed.waitSemaphoreCount = static_cast<uint32_t>(waits.size());
  changed.pWaitSemaphores = waits.data();
  changed.pWaitDstStageMask = stages.data();
  return FW_NEXT(queue, QueueSubmit)(queue, 1, &changed, fence);
}

}  // namespace

void VKAPI_CALL externalSemaphores(VkPhysicalDevice physical,
                                   const VkPhysicalDeviceExternalSemaphoreInfo* info,
                                   VkExternalSemaphoreProperties* found) {
  FW_NEXT(physical, GetPhysicalDeviceExternalSemaphoreProperties)(physical, info, found);
  const auto* const type =
      findIn<VkSemaphoreTypeCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
  const bool isTimeline = type != nullptr && type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE;
  if (!isOn("timelines") || !isTimeline ||
      info->handleType != VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT)
    return;
  found->externalSemaphoreFeatures =
      VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT;
  found->exportFromImportedHandleTypes = found->compatibleHandleTypes =
      VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
}

VkResult VKAPI_CALL createSemaphore(VkDevice device, const VkSemaphoreCreateInfo* info,
                                    const VkAllocationCallbacks* allocator, VkSemaphore* semaphore) {
  if (const int fault = faultIn("VULKAN_SUBSTITUTE", "CreateSemaphore")) return VkResult(fault);
  auto* const exported =
      findIn<VkExportSemaphoreCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO);
  const VkExternalSemaphoreHandleTypeFlags types = exported == nullptr ? 0 : exported->handleTypes;
  // The software device exports none.
  if (exported != nullptr) exported->handleTypes = 0;
  const VkResult result = FW_NEXT(device, CreateSemaphore)(device, info, allocator, semaphore);
  if (exported != nullptr) exported->handleTypes = types;
  if (result == VK_SUCCESS && types != 0) addTimeline(functionsOf(device), *semaphore);
  return result;
}

void VKAPI_CALL destroySemaphore(VkDevice device, VkSemaphore semaphore,
                                 const VkAllocationCallbacks* allocator) {
  if (!removeTimeline(semaphore)) FW_NEXT(device, DestroySemaphore)(device, semaphore, allocator);
}

VkResult VKAPI_CALL semaphoreFd(VkDevice, const VkSemaphoreGetFdInfoKHR* info, int* fd) {
  if (const int fault = faultIn("VULKAN_SUBSTITUTE", "GetSemaphoreFdKHR")) return VkResult(fault);
  *fd = exportTimeline(info->semaphore);
  return *fd < 0 ? VK_ERROR_TOO_MANY_OBJECTS : VK_SUCCESS;
}

VkResult VKAPI_CALL waitSemaphores(VkDevice device, const VkSemaphoreWaitInfo* info, uint64_t timeout) {
  const bool lost = isLost(device);
  const VkResult result = FW_NEXT(device, WaitSemaphoresKHR)(device, info, lost ? 0 : timeout);
  return result == VK_TIMEOUT && (lost || isLost(device)) ? VK_ERROR_DEVICE_LOST : result;
}

VkResult VKAPI_CALL signalSemaphore(VkDevice device, const VkSemaphoreSignalInfo* info) {
  if (const int fault = faultIn("VULKAN_SUBSTITUTE", "SignalSemaphoreKHR")) return VkResult(fault);
  promiseTimeline(info->semaphore, info->value);
  return FW_NEXT(device, SignalSemaphoreKHR)(device, info);
}

VkResult VKAPI_CALL queueSubmit(VkQueue queue, uint32_t count, const VkSubmitInfo* works, VkFence fence) {
  if (const int fault = faultIn("VULKAN_SUBSTITUTE", "QueueSubmit")) return VkResult(fault);
  const auto device = static_cast<VkDevice>(objectOf(keyOf(queue)));
  if (isLost(device)) return VK_ERROR_DEVICE_LOST;
  for (uint32_t i = 0; i < count; ++i) checkTimelines(works[i]);
  if (faultIn("VULKAN_SUBSTITUTE", "Lost") != 0) {
    std::lock_guard lock(losing);
    lostFences[device].insert(fence);
    return VK_SUCCESS;
  }
  uint64_t value = 0;
  const VkSemaphore gate = gateOf(functionsOf(device), value);
  if (gate != VK_NULL_HANDLE && count == 1) return submitBehind(gate, value, queue, works[0], fence);
  return FW_NEXT(queue, QueueSubmit)(queue, count, works, fence);
}

// A lost device works on nothing any more, so the software device ends its work before it counts as lost.
VkResult VKAPI_CALL waitForFences(VkDevice device, uint32_t count, const VkFence* fences, VkBool32 all,
                                  uint64_t timeout) {
  openGate(device);
  {
    std::lock_guard lock(losing);
    const auto lost = lostFences.find(device);
    if (lost != lostFences.end() && count == 1 && lost->second.count(*fences) != 0)
      return VK_ERROR_DEVICE_LOST;
  }
  const VkResult result = FW_NEXT(device, WaitForFences)(device, count, fences, all, timeout);
  const int fault = faultIn("VULKAN_SUBSTITUTE", "WaitForFences");
  return fault != 0 ? VkResult(fault) : isLost(device) ? VK_ERROR_DEVICE_LOST : result;
}

VkResult VKAPI_CALL deviceWaitIdle(VkDevice device) {
  openGate(device);
  const VkResult result = FW_NEXT(device, DeviceWaitIdle)(device);
  return isLost(device) ? VK_ERROR_DEVICE_LOST : result;
}

void endSubmissions(VkDevice device) {
  openGate(device);
  removeTimelines(device);
  std::lock_guard lock(losing);
  lostFences.erase(device);
}

}  // namespace substitute
