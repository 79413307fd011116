#pragma once

#include <memory>

#include "compositor/choose_compositor.h"

namespace framewright {

// A compositor on the best device of this host. `insist`: also on one that is software, and failures while
// drawing are errors; otherwise the CPU takes over from the frame that failed.
Result<std::unique_ptr<Compositor>> createChosenDevice(bool insist);

CompositorVerdict deviceVerdict();

}  // namespace framewright
