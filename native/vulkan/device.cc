#include "vulkan/device.h"

#include <vector>

#include "vulkan/failure.h"

namespace framewright::vulkan {
namespace {

constexpr const char* kTimelineExtensions[] = {VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME,
                                               VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME};

// Picks a compute queue family, preferably one without graphics: it runs beside other drawing.
int chooseFamily(const std::vector<VkQueueFamilyProperties>& families) {
  int found = -1;
  for (size_t i = 0; i < families.size(); ++i) {
    if ((families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0) continue;
    const bool alone = (families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT) == 0;
    if (found < 0 || alone) found = static_cast<int>(i);
    if (alone) break;
  }
  return found;
}

}  // namespace

Result<std::shared_ptr<Device>> Device::create(std::shared_ptr<const Instance> instance, size_t index) {
  auto device = std::shared_ptr<Device>(new Device());
  device->instance_ = std::move(instance);
  FW_RETURN_IF_ERROR(device->open(index));
  FW_RETURN_IF_ERROR(device->createLayouts());
  return device;
}

Status Device::open(size_t index) {
  const InstanceFunctions& vk = instance_->functions();
  physical_ = instance_->physical(index);
  properties_ = instance_->devices()[index];
  if (!properties_.missing.empty())
    return Error{ErrorCode::GPU_FAILED, properties_.name + " cannot compose: " + properties_.missing + ".",
                 ""};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  vk.GetPhysicalDeviceProperties2(physical_, &properties);
  limits_ = properties.properties.limits;
  VkPhysicalDeviceMemoryProperties2 memory{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2};
  vk.GetPhysicalDeviceMemoryProperties2(physical_, &memory);
  memory_ = memory.memoryProperties;

  uint32_t count = 0;
  vk.GetPhysicalDeviceQueueFamilyProperties(physical_, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vk.GetPhysicalDeviceQueueFamilyProperties(physical_, &count, families.data());
  const int family = chooseFamily(families);
  if (family < 0) return Error{ErrorCode::GPU_FAILED, properties_.name + " cannot compute.", ""};
  queueFamily_ = static_cast<uint32_t>(family);
  timestamps_ = families[queueFamily_].timestampValidBits > 0 && limits_.timestampPeriod > 0;

  const std::vector<VkExtensionProperties> offered = extensionsOf(vk, physical_);
  std::vector<const char*> extensions;
  tellsBudget_ = offers(offered, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
  if (tellsBudget_) extensions.push_back(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
  const bool exports = offers(offered, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME);
  if (exports) {
    extensions.push_back(VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME);
    const auto addPlace = [&](FramePlace place) {
      const VkExternalMemoryFeatureFlags features = sharingOf(place);
      if ((features & VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT) != 0) exported_ |= handleTypeOf(place);
      if ((features & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT) != 0) imported_ |= handleTypeOf(place);
    };
    addPlace(FramePlace::kOpaque);
    const bool hasDmaBufs = offers(offered, VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME);
    if (hasDmaBufs) addPlace(FramePlace::kDmaBuf);
    if (((exported_ | imported_) & handleTypeOf(FramePlace::kDmaBuf)) != 0) {
      extensions.push_back(VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME);
      hasForeignFamily_ = offers(offered, VK_EXT_QUEUE_FAMILY_FOREIGN_EXTENSION_NAME);
      if (hasForeignFamily_) extensions.push_back(VK_EXT_QUEUE_FAMILY_FOREIGN_EXTENSION_NAME);
    }
  }

  const bool exportsTimelines = canExportTimelines(offered);
  if (exportsTimelines) {
    for (const char* const name : kTimelineExtensions) extensions.push_back(name);
  }

  const float priority = 1;
  VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue.queueFamilyIndex = queueFamily_;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkPhysicalDeviceFeatures features{};
  features.shaderStorageBufferArrayDynamicIndexing = VK_TRUE;
  VkPhysicalDeviceTimelineSemaphoreFeatures timelines{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES, nullptr, VK_TRUE};
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  if (exportsTimelines) info.pNext = &timelines;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  info.pEnabledFeatures = &features;
  FW_VK_RETURN_IF_ERROR("vkCreateDevice", vk.CreateDevice(physical_, &info, nullptr, &device_));
#define FRAMEWRIGHT_VK_LOAD(name)                                                              \
  functions_.name = reinterpret_cast<PFN_vk##name>(vk.GetDeviceProcAddr(device_, "vk" #name)); \
  if (functions_.name == nullptr)                                                              \
    return Error{ErrorCode::GPU_FAILED, "The Vulkan driver is incomplete.", "no vk" #name};
  FRAMEWRIGHT_VK_DEVICE(FRAMEWRIGHT_VK_LOAD)
#undef FRAMEWRIGHT_VK_LOAD
  if (exports) {
    functions_.GetMemoryFdKHR =
        reinterpret_cast<PFN_vkGetMemoryFdKHR>(vk.GetDeviceProcAddr(device_, "vkGetMemoryFdKHR"));
    functions_.GetMemoryFdPropertiesKHR = reinterpret_cast<PFN_vkGetMemoryFdPropertiesKHR>(
        vk.GetDeviceProcAddr(device_, "vkGetMemoryFdPropertiesKHR"));
  }
  if (exportsTimelines) loadTimelines();
  functions_.GetDeviceQueue(device_, queueFamily_, 0, &queue_);
  return {};
}

// How the driver can share a storage buffer's memory this way.
VkExternalMemoryFeatureFlags Device::sharingOf(FramePlace place) const {
  VkPhysicalDeviceExternalBufferInfo wanted{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO};
  wanted.usage = kBufferUsage;
  wanted.handleType = handleTypeOf(place);
  VkExternalBufferProperties found{VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
  instance_->functions().GetPhysicalDeviceExternalBufferProperties(physical_, &wanted, &found);
  return found.externalMemoryProperties.externalMemoryFeatures;
}

// Whether other APIs can wait for and signal this device's timeline semaphores.
bool Device::canExportTimelines(const std::vector<VkExtensionProperties>& offered) const {
  for (const char* const name : kTimelineExtensions) {
    if (!offers(offered, name)) return false;
  }
  const InstanceFunctions& vk = instance_->functions();
  VkPhysicalDeviceTimelineSemaphoreFeatures timelines{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES};
  VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &timelines};
  vk.GetPhysicalDeviceFeatures2(physical_, &features);
  const VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, nullptr,
                                       VK_SEMAPHORE_TYPE_TIMELINE, 0};
  VkPhysicalDeviceExternalSemaphoreInfo wanted{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO,
                                               &type};
  wanted.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
  VkExternalSemaphoreProperties found{VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES};
  vk.GetPhysicalDeviceExternalSemaphoreProperties(physical_, &wanted, &found);
  return timelines.timelineSemaphore == VK_TRUE &&
         (found.externalSemaphoreFeatures & VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT) != 0;
}

// All of the functions or none.
void Device::loadTimelines() {
  const auto find = [this](const char* name) {
    return instance_->functions().GetDeviceProcAddr(device_, name);
  };
  functions_.WaitSemaphoresKHR = reinterpret_cast<PFN_vkWaitSemaphoresKHR>(find("vkWaitSemaphoresKHR"));
  functions_.SignalSemaphoreKHR = reinterpret_cast<PFN_vkSignalSemaphoreKHR>(find("vkSignalSemaphoreKHR"));
  if (functions_.WaitSemaphoresKHR == nullptr || functions_.SignalSemaphoreKHR == nullptr) return;
  functions_.GetSemaphoreFdKHR = reinterpret_cast<PFN_vkGetSemaphoreFdKHR>(find("vkGetSemaphoreFdKHR"));
}

Status Device::createLayouts() {
  VkDescriptorSetLayoutBinding bindings[3]{};
  for (uint32_t i = 0; i < 3; ++i) {
    bindings[i] = {i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, i < 2 ? 1 : kSources, VK_SHADER_STAGE_COMPUTE_BIT,
                   nullptr};
  }
  VkDescriptorSetLayoutCreateInfo set{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  set.bindingCount = 3;
  set.pBindings = bindings;
  FW_VK_RETURN_IF_ERROR("vkCreateDescriptorSetLayout",
                        functions_.CreateDescriptorSetLayout(device_, &set, nullptr, &setLayout_));
  const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, kPushBytes};
  VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout.setLayoutCount = 1;
  layout.pSetLayouts = &setLayout_;
  layout.pushConstantRangeCount = 1;
  layout.pPushConstantRanges = &push;
  FW_VK_RETURN_IF_ERROR("vkCreatePipelineLayout",
                        functions_.CreatePipelineLayout(device_, &layout, nullptr, &pipelineLayout_));
  return {};
}

Device::~Device() {
  if (device_ == VK_NULL_HANDLE || functions_.DestroyDevice == nullptr) return;
  functions_.DeviceWaitIdle(device_);
  if (pipelineLayout_ != VK_NULL_HANDLE) functions_.DestroyPipelineLayout(device_, pipelineLayout_, nullptr);
  if (setLayout_ != VK_NULL_HANDLE) functions_.DestroyDescriptorSetLayout(device_, setLayout_, nullptr);
  functions_.DestroyDevice(device_, nullptr);
}

int Device::memoryType(uint32_t allowed, MemoryUse use) const {
  constexpr VkMemoryPropertyFlags kHost = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT,
                                  kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                                  kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  const VkMemoryPropertyFlags needed = use == MemoryUse::kDevice ? kLocal : kHost;
  const VkMemoryPropertyFlags wanted = use == MemoryUse::kReadback ? kHost | kCached : needed;
  for (const VkMemoryPropertyFlags flags : {wanted, needed}) {
    // Drivers list their preferred types first.
    for (uint32_t i = 0; i < memory_.memoryTypeCount; ++i) {
      if ((allowed >> i & 1) != 0 && (memory_.memoryTypes[i].propertyFlags & flags) == flags)
        return static_cast<int>(i);
    }
  }
  return -1;
}

bool Device::isCoherent(int type) const {
  return (memory_.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0;
}

bool Device::isCached(int type) const {
  return (memory_.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_HOST_CACHED_BIT) != 0;
}

uint64_t Device::memoryLeft() const {
  if (!tellsBudget_) return properties_.deviceMemory;
  VkPhysicalDeviceMemoryBudgetPropertiesEXT budget{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
  VkPhysicalDeviceMemoryProperties2 memory{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, &budget};
  instance_->functions().GetPhysicalDeviceMemoryProperties2(physical_, &memory);
  uint64_t max = 0;
  for (uint32_t i = 0; i < memory_.memoryHeapCount; ++i) {
    if ((memory_.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) == 0) continue;
    const uint64_t left =
        budget.heapBudget[i] > budget.heapUsage[i] ? budget.heapBudget[i] - budget.heapUsage[i] : 0;
    max = left > max ? left : max;
  }
  return max;
}

Status Device::submit(const VkSubmitInfo& work, VkFence fence) {
  std::lock_guard lock(submitting_);
  FW_VK_RETURN_IF_ERROR("vkQueueSubmit", noted(functions_.QueueSubmit(queue_, 1, &work, fence)));
  return {};
}

Status Device::wait(VkFence fence) {
  constexpr uint64_t kForever = ~uint64_t{0};
  FW_VK_RETURN_IF_ERROR("vkWaitForFences",
                        noted(functions_.WaitForFences(device_, 1, &fence, VK_TRUE, kForever)));
  return {};
}

Result<bool> Device::wait(VkSemaphore semaphore, uint64_t value, uint64_t nanoseconds) {
  VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
  info.semaphoreCount = 1;
  info.pSemaphores = &semaphore;
  info.pValues = &value;
  const VkResult result = noted(functions_.WaitSemaphoresKHR(device_, &info, nanoseconds));
  FW_VK_RETURN_IF_ERROR("vkWaitSemaphoresKHR", result);
  return result == VK_SUCCESS;
}

VkResult Device::noted(VkResult result) {
  if (result == VK_ERROR_DEVICE_LOST) lost_.store(true, std::memory_order_relaxed);
  return result;
}

void Device::waitIdle() {
  std::lock_guard lock(submitting_);
  functions_.DeviceWaitIdle(device_);
}

}  // namespace framewright::vulkan
