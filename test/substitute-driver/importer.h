#pragma once

#include <cstdint>

#include <vulkan/vulkan.h>

namespace substitute {

// The software Vulkan device, as a driver's own way to memory that it allocated for another interface.
struct Importer {
  // Opened once per process.
  static Importer& ofProcess();

  // Memory that exportFd() hands out; null: there is not enough.
  VkDeviceMemory allocate(uint64_t bytes) const;
  // A new descriptor of allocated memory, or -1.
  int exportFd(VkDeviceMemory memory) const;
  // Imports memory by its descriptor, which belongs to the driver after success. Null: it cannot be imported.
  VkDeviceMemory import(int fd, uint64_t bytes) const;
  uint8_t* map(VkDeviceMemory memory, uint64_t offset, uint64_t bytes) const;
  void free(VkDeviceMemory memory) const { vkFreeMemory(device, memory, nullptr); }

  VkInstance instance = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  uint8_t uuid[VK_UUID_SIZE]{};
  uint32_t memoryType = 0;

 private:
  Importer();
  void open(VkPhysicalDevice physical);
};

}  // namespace substitute
