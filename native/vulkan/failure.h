#pragma once

#include "core/result.h"
#include "vulkan/functions.h"

namespace framewright::vulkan {

// The error for a failed call: OUT_OF_MEMORY or GPU_FAILED; the detail names the call.
Error failure(const char* call, VkResult result);

}  // namespace framewright::vulkan

// Returns the error of a Vulkan call from the enclosing function, if it failed.
#define FW_VK_RETURN_IF_ERROR(call, ...)                                                      \
  do {                                                                                        \
    if (const VkResult fw_vk = (__VA_ARGS__); fw_vk < 0) return vulkan::failure(call, fw_vk); \
  } while (false)
