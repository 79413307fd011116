#pragma once

#include <memory>
#include <string>

#include "compositor/choose_compositor.h"
#include "compositor/vulkan/vulkan_compositor.h"

namespace framewright {

// Creates a compositor on one of the best devices of this host, in rotation. With `insist`, software devices
// are allowed and failures while drawing are errors; otherwise the CPU takes over from the failed frame on.
// `deepColor`: see VulkanCompositorOptions.
Result<std::unique_ptr<Compositor>> createVulkanOnBestDevice(
    bool insist, const std::optional<CanvasColor>& deepColor = std::nullopt);

// Falls back to the CPU when the device fails; frames in flight are redrawn. `name`: device name in
// Compositor::deviceFailure().
std::unique_ptr<Compositor> createFallbackCompositor(std::unique_ptr<VulkanCompositor> device,
                                                     std::string name);

CompositorProbe probeVulkan();

// For tests: devices are listed, probed and opened again at their next use, also those that were lost.
void forgetVulkanDevices();

}  // namespace framewright
