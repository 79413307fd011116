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
  std::shared_ptr<gpu::Pipelines> pipelines =
      nullptr;  // shared by compositors of the device; null: own pipelines
  // Frames of 10 bits in these colors, whose layers are blended as signals; nothing: 8 bits.
  std::optional<CanvasColor> deepColor = std::nullopt;
};

class VulkanCompositor : public Compositor {
 public:
  // Seconds of device time for the last finished frame, without uploads and readback; 0 without timestamps.
  virtual double drawSeconds() const = 0;
  // Draws on the CPU with the prepared images.
  virtual Status composeOnHost(const DrawList& list, std::span<const PreparedImagePtr> images,
                               Image& frame) = 0;
  // Number of images evicted from device memory.
  virtual size_t evictions() const = 0;
};

// Draws the same samples as the CPU compositor wherever integer arithmetic decides. Frames of 10 bits are
// kI010, or kP010 where createFrame() is asked for interleaved chroma; lists that need what the device lacks
// in this precision are drawn by the CPU. Fails with GPU_FAILED.
Result<std::unique_ptr<VulkanCompositor>> createVulkanCompositor(std::shared_ptr<vulkan::Device> device,
                                                                 const VulkanCompositorOptions& options = {});

}  // namespace framewright
