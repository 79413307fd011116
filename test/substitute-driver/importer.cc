#include "importer.h"

#include <cstring>

namespace substitute {

Importer& Importer::ofProcess() {
  static auto* const opened = new Importer;
  return *opened;
}

Importer::Importer() {
  const VkApplicationInfo application{
      VK_STRUCTURE_TYPE_APPLICATION_INFO, nullptr, "substitute", 0, nullptr, 0, VK_API_VERSION_1_1};
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;
  if (vkCreateInstance(&info, nullptr, &instance) != VK_SUCCESS) return;
  uint32_t count = 8;
  VkPhysicalDevice all[8];
  vkEnumeratePhysicalDevices(instance, &count, all);
  for (uint32_t i = 0; i < count && device == VK_NULL_HANDLE; ++i) open(all[i]);
}

void Importer::open(VkPhysicalDevice physical) {
  VkPhysicalDeviceIDProperties id{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &id};
  vkGetPhysicalDeviceProperties2(physical, &properties);
  // The substitute layer may call it a card.
  if (std::strncmp(properties.properties.deviceName, "llvmpipe", 8) != 0) return;
  std::memcpy(uuid, id.deviceUUID, sizeof uuid);
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(physical, &memory);
  while (memoryType + 1 < memory.memoryTypeCount &&
         !(memory.memoryTypes[memoryType].propertyFlags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT))
    ++memoryType;
  const float priority = 1;
  const VkDeviceQueueCreateInfo queue{
      VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, nullptr, 0, 0, 1, &priority};
  const char* const extensions[] = {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME};
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = 1;
  info.ppEnabledExtensionNames = extensions;
  if (vkCreateDevice(physical, &info, nullptr, &device) != VK_SUCCESS) device = VK_NULL_HANDLE;
}

VkDeviceMemory Importer::allocate(uint64_t bytes) const {
  VkExportMemoryAllocateInfo exported{VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO};
  exported.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  const VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &exported, bytes, memoryType};
  VkDeviceMemory memory = VK_NULL_HANDLE;
  return vkAllocateMemory(device, &info, nullptr, &memory) == VK_SUCCESS ? memory : VK_NULL_HANDLE;
}

int Importer::exportFd(VkDeviceMemory memory) const {
  const auto find = reinterpret_cast<PFN_vkGetMemoryFdKHR>(vkGetDeviceProcAddr(device, "vkGetMemoryFdKHR"));
  VkMemoryGetFdInfoKHR info{VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR};
  info.memory = memory;
  info.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  int fd = -1;
  return find != nullptr && find(device, &info, &fd) == VK_SUCCESS ? fd : -1;
}

VkDeviceMemory Importer::import(int fd, uint64_t bytes) const {
  VkImportMemoryFdInfoKHR import{VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR};
  import.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  import.fd = fd;
  const VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &import, bytes, memoryType};
  VkDeviceMemory memory = VK_NULL_HANDLE;
  return vkAllocateMemory(device, &info, nullptr, &memory) == VK_SUCCESS ? memory : VK_NULL_HANDLE;
}

uint8_t* Importer::map(VkDeviceMemory memory, uint64_t offset, uint64_t bytes) const {
  void* mapped = nullptr;
  return vkMapMemory(device, memory, offset, bytes, 0, &mapped) == VK_SUCCESS ? static_cast<uint8_t*>(mapped)
                                                                              : nullptr;
}

}  // namespace substitute
