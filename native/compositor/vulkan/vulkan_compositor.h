#pragma once

#include <memory>

#include "compositor/compositor.h"
#include "vulkan/device.h"

namespace framewright {

struct VulkanCompositorOptions {
  uint64_t memoryBudget = 0;  // bytes for pictures; 0: most of what the device has left
};

// Draws as the CPU compositor does, to the sample wherever integers decide. Fails with GPU_FAILED.
Result<std::unique_ptr<Compositor>> createVulkanCompositor(std::shared_ptr<vulkan::Device> device,
                                                           const VulkanCompositorOptions& options = {});

}  // namespace framewright
