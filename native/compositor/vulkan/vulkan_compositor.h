#pragma once

#include <memory>

#include "compositor/compositor.h"
#include "vulkan/device.h"

namespace framewright {

namespace gpu {
class Pipelines;
}

struct VulkanCompositorOptions {
  uint64_t memoryBudget = 0;  // bytes for pictures; 0: most of what the device has left
  std::shared_ptr<gpu::Pipelines> pipelines = nullptr;  // of the same device; null: its own
};

class VulkanCompositor : public Compositor {
 public:
  // What the device took to draw the frame that was finished last, without bringing pictures there and the
  // frame back. Seconds; 0 where the device does not tell.
  virtual double drawSeconds() const = 0;
  // Draws on the CPU, with the pictures that were prepared for the device.
  virtual Status composeOnHost(const DrawList& list, std::span<const PicturePtr> pictures, Image& frame) = 0;
  // Pictures that had to leave the device to make room for others.
  virtual size_t evictions() const = 0;
};

// Draws as the CPU compositor does, to the sample wherever integers decide. Fails with GPU_FAILED.
Result<std::unique_ptr<VulkanCompositor>> createVulkanCompositor(std::shared_ptr<vulkan::Device> device,
                                                                 const VulkanCompositorOptions& options = {});

}  // namespace framewright
