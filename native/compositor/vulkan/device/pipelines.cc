#include "compositor/vulkan/device/pipelines.h"

namespace framewright::gpu {

// SPIR-V, compiled by glslc at build time.
#define FRAMEWRIGHT_SHADER(name)    \
  extern const uint32_t k_##name[]; \
  extern const size_t k_##name##_bytes;
#define FRAMEWRIGHT_DEEP_SHADER(name) FRAMEWRIGHT_SHADER(deep_##name)
#define FRAMEWRIGHT_SHADER_OF_BOTH(name) FRAMEWRIGHT_SHADER(name) FRAMEWRIGHT_SHADER(deep_##name)
#include "compositor/vulkan/device/shader_list.h"
#undef FRAMEWRIGHT_SHADER
#undef FRAMEWRIGHT_DEEP_SHADER
#undef FRAMEWRIGHT_SHADER_OF_BOTH

namespace {

// Empty if there is no such version.
std::span<const uint32_t> codeOf(Shader shader, bool isDeep) {
  switch (shader) {
#define FRAMEWRIGHT_SHADER(name) \
  case Shader::name:             \
    if (isDeep) return {};       \
    return {k_##name, k_##name##_bytes / 4};
#define FRAMEWRIGHT_DEEP_SHADER(name) \
  case Shader::name:                  \
    if (!isDeep) return {};           \
    return {k_deep_##name, k_deep_##name##_bytes / 4};
#define FRAMEWRIGHT_SHADER_OF_BOTH(name)                           \
  case Shader::name:                                               \
    if (isDeep) return {k_deep_##name, k_deep_##name##_bytes / 4}; \
    return {k_##name, k_##name##_bytes / 4};
#include "compositor/vulkan/device/shader_list.h"
#undef FRAMEWRIGHT_SHADER
#undef FRAMEWRIGHT_DEEP_SHADER
#undef FRAMEWRIGHT_SHADER_OF_BOTH
  }
  return {};
}

}  // namespace

Result<const vulkan::ComputePipeline*> Pipelines::get(Shader shader, bool isDeep,
                                                      std::span<const uint32_t> constants) {
  std::lock_guard lock(making_);
  const std::tuple key{shader, isDeep, std::vector<uint32_t>(constants.begin(), constants.end())};
  const auto known = made_.find(key);
  if (known != made_.end()) return known->second.get();
  const std::span<const uint32_t> spirv = codeOf(shader, isDeep);
  if (spirv.empty()) return Error{ErrorCode::GPU_FAILED, "A shader lacks this precision.", ""};
  FW_ASSIGN_OR_RETURN(std::shared_ptr<vulkan::ComputePipeline> pipeline,
                      vulkan::ComputePipeline::create(device_, spirv, constants));
  return (made_[key] = std::move(pipeline)).get();
}

}  // namespace framewright::gpu
