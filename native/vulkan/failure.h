#pragma once

#include "core/result.h"
#include "vulkan/functions.h"

namespace framewright::vulkan {

// "VK_ERROR_DEVICE_LOST" and the like; a number where the result is not among the usual ones.
const char* resultName(VkResult result);

// The error for a call that failed: OUT_OF_MEMORY or GPU_FAILED, the call's name in the detail.
Error failure(const char* call, VkResult result);

}  // namespace framewright::vulkan

// Returns the error of a Vulkan call from the enclosing function, if there is one.
#define FW_VK_RETURN_IF_ERROR(call, ...)                                                      \
  do {                                                                                        \
    if (const VkResult fw_vk = (__VA_ARGS__); fw_vk < 0) return vulkan::failure(call, fw_vk); \
  } while (false)
