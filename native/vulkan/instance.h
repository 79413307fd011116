#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/device_memory.h"
#include "core/result.h"
#include "devices/device_registry.h"
#include "vulkan/functions.h"

namespace framewright::vulkan {

enum class DeviceType { kDiscrete, kIntegrated, kVirtual, kCpu, kOther };
const char* deviceTypeName(DeviceType type);

struct DeviceProperties {
  std::string name;
  DeviceType type = DeviceType::kOther;
  uint32_t apiVersion = 0;
  uint32_t driverVersion = 0;
  uint64_t deviceMemory = 0;  // size of the largest device-local heap
  std::string missing;        // missing feature that composing requires; empty: usable
  DeviceIdentity identity;
};

struct InstanceOptions {
  // Enables the Khronos validation layer with synchronisation checks; `onMessage` receives its messages on
  // the calling thread.
  bool validate = false;
  std::function<void(const std::string& text)> onMessage;
};

// A loaded Vulkan loader with an instance. Immutable; any thread.
class Instance {
 public:
  // Fails with GPU_FAILED without a loader, a driver, or a requested validation layer.
  static Result<std::shared_ptr<const Instance>> open(InstanceOptions options = {});
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  const std::vector<DeviceProperties>& devices() const { return devices_; }
  VkPhysicalDevice physical(size_t device) const { return physicals_[device]; }
  const InstanceFunctions& functions() const { return functions_; }

 private:
  Instance() = default;
  Status create(InstanceOptions options);
  Status listDevices();
  void removeDuplicates();
  DeviceIdentity identityOf(size_t index) const;

  void* library_ = nullptr;
  PFN_vkGetInstanceProcAddr getInstanceProcAddr_ = nullptr;
  VkInstance instance_ = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  InstanceFunctions functions_;
  std::function<void(const std::string&)> onMessage_;
  std::vector<VkPhysicalDevice> physicals_;
  std::vector<DeviceProperties> devices_;
};

std::vector<VkExtensionProperties> extensionsOf(const InstanceFunctions& vk, VkPhysicalDevice physical);
bool offers(const std::vector<VkExtensionProperties>& extensions, const char* name);

// Minimum number of storage buffers per shader stage.
inline constexpr uint32_t kStorageBuffers = 18;

}  // namespace framewright::vulkan
