#pragma once

#include <memory>
#include <string>

#include "compositor/choose_compositor.h"
#include "compositor/vulkan/vulkan_compositor.h"

namespace framewright {

// A compositor on one of the best devices of this host, which take turns. `insist`: also on one that is
// software, and failures while drawing are errors; otherwise the CPU takes over from the frame that failed.
Result<std::unique_ptr<Compositor>> createChosenDevice(bool insist);

// Goes on with the CPU once the device fails; frames that were under way are drawn again. `name`: of the
// device, for whoever is told.
std::unique_ptr<Compositor> createReplaceable(std::unique_ptr<VulkanCompositor> device, std::string name);

CompositorVerdict deviceVerdict();

}  // namespace framewright
