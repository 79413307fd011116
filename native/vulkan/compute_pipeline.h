#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "vulkan/device.h"

namespace framewright::vulkan {

// A compute shader with its specialisation constants: ids 0, 1, … in order.
class ComputePipeline {
 public:
  static Result<std::shared_ptr<ComputePipeline>> create(std::shared_ptr<Device> device,
                                                         std::span<const uint32_t> spirv,
                                                         std::span<const uint32_t> constants);
  ~ComputePipeline();
  ComputePipeline(const ComputePipeline&) = delete;
  ComputePipeline& operator=(const ComputePipeline&) = delete;

  VkPipeline handle() const { return pipeline_; }

 private:
  explicit ComputePipeline(std::shared_ptr<Device> device) : device_(std::move(device)) {}

  const std::shared_ptr<Device> device_;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

}  // namespace framewright::vulkan
