#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/device_memory.h"
#include "core/result.h"
#include "vulkan/functions.h"

namespace framewright::vulkan {

enum class DeviceType { kDiscrete, kIntegrated, kVirtual, kCpu, kOther };
const char* deviceTypeName(DeviceType type);

struct DeviceProperties {
  std::string name;
  DeviceType type = DeviceType::kOther;
  uint32_t apiVersion = 0;
  uint32_t driverVersion = 0;
  uint64_t deviceMemory = 0;  // bytes of the largest device-local heap
  std::string missing;        // what composing needs and the device has not; empty: it can
  DeviceIdentity identity;
};

struct InstanceOptions {
  // Turns the Khronos layer on with synchronisation checks; every message of it goes to `onMessage`, from
  // whichever thread calls Vulkan.
  bool validate = false;
  std::function<void(const std::string& text)> onMessage;
};

// An opened loader with its instance. Immutable; any thread.
class Instance {
 public:
  // Fails with GPU_FAILED where there is no loader, no driver, or no validation layer that was asked for.
  static Result<std::shared_ptr<const Instance>> open(InstanceOptions options = {});
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  const std::vector<DeviceProperties>& devices() const { return facts_; }
  VkPhysicalDevice physical(size_t device) const { return physicals_[device]; }
  const InstanceFunctions& functions() const { return functions_; }

 private:
  Instance() = default;
  Status create(InstanceOptions options);
  Status listDevices();
  int renderNodeOf(VkPhysicalDevice physical) const;

  void* library_ = nullptr;
  PFN_vkGetInstanceProcAddr getInstanceProcAddr_ = nullptr;
  VkInstance instance_ = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  InstanceFunctions functions_;
  std::function<void(const std::string&)> onMessage_;
  std::vector<VkPhysicalDevice> physicals_;
  std::vector<DeviceProperties> facts_;
};

std::vector<VkExtensionProperties> extensionsOf(const InstanceFunctions& vk, VkPhysicalDevice physical);
bool offers(const std::vector<VkExtensionProperties>& extensions, const char* name);

// Whether the kernel shows a graphics device at all. Loading every driver only to find none takes a while.
bool hostHasGraphicsDevice();

// Storage buffers that one stage of a device must be able to see at once.
inline constexpr uint32_t kStorageBuffers = 18;

}  // namespace framewright::vulkan
