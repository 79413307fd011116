#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compositor/compositor.h"
#include "timeline/timeline.h"

namespace framewright {

// A compositor of the kind that was chosen. A device that is software is taken by kVulkan alone: it is
// slower than the CPU compositor. Under kAuto a device that fails while it draws is replaced by the CPU;
// under kVulkan that is an error. Any thread.
Result<std::unique_ptr<Compositor>> createCompositor(CompositorChoice choice);

// Which compositors this host has, and what speaks against the others. Opens devices once.
struct CompositorVerdict {
  std::string name;
  bool available = false;
  std::string reason;  // of one that is available: the device
};
std::vector<CompositorVerdict> compositorVerdicts();

}  // namespace framewright
