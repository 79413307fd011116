#pragma once

#include <memory>

#include "compositor/compositor.h"
#include "vulkan/device.h"

namespace framewright {

namespace gpu {
class Pipelines;
}

struct VulkanCompositorOptions {
  uint64_t memoryBudget = 0;  // bytes for cached images; 0: 60 % of the free device memory
  std::shared_ptr<gpu::Pipelines> pipelines = nullptr;  // of the same device; null: its own
};

class VulkanCompositor : public Compositor {
 public:
  // Seconds that the device took to draw the last finished frame, without uploads and readback; 0 when the
  // device has no timestamps.
  virtual double drawSeconds() const = 0;
  // Draws on the CPU with the images that were prepared for the device.
  virtual Status composeOnHost(const DrawList& list, std::span<const PreparedImagePtr> images,
                               Image& frame) = 0;
  // Number of images that were evicted from the device to make room for others.
  virtual size_t evictions() const = 0;
};

// Draws as the CPU compositor does, to the sample wherever integers decide. Fails with GPU_FAILED.
Result<std::unique_ptr<VulkanCompositor>> createVulkanCompositor(std::shared_ptr<vulkan::Device> device,
                                                                 const VulkanCompositorOptions& options = {});

}  // namespace framewright
