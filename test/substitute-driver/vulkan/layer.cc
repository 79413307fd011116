#include "vulkan/layer.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

// A Vulkan layer that makes calls fail, and the software device look like a card.
//
// VULKAN_SUBSTITUTE has settings separated by commas:
//   discrete=1        software devices call themselves discrete cards
//   own-uuids=1       devices of one driver have different UUIDs, like several cards
//   dma-buf=1         memory is exported and imported as DMA-BUF, too, by the software device's own kind of
//                     descriptor; the device has render node 128 and the foreign queue family
//   timelines=1       timeline semaphores are exported; the substitute for CUDA imports their descriptors
//   withholds=1       see timelines.h
//   fault=CALL:N:S    see faults.h; CALL is a function without its prefix, such as QueueSubmit, or Lost, see
//                     queue.cc
namespace substitute {
namespace {

constexpr int64_t kRenderNode = 128;
constexpr const char* kAdded[] = {VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME,
                                  VK_EXT_QUEUE_FAMILY_FOREIGN_EXTENSION_NAME,
                                  VK_EXT_PHYSICAL_DEVICE_DRM_EXTENSION_NAME};

// The extensions that settings add.
std::vector<const char*> added() {
  std::vector<const char*> names;
  if (isOn("dma-buf")) names.assign(std::begin(kAdded), std::end(kAdded));
  if (isOn("timelines")) names.push_back(VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME);
  return names;
}

using Functions = std::map<std::string, PFN_vkVoidFunction>;

// This layer's functions by their names.
const Functions& ownFunctions();

// An instance or a device, with the next layer's functions in place of this layer's own. They are found when
// it is created: later the loader finds those of the first layer.
struct Object {
  void* handle = nullptr;
  Functions next;
};

std::mutex listing;
// By dispatch key, which all objects of an instance or device share.
std::map<void*, Object> objects;

template <class Handle, class Find>
void add(Handle handle, Find find) {
  Object object{handle, {}};
  for (const auto& [name, function] : ownFunctions()) object.next[name] = find(handle, name.c_str());
  std::lock_guard lock(listing);
  objects[keyOf(handle)] = std::move(object);
}

template <class Handle>
void remove(Handle handle) {
  std::lock_guard lock(listing);
  objects.erase(keyOf(handle));
}

// The link to the next layer in the chain of a create info.
template <class Link>
Link* linkIn(const void* chain, VkStructureType type) {
  for (auto* each = static_cast<const VkBaseInStructure*>(chain); each != nullptr; each = each->pNext) {
    auto* const link = reinterpret_cast<Link*>(const_cast<VkBaseInStructure*>(each));
    if (each->sType == type && link->function == VK_LAYER_LINK_INFO) return link;
  }
  return nullptr;
}

VkResult VKAPI_CALL createInstance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks* allocator,
                                   VkInstance* instance) {
  auto* const link =
      linkIn<VkLayerInstanceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
  const PFN_vkGetInstanceProcAddr find = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  if (const int fault = faultIn("VULKAN_SUBSTITUTE", "CreateInstance")) return VkResult(fault);
  const auto create = reinterpret_cast<PFN_vkCreateInstance>(find(nullptr, "vkCreateInstance"));
  const VkResult result = create(info, allocator, instance);
  if (result != VK_SUCCESS) return result;
  add(*instance, find);
  return result;
}

void VKAPI_CALL destroyInstance(VkInstance instance, const VkAllocationCallbacks* allocator) {
  const auto destroy = FW_NEXT(instance, DestroyInstance);
  remove(instance);
  destroy(instance, allocator);
}

// The position of a device in the list of its instance.
int positionOf(VkPhysicalDevice physical) {
  const auto instance = static_cast<VkInstance>(objectOf(keyOf(physical)));
  VkPhysicalDevice all[16];
  uint32_t count = 16;
  FW_NEXT(instance, EnumeratePhysicalDevices)(instance, &count, all);
  return static_cast<int>(std::find(all, all + count, physical) - all);
}

void VKAPI_CALL properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties2* found) {
  FW_NEXT(physical, GetPhysicalDeviceProperties2)(physical, found);
  VkPhysicalDeviceType& type = found->properties.deviceType;
  if (isOn("discrete") && type == VK_PHYSICAL_DEVICE_TYPE_CPU) type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  auto* const id =
      findIn<VkPhysicalDeviceIDProperties>(found->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES);
  if (id != nullptr && isOn("own-uuids"))
    id->deviceUUID[VK_UUID_SIZE - 1] =
        static_cast<uint8_t>(id->deviceUUID[VK_UUID_SIZE - 1] ^ positionOf(physical));
  auto* const drm = findIn<VkPhysicalDeviceDrmPropertiesEXT>(
      found->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRM_PROPERTIES_EXT);
  if (drm == nullptr || !isOn("dma-buf")) return;
  drm->hasRender = VK_TRUE;
  drm->renderMinor = kRenderNode;
}

VkResult VKAPI_CALL extensions(VkPhysicalDevice physical, const char* layer, uint32_t* count,
                               VkExtensionProperties* list) {
  const auto next = FW_NEXT(physical, EnumerateDeviceExtensionProperties);
  const std::vector<const char*> names = added();
  if (layer != nullptr || names.empty()) return next(physical, layer, count, list);
  uint32_t own = 0;
  next(physical, nullptr, &own, nullptr);
  std::vector<VkExtensionProperties> all(own);
  next(physical, nullptr, &own, all.data());
  for (const char* const name : names) {
    VkExtensionProperties& added = all.emplace_back();
    std::strcpy(added.extensionName, name);
    added.specVersion = 1;
  }
  if (list == nullptr) {
    *count = static_cast<uint32_t>(all.size());
    return VK_SUCCESS;
  }
  const bool isWhole = *count >= all.size();
  *count = isWhole ? static_cast<uint32_t>(all.size()) : *count;
  std::copy_n(all.begin(), *count, list);
  return isWhole ? VK_SUCCESS : VK_INCOMPLETE;
}

// DMA-BUF handles become the software device's own.
template <class Flags>
Flags ownHandles(Flags types) {
  return Flags((types & ~VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT) |
               ((types & VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT) != 0
                    ? VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT
                    : 0));
}

void VKAPI_CALL externalBuffers(VkPhysicalDevice physical, const VkPhysicalDeviceExternalBufferInfo* info,
                                VkExternalBufferProperties* found) {
  VkPhysicalDeviceExternalBufferInfo own = *info;
  if (isOn("dma-buf")) own.handleType = ownHandles(own.handleType);
  FW_NEXT(physical, GetPhysicalDeviceExternalBufferProperties)(physical, &own, found);
}

VkResult VKAPI_CALL createDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                 const VkAllocationCallbacks* allocator, VkDevice* device) {
  auto* const link =
      linkIn<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
  const PFN_vkGetDeviceProcAddr find = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  const PFN_vkGetInstanceProcAddr findInstance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  if (const int fault = faultIn("VULKAN_SUBSTITUTE", "CreateDevice")) return VkResult(fault);
  const std::vector<const char*> names = added();
  std::vector<const char*> own;
  for (uint32_t i = 0; i < info->enabledExtensionCount; ++i) {
    const std::string name = info->ppEnabledExtensionNames[i];
    if (std::find(names.begin(), names.end(), name) == names.end())
      own.push_back(info->ppEnabledExtensionNames[i]);
  }
  VkDeviceCreateInfo changed = *info;
  changed.enabledExtensionCount = static_cast<uint32_t>(own.size());
  changed.ppEnabledExtensionNames = own.data();
  const auto instance = static_cast<VkInstance>(objectOf(keyOf(physical)));
  const auto create = reinterpret_cast<PFN_vkCreateDevice>(findInstance(instance, "vkCreateDevice"));
  const VkResult result = create(physical, &changed, allocator, device);
  if (result != VK_SUCCESS) return result;
  add(*device, find);
  return result;
}

void VKAPI_CALL destroyDevice(VkDevice device, const VkAllocationCallbacks* allocator) {
  const auto destroy = FW_NEXT(device, DestroyDevice);
  endSubmissions(device);
  remove(device);
  destroy(device, allocator);
}

VkResult VKAPI_CALL allocateMemory(VkDevice device, const VkMemoryAllocateInfo* info,
                                   const VkAllocationCallbacks* allocator, VkDeviceMemory* memory) {
  if (const int fault = faultIn("VULKAN_SUBSTITUTE", "AllocateMemory")) return VkResult(fault);
  auto* const exported =
      findIn<VkExportMemoryAllocateInfo>(info->pNext, VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO);
  if (exported != nullptr) exported->handleTypes = ownHandles(exported->handleTypes);
  auto* const imported = findIn<VkImportMemoryFdInfoKHR>(const_cast<void*>(info->pNext),
                                                         VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR);
  if (imported != nullptr) {
    if (const int fault = faultIn("VULKAN_SUBSTITUTE", "ImportMemory")) return VkResult(fault);
    imported->handleType = ownHandles(imported->handleType);
  }
  return FW_NEXT(device, AllocateMemory)(device, info, allocator, memory);
}

VkResult VKAPI_CALL createBuffer(VkDevice device, const VkBufferCreateInfo* info,
                                 const VkAllocationCallbacks* allocator, VkBuffer* buffer) {
  if (const int fault = faultIn("VULKAN_SUBSTITUTE", "CreateBuffer")) return VkResult(fault);
  auto* const external = findIn<VkExternalMemoryBufferCreateInfo>(
      info->pNext, VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO);
  if (external != nullptr) external->handleTypes = ownHandles(external->handleTypes);
  return FW_NEXT(device, CreateBuffer)(device, info, allocator, buffer);
}

VkResult VKAPI_CALL memoryFd(VkDevice device, const VkMemoryGetFdInfoKHR* info, int* fd) {
  if (const int fault = faultIn("VULKAN_SUBSTITUTE", "GetMemoryFdKHR")) return VkResult(fault);
  VkMemoryGetFdInfoKHR own = *info;
  own.handleType = ownHandles(own.handleType);
  return FW_NEXT(device, GetMemoryFdKHR)(device, &own, fd);
}

// The software device's memory is of any kind.
VkResult VKAPI_CALL memoryFdProperties(VkDevice, VkExternalMemoryHandleTypeFlagBits, int,
                                       VkMemoryFdPropertiesKHR* found) {
  if (const int fault = faultIn("VULKAN_SUBSTITUTE", "GetMemoryFdPropertiesKHR")) return VkResult(fault);
  found->memoryTypeBits = ~0u;
  return VK_SUCCESS;
}

// The software device has no foreign queue family.
void VKAPI_CALL barrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkPipelineStageFlags to,
                        VkDependencyFlags flags, uint32_t memoryCount, const VkMemoryBarrier* memories,
                        uint32_t bufferCount, const VkBufferMemoryBarrier* buffers, uint32_t imageCount,
                        const VkImageMemoryBarrier* images) {
  std::vector<VkBufferMemoryBarrier> own(buffers, buffers + bufferCount);
  for (VkBufferMemoryBarrier& each : own)
    for (uint32_t* const family : {&each.srcQueueFamilyIndex, &each.dstQueueFamilyIndex})
      if (*family == VK_QUEUE_FAMILY_FOREIGN_EXT) *family = VK_QUEUE_FAMILY_EXTERNAL;
  FW_NEXT(commands, CmdPipelineBarrier)
  (commands, from, to, flags, memoryCount, memories, bufferCount, own.data(), imageCount, images);
}

template <size_t kSize>
struct Name {
  char text[kSize]{};
  constexpr Name(const char (&from)[kSize]) { std::copy_n(from, kSize, text); }
};

// A function that a test can make fail, and that otherwise is the next one.
template <Name kName, class Function>
struct Faulty;
template <Name kName, class First, class... Others>
struct Faulty<kName, VkResult(VKAPI_PTR*)(First, Others...)> {
  static VkResult VKAPI_CALL call(First first, Others... others) {
    if (const int fault = faultIn("VULKAN_SUBSTITUTE", kName.text + 2)) return VkResult(fault);
    return nextOf<VkResult(VKAPI_PTR*)(First, Others...)>(first, kName.text)(first, others...);
  }
};

#define FW_OWN(name, function) \
  { "vk" #name, reinterpret_cast<PFN_vkVoidFunction>(static_cast<PFN_vk##name>(function)) }
#define FW_FAULTY(name) \
  { "vk" #name, reinterpret_cast<PFN_vkVoidFunction>(&Faulty<"vk" #name, PFN_vk##name>::call) }

PFN_vkVoidFunction VKAPI_CALL instanceFunction(VkInstance instance, const char* name);
PFN_vkVoidFunction VKAPI_CALL deviceFunction(VkDevice device, const char* name);

const Functions& ownFunctions() {
  static const Functions own{FW_OWN(GetInstanceProcAddr, instanceFunction),
                             FW_OWN(GetDeviceProcAddr, deviceFunction),
                             FW_OWN(CreateInstance, createInstance),
                             FW_OWN(DestroyInstance, destroyInstance),
                             FW_OWN(GetPhysicalDeviceProperties2, properties),
                             FW_OWN(EnumerateDeviceExtensionProperties, extensions),
                             FW_OWN(GetPhysicalDeviceExternalBufferProperties, externalBuffers),
                             FW_OWN(CreateDevice, createDevice),
                             FW_OWN(DestroyDevice, destroyDevice),
                             FW_OWN(AllocateMemory, allocateMemory),
                             FW_OWN(CreateBuffer, createBuffer),
                             FW_OWN(GetMemoryFdKHR, memoryFd),
                             FW_OWN(GetMemoryFdPropertiesKHR, memoryFdProperties),
                             FW_OWN(CmdPipelineBarrier, barrier),
                             FW_FAULTY(EnumeratePhysicalDevices),
                             FW_OWN(QueueSubmit, queueSubmit),
                             FW_OWN(DeviceWaitIdle, deviceWaitIdle),
                             FW_OWN(GetPhysicalDeviceExternalSemaphoreProperties, externalSemaphores),
                             FW_OWN(CreateSemaphore, createSemaphore),
                             FW_OWN(DestroySemaphore, destroySemaphore),
                             FW_OWN(WaitSemaphoresKHR, waitSemaphores),
                             FW_OWN(SignalSemaphoreKHR, signalSemaphore),
                             FW_OWN(GetSemaphoreFdKHR, semaphoreFd),
                             FW_OWN(WaitForFences, waitForFences),
                             FW_FAULTY(ResetFences),
                             FW_FAULTY(CreateFence),
                             FW_FAULTY(CreateCommandPool),
                             FW_FAULTY(ResetCommandPool),
                             FW_FAULTY(AllocateCommandBuffers),
                             FW_FAULTY(BeginCommandBuffer),
                             FW_FAULTY(EndCommandBuffer),
                             FW_FAULTY(CreateShaderModule),
                             FW_FAULTY(CreateComputePipelines),
                             FW_FAULTY(CreateDescriptorSetLayout),
                             FW_FAULTY(CreatePipelineLayout),
                             FW_FAULTY(CreateDescriptorPool),
                             FW_FAULTY(ResetDescriptorPool),
                             FW_FAULTY(AllocateDescriptorSets),
                             FW_FAULTY(CreateQueryPool),
                             FW_FAULTY(GetQueryPoolResults),
                             FW_FAULTY(BindBufferMemory),
                             FW_FAULTY(MapMemory),
                             FW_FAULTY(FlushMappedMemoryRanges),
                             FW_FAULTY(InvalidateMappedMemoryRanges)};
  return own;
}

PFN_vkVoidFunction find(const char* name) {
  const auto found = ownFunctions().find(name);
  return found == ownFunctions().end() ? nullptr : found->second;
}

PFN_vkVoidFunction VKAPI_CALL instanceFunction(VkInstance instance, const char* name) {
  if (const PFN_vkVoidFunction own = find(name)) return own;
  return instance == VK_NULL_HANDLE ? nullptr : FW_NEXT(instance, GetInstanceProcAddr)(instance, name);
}

PFN_vkVoidFunction VKAPI_CALL deviceFunction(VkDevice device, const char* name) {
  const PFN_vkVoidFunction own = find(name);
  const PFN_vkVoidFunction next = FW_NEXT(device, GetDeviceProcAddr)(device, name);
  // The software device has no function of this name.
  if (isOn("timelines") && std::strcmp(name, "vkGetSemaphoreFdKHR") == 0) return own;
  return next == nullptr || own == nullptr ? next : own;
}

}  // namespace

PFN_vkVoidFunction nextFunction(void* key, const char* name) {
  std::lock_guard lock(listing);
  return objects.at(key).next.at(name);
}

void* objectOf(void* key) {
  std::lock_guard lock(listing);
  return objects.at(key).handle;
}

}  // namespace substitute

extern "C" VkResult VKAPI_CALL vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* versions) {
  versions->loaderLayerInterfaceVersion = 2;
  versions->pfnGetInstanceProcAddr = substitute::instanceFunction;
  versions->pfnGetDeviceProcAddr = substitute::deviceFunction;
  versions->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}
