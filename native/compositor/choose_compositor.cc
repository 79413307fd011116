#include "compositor/choose_compositor.h"

#ifndef FRAMEWRIGHT_VULKAN_LEFT_OUT
#include "compositor/vulkan/chosen_device.h"
#endif

namespace framewright {

#ifdef FRAMEWRIGHT_VULKAN_LEFT_OUT
namespace {

Error leftOut() {
  return {ErrorCode::GPU_FAILED,
          std::string("Composing on graphics devices is left out: ") + FRAMEWRIGHT_VULKAN_LEFT_OUT + ".", ""};
}
Result<std::unique_ptr<Compositor>> createChosenDevice(bool) { return leftOut(); }
CompositorVerdict deviceVerdict() { return {"vulkan", false, leftOut().message}; }

}  // namespace
#endif

Result<std::unique_ptr<Compositor>> createCompositor(CompositorChoice choice) {
  if (choice != CompositorChoice::kCpu) {
    const bool insist = choice == CompositorChoice::kVulkan;
    auto device = createChosenDevice(insist);
    if (device.ok() || insist) return device;
  }
  return createCpuCompositor();
}

std::vector<CompositorVerdict> compositorVerdicts() { return {{"cpu", true, ""}, deviceVerdict()}; }

}  // namespace framewright
