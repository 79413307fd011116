#pragma once

#include <memory>
#include <string>

#include "compositor/choose_compositor.h"
#include "compositor/vulkan/vulkan_compositor.h"

namespace framewright {

// A compositor on one of the best devices of this host, which are used in rotation. `insist`: software
// devices are allowed, and failures while drawing are errors; otherwise the CPU takes over from the frame
// that failed.
Result<std::unique_ptr<Compositor>> createVulkanOnBestDevice(bool insist);

// Continues on the CPU once the device fails; frames in flight are drawn again. `name`: the device in
// Compositor::deviceFailure().
std::unique_ptr<Compositor> createFallbackCompositor(std::unique_ptr<VulkanCompositor> device,
                                                     std::string name);

CompositorProbe probeVulkan();

}  // namespace framewright
