#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compositor/compositor.h"
#include "timeline/timeline.h"

namespace framewright {

// Creates a compositor of the chosen kind. Only kVulkan uses software devices, which are slower than the CPU
// compositor. With kAuto the CPU replaces a device that fails while drawing; with kVulkan that is an error.
// Any thread.
Result<std::unique_ptr<Compositor>> createCompositor(CompositorChoice choice);

// Whether this host can use a compositor.
struct CompositorProbe {
  std::string name;
  bool available = false;
  std::string reason;  // why it is unavailable; the devices it uses when it is available
};
// Probes all compositors. Opens devices on the first call and keeps them open. Any thread.
std::vector<CompositorProbe> probeCompositors();

}  // namespace framewright
