#include "vulkan/failure.h"

namespace framewright::vulkan {

namespace {

const char* resultName(VkResult result) {
#define FRAMEWRIGHT_VK_RESULT(name) \
  case name:                        \
    return #name;
  switch (result) {
    FRAMEWRIGHT_VK_RESULT(VK_ERROR_OUT_OF_HOST_MEMORY)
    FRAMEWRIGHT_VK_RESULT(VK_ERROR_OUT_OF_DEVICE_MEMORY)
    FRAMEWRIGHT_VK_RESULT(VK_ERROR_INITIALIZATION_FAILED)
    FRAMEWRIGHT_VK_RESULT(VK_ERROR_DEVICE_LOST)
    FRAMEWRIGHT_VK_RESULT(VK_ERROR_MEMORY_MAP_FAILED)
    FRAMEWRIGHT_VK_RESULT(VK_ERROR_LAYER_NOT_PRESENT)
    FRAMEWRIGHT_VK_RESULT(VK_ERROR_EXTENSION_NOT_PRESENT)
    FRAMEWRIGHT_VK_RESULT(VK_ERROR_FEATURE_NOT_PRESENT)
    FRAMEWRIGHT_VK_RESULT(VK_ERROR_INCOMPATIBLE_DRIVER)
    FRAMEWRIGHT_VK_RESULT(VK_ERROR_TOO_MANY_OBJECTS)
    default:
      return "an unexpected result";
  }
#undef FRAMEWRIGHT_VK_RESULT
}

}  // namespace

Error failure(const char* call, VkResult result) {
  const std::string detail =
      std::string(call) + ": " + resultName(result) + " (" + std::to_string(result) + ")";
  if (result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY) {
    return {ErrorCode::OUT_OF_MEMORY, "There was not enough memory on the graphics device.", detail};
  }
  if (result == VK_ERROR_DEVICE_LOST) {
    return {ErrorCode::GPU_FAILED, "The graphics device was lost.", detail};
  }
  return {ErrorCode::GPU_FAILED, "The graphics device failed.", detail};
}

}  // namespace framewright::vulkan
