#pragma once

#include <memory>

#include "compositor/compositor.h"

namespace framewright {

// Creates a compositor whose frames are kRgbaStraight with the transparency that the layers leave, in place
// of kI420 over black. It draws on the CPU. Never fails; any thread.
std::unique_ptr<Compositor> createRgbaCompositor();

}  // namespace framewright
