#include "compositor/choose_compositor.h"

#include "compositor/deep/deep_compositor.h"
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
Result<std::unique_ptr<Compositor>> createVulkanOnBestDevice(bool, const std::optional<CanvasColor>& = {}) {
  return leftOut();
}
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

Result<std::unique_ptr<Compositor>> createCompositor(CompositorChoice choice, const CanvasColor& color,
                                                     bool hasAlpha) {
  if (choice != CompositorChoice::kCpu && !hasAlpha && !color.isLinear) {
    const bool insist = choice == CompositorChoice::kVulkan;
    auto device = createVulkanOnBestDevice(insist, color);
    if (device.ok() || insist) return device;
  }
  return createDeepCompositor(color, hasAlpha);
}

std::vector<CompositorProbe> probeCompositors() { return {{"cpu", true, ""}, probeVulkan()}; }

}  // namespace framewright
