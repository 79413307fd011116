#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <tuple>
#include <vector>

#include "vulkan/compute_pipeline.h"

namespace framewright::gpu {

// One value per .comp file in shaders/.
enum class Shader {
#define FRAMEWRIGHT_SHADER(name) name,
#define FRAMEWRIGHT_DEEP_SHADER(name) name,
#define FRAMEWRIGHT_SHADER_OF_BOTH(name) name,
#include "compositor/vulkan/device/shader_list.h"
#undef FRAMEWRIGHT_SHADER
#undef FRAMEWRIGHT_DEEP_SHADER
#undef FRAMEWRIGHT_SHADER_OF_BOTH
};

// Compute pipelines by shader and specialization constants, created on first use. Creation is slow, so all
// compositors of a device share them. Any thread.
class Pipelines {
 public:
  explicit Pipelines(std::shared_ptr<vulkan::Device> device) : device_(std::move(device)) {}
  // `isDeep`: for samples of 16 bits. Fails with GPU_FAILED, also for shaders without this version.
  Result<const vulkan::ComputePipeline*> get(Shader shader, bool isDeep, std::span<const uint32_t> constants);

 private:
  const std::shared_ptr<vulkan::Device> device_;
  std::mutex making_;
  std::map<std::tuple<Shader, bool, std::vector<uint32_t>>, std::shared_ptr<vulkan::ComputePipeline>> made_;
};

}  // namespace framewright::gpu
