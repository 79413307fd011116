#include "compositor/vulkan/device/pipelines.h"

namespace framewright::gpu {

// SPIR-V, compiled by glslc at build time.
#define FRAMEWRIGHT_SHADER(name)    \
  extern const uint32_t k_##name[]; \
  extern const size_t k_##name##_bytes;
#include "compositor/vulkan/device/shader_list.h"
#undef FRAMEWRIGHT_SHADER

Result<const vulkan::ComputePipeline*> Pipelines::get(Shader shader, std::span<const uint32_t> constants) {
  std::lock_guard lock(making_);
  const std::pair key{shader, std::vector<uint32_t>(constants.begin(), constants.end())};
  const auto known = made_.find(key);
  if (known != made_.end()) return known->second.get();
  std::span<const uint32_t> spirv;
  switch (shader) {
#define FRAMEWRIGHT_SHADER(name)              \
  case Shader::name:                          \
    spirv = {k_##name, k_##name##_bytes / 4}; \
    break;
#include "compositor/vulkan/device/shader_list.h"
#undef FRAMEWRIGHT_SHADER
  }
  FW_ASSIGN_OR_RETURN(std::shared_ptr<vulkan::ComputePipeline> pipeline,
                      vulkan::ComputePipeline::create(device_, spirv, constants));
  return (made_[key] = std::move(pipeline)).get();
}

}  // namespace framewright::gpu
