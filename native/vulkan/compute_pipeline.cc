#include "vulkan/compute_pipeline.h"

#include <vector>

#include "vulkan/failure.h"

namespace framewright::vulkan {

Result<std::shared_ptr<ComputePipeline>> ComputePipeline::create(std::shared_ptr<Device> device,
                                                                 std::span<const uint32_t> spirv,
                                                                 std::span<const uint32_t> constants) {
  auto pipeline = std::shared_ptr<ComputePipeline>(new ComputePipeline(device));
  const DeviceFunctions& vk = device->functions();
  VkShaderModuleCreateInfo code{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  code.codeSize = spirv.size_bytes();
  code.pCode = spirv.data();
  VkShaderModule module = VK_NULL_HANDLE;
  FW_VK_RETURN_IF_ERROR("vkCreateShaderModule",
                        vk.CreateShaderModule(device->handle(), &code, nullptr, &module));
  std::vector<VkSpecializationMapEntry> entries;
  for (uint32_t i = 0; i < constants.size(); ++i) entries.push_back({i, i * 4, 4});
  const VkSpecializationInfo specialization{static_cast<uint32_t>(entries.size()), entries.data(),
                                            constants.size_bytes(), constants.data()};
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = &specialization;
  info.layout = device->pipelineLayout();
  const VkResult result =
      vk.CreateComputePipelines(device->handle(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline->pipeline_);
  vk.DestroyShaderModule(device->handle(), module, nullptr);
  FW_VK_RETURN_IF_ERROR("vkCreateComputePipelines", result);
  return pipeline;
}

ComputePipeline::~ComputePipeline() {
  if (pipeline_ != VK_NULL_HANDLE)
    device_->functions().DestroyPipeline(device_->handle(), pipeline_, nullptr);
}

}  // namespace framewright::vulkan
