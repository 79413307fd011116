#pragma once

#include "kernels/straight.h"
#include "timeline/effects.h"

namespace framewright {

// The distance range in which a grey key changes from hidden to visible.
kernels::KeyRamp keyRampOf(const ChromaKey& key);
// The maximum distance of any colour from the key.
float maxKeyDistance(const kernels::KeyRamp& ramp);

}  // namespace framewright
