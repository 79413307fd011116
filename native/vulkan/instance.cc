#include "vulkan/instance.h"

#include <algorithm>
#include <cstring>
#include <set>

#include <dlfcn.h>

#include "vulkan/failure.h"

namespace framewright::vulkan {
namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";
constexpr uint32_t kMinVersion = VK_API_VERSION_1_1;

Error unavailable(const std::string& message, const std::string& detail = "") {
  return {ErrorCode::GPU_FAILED, message, detail};
}

VKAPI_ATTR VkBool32 VKAPI_CALL forwardMessage(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                              VkDebugUtilsMessageTypeFlagsEXT,
                                              const VkDebugUtilsMessengerCallbackDataEXT* message,
                                              void* user) {
  const auto* onMessage = static_cast<const std::function<void(const std::string&)>*>(user);
  if (*onMessage) (*onMessage)(message->pMessage);
  return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messengerInfo(const std::function<void(const std::string&)>* onMessage) {
  VkDebugUtilsMessengerCreateInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  info.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  info.pfnUserCallback = forwardMessage;
  info.pUserData = const_cast<std::function<void(const std::string&)>*>(onMessage);
  return info;
}

DeviceType typeOf(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return DeviceType::kDiscrete;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return DeviceType::kIntegrated;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return DeviceType::kVirtual;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return DeviceType::kCpu;
    default:
      return DeviceType::kOther;
  }
}

std::string missingFrom(const VkPhysicalDeviceProperties& properties,
                        const VkPhysicalDeviceFeatures& features) {
  if (properties.apiVersion < kMinVersion) return "it does not offer Vulkan 1.1";
  if (features.shaderStorageBufferArrayDynamicIndexing == VK_FALSE)
    return "it cannot index arrays of storage buffers";
  if (properties.limits.maxPerStageDescriptorStorageBuffers < kStorageBuffers)
    return "it offers a shader fewer than " + std::to_string(kStorageBuffers) + " storage buffers";
  return "";
}

}  // namespace

std::vector<VkExtensionProperties> extensionsOf(const InstanceFunctions& vk, VkPhysicalDevice physical) {
  uint32_t count = 0;
  vk.EnumerateDeviceExtensionProperties(physical, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> offered(count);
  vk.EnumerateDeviceExtensionProperties(physical, nullptr, &count, offered.data());
  return offered;
}

bool offers(const std::vector<VkExtensionProperties>& extensions, const char* name) {
  for (const VkExtensionProperties& extension : extensions) {
    if (std::strcmp(extension.extensionName, name) == 0) return true;
  }
  return false;
}

const char* deviceTypeName(DeviceType type) {
  const char* const names[] = {"discrete", "integrated", "virtual", "cpu", "other"};
  return names[static_cast<int>(type)];
}

Result<std::shared_ptr<const Instance>> Instance::open(InstanceOptions options) {
  auto instance = std::shared_ptr<Instance>(new Instance());
  FW_RETURN_IF_ERROR(instance->create(std::move(options)));
  FW_RETURN_IF_ERROR(instance->listDevices());
  return std::shared_ptr<const Instance>(std::move(instance));
}

Status Instance::create(InstanceOptions options) {
  library_ = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr)
    return unavailable("libvulkan.so.1 is not installed or may not be loaded.", dlerror());
  getInstanceProcAddr_ =
      reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library_, "vkGetInstanceProcAddr"));
  if (getInstanceProcAddr_ == nullptr) return unavailable("libvulkan.so.1 is not a Vulkan loader.");
  const auto createInstance =
      reinterpret_cast<PFN_vkCreateInstance>(getInstanceProcAddr_(nullptr, "vkCreateInstance"));
  // Vulkan 1.0 loaders do not have vkEnumerateInstanceVersion.
  if (createInstance == nullptr || getInstanceProcAddr_(nullptr, "vkEnumerateInstanceVersion") == nullptr)
    return unavailable("libvulkan.so.1 is older than Vulkan 1.1.");

  onMessage_ = std::move(options.onMessage);
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.pApplicationName = "framewright";
  application.apiVersion = VK_API_VERSION_1_2;
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;
  const VkValidationFeatureEnableEXT checks[] = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
  VkValidationFeaturesEXT validation{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
  validation.enabledValidationFeatureCount = 1;
  validation.pEnabledValidationFeatures = checks;
  VkDebugUtilsMessengerCreateInfoEXT messenger = messengerInfo(&onMessage_);
  const char* const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
  if (options.validate) {
    validation.pNext = &messenger;
    info.pNext = &validation;
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &kValidationLayer;
    info.enabledExtensionCount = 1;
    info.ppEnabledExtensionNames = extensions;
  }
  if (const VkResult result = createInstance(&info, nullptr, &instance_); result < 0) {
    instance_ = VK_NULL_HANDLE;
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER)
      return unavailable("No Vulkan driver is installed.", "vkCreateInstance: VK_ERROR_INCOMPATIBLE_DRIVER");
    if (result == VK_ERROR_LAYER_NOT_PRESENT)
      return unavailable("The Vulkan validation layer is not installed.");
    return failure("vkCreateInstance", result);
  }
#define FRAMEWRIGHT_VK_LOAD(name)                                                                \
  functions_.name = reinterpret_cast<PFN_vk##name>(getInstanceProcAddr_(instance_, "vk" #name)); \
  if (functions_.name == nullptr) return unavailable("The Vulkan driver is incomplete.", "no vk" #name);
  FRAMEWRIGHT_VK_INSTANCE(FRAMEWRIGHT_VK_LOAD)
#undef FRAMEWRIGHT_VK_LOAD
  if (!options.validate) return {};
  const auto createMessenger = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
      getInstanceProcAddr_(instance_, "vkCreateDebugUtilsMessengerEXT"));
  messenger.pNext = nullptr;
  if (createMessenger == nullptr ||
      createMessenger(instance_, &messenger, nullptr, &messenger_) != VK_SUCCESS)
    return unavailable("The Vulkan validation layer cannot report.");
  return {};
}

Status Instance::listDevices() {
  uint32_t count = 0;
  FW_VK_RETURN_IF_ERROR("vkEnumeratePhysicalDevices",
                        functions_.EnumeratePhysicalDevices(instance_, &count, nullptr));
  physicals_.resize(count);
  FW_VK_RETURN_IF_ERROR("vkEnumeratePhysicalDevices",
                        functions_.EnumeratePhysicalDevices(instance_, &count, physicals_.data()));
  physicals_.resize(count);
  removeDuplicates();
  for (VkPhysicalDevice physical : physicals_) {
    VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    functions_.GetPhysicalDeviceProperties2(physical, &properties);
    VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    functions_.GetPhysicalDeviceFeatures2(physical, &features);
    VkPhysicalDeviceMemoryProperties2 memory{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2};
    functions_.GetPhysicalDeviceMemoryProperties2(physical, &memory);
    DeviceProperties found;
    found.name = properties.properties.deviceName;
    found.type = typeOf(properties.properties.deviceType);
    found.apiVersion = properties.properties.apiVersion;
    found.driverVersion = properties.properties.driverVersion;
    found.identity = identityOf(devices_.size());
    for (uint32_t i = 0; i < memory.memoryProperties.memoryHeapCount; ++i) {
      const VkMemoryHeap& heap = memory.memoryProperties.memoryHeaps[i];
      if ((heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0)
        found.deviceMemory = std::max<uint64_t>(found.deviceMemory, heap.size);
    }
    found.missing = missingFrom(properties.properties, features.features);
    devices_.push_back(found);
  }
  return {};
}

// Loaders list a device once per manifest of its driver; containers may have one of their own and one of the
// host.
void Instance::removeDuplicates() {
  std::set<decltype(DeviceIdentity::uuid)> known;
  std::erase_if(physicals_, [&](VkPhysicalDevice physical) {
    VkPhysicalDeviceIDProperties id{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
    VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &id};
    // Without Vulkan 1.1 a device has no identity, and cannot compose.
    functions_.GetPhysicalDeviceProperties2(physical, &properties);
    DeviceIdentity identity;
    std::memcpy(identity.uuid.data(), id.deviceUUID, VK_UUID_SIZE);
    return identity.isKnown() && !known.insert(identity.uuid).second;
  });
}

DeviceIdentity Instance::identityOf(size_t index) const {
  const std::vector<VkExtensionProperties> extensions = extensionsOf(functions_, physicals_[index]);
  VkPhysicalDeviceIDProperties id{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
  VkPhysicalDeviceDrmPropertiesEXT drm{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRM_PROPERTIES_EXT};
  VkPhysicalDevicePCIBusInfoPropertiesEXT pci{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT};
  const bool isOnPci = offers(extensions, VK_EXT_PCI_BUS_INFO_EXTENSION_NAME);
  if (isOnPci) id.pNext = &pci;
  drm.pNext = id.pNext;
  if (offers(extensions, VK_EXT_PHYSICAL_DEVICE_DRM_EXTENSION_NAME)) id.pNext = &drm;
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &id};
  functions_.GetPhysicalDeviceProperties2(physicals_[index], &properties);
  DeviceIdentity identity{.vulkanIndex = static_cast<int>(index)};
  std::memcpy(identity.uuid.data(), id.deviceUUID, VK_UUID_SIZE);
  if (drm.hasRender == VK_TRUE) identity.renderNode = static_cast<int>(drm.renderMinor);
  if (isOnPci) identity.pciAddress = pciAddress(pci.pciDomain, pci.pciBus, pci.pciDevice, pci.pciFunction);
  return DeviceRegistry::ofProcess().add(identity);
}

Instance::~Instance() {
  if (messenger_ != VK_NULL_HANDLE) {
    const auto destroy = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
        getInstanceProcAddr_(instance_, "vkDestroyDebugUtilsMessengerEXT"));
    destroy(instance_, messenger_, nullptr);
  }
  if (instance_ != VK_NULL_HANDLE) {
    const auto destroy =
        reinterpret_cast<PFN_vkDestroyInstance>(getInstanceProcAddr_(instance_, "vkDestroyInstance"));
    destroy(instance_, nullptr);
  }
  // The library stays loaded: drivers leave threads and thread-local data that outlive the instance.
}

}  // namespace framewright::vulkan
