#include "compositor/choose_compositor.h"

#ifndef FRAMEWRIGHT_VULKAN_LEFT_OUT
#include "compositor/vulkan/select_device.h"
#endif

namespace framewright {

#ifdef FRAMEWRIGHT_VULKAN_LEFT_OUT
namespace {

Error leftOut() {
  return {ErrorCode::GPU_FAILED,
          std::string("Composing on graphics devices is left out: ") + FRAMEWRIGHT_VULKAN_LEFT_OUT + ".", ""};
}
Result<std::unique_ptr<Compositor>> createVulkanOnBestDevice(bool) { return leftOut(); }
CompositorProbe probeVulkan() { return {"vulkan", false, leftOut().message}; }

}  // namespace
#endif

Result<std::unique_ptr<Compositor>> createCompositor(CompositorChoice choice) {
  if (choice != CompositorChoice::kCpu) {
    const bool insist = choice == CompositorChoice::kVulkan;
    auto device = createVulkanOnBestDevice(insist);
    if (device.ok() || insist) return device;
  }
  return createCpuCompositor();
}

std::vector<CompositorProbe> probeCompositors() { return {{"cpu", true, ""}, probeVulkan()}; }

}  // namespace framewright
