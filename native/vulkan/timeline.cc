#include "vulkan/timeline.h"

#include "vulkan/failure.h"

namespace framewright::vulkan {

Result<std::shared_ptr<Timeline>> Timeline::create(std::shared_ptr<Device> device) {
  if (!device->exports(FramePlace::kOpaqueTimeline))
    return Error{ErrorCode::GPU_FAILED, "The graphics device does not export timeline semaphores.", ""};
  auto timeline = std::shared_ptr<Timeline>(new Timeline(std::move(device)));
  const VkExportSemaphoreCreateInfo exported{VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO, nullptr,
                                             VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT};
  const VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, &exported,
                                       VK_SEMAPHORE_TYPE_TIMELINE, 0};
  const VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
  const Device& own = *timeline->device_;
  FW_VK_RETURN_IF_ERROR("vkCreateSemaphore",
                        own.functions().CreateSemaphore(own.handle(), &info, nullptr, &timeline->semaphore_));
  return timeline;
}

Timeline::~Timeline() {
  if (semaphore_ != VK_NULL_HANDLE)
    device_->functions().DestroySemaphore(device_->handle(), semaphore_, nullptr);
}

Result<int> Timeline::exportFd() const {
  VkSemaphoreGetFdInfoKHR info{VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR};
  info.semaphore = semaphore_;
  info.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
  int fd = -1;
  FW_VK_RETURN_IF_ERROR("vkGetSemaphoreFdKHR",
                        device_->functions().GetSemaphoreFdKHR(device_->handle(), &info, &fd));
  return fd;
}

void Timeline::signalByHost(uint64_t value) const {
  const Result<bool> isReached = wait(value, 0);
  if (isReached.ok() && isReached.value()) return;
  VkSemaphoreSignalInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
  info.semaphore = semaphore_;
  info.value = value;
  device_->functions().SignalSemaphoreKHR(device_->handle(), &info);
}

}  // namespace framewright::vulkan
