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

// Creates a compositor of high precision for frames in `color`, kI010 or with alpha kRgbaStraight. Devices
// draw opaque frames whose layers are blended as signals; the CPU draws all others, whatever the choice. Any
// thread.
Result<std::unique_ptr<Compositor>> createCompositor(CompositorChoice choice, const CanvasColor& color,
                                                     bool hasAlpha);

// Whether this host can use a compositor.
struct CompositorProbe {
  std::string name;
  bool available = false;
  std::string reason;  // why it is unavailable; the devices it uses when it is available
};
// Probes all compositors. Opens devices on the first call and keeps them open. Any thread.
std::vector<CompositorProbe> probeCompositors();

}  // namespace framewright
