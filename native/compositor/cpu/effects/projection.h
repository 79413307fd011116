#pragma once

#include <cstdint>
#include <vector>

#include "compositor/cpu/effects/layer_buffer.h"
#include "compositor/plan/effects/projection_plan.h"

namespace framewright {

// Draws a layer in perspective. Used by one thread.
class Projector {
 public:
  // `projected` is transparent; both buffers are at their places of the map from one to the other.
  void apply(const LayerBuffer& flat, const LayerBuffer& projected, const Homography& toCanvas);

 private:
  std::vector<int32_t> positions_, below_;
};

}  // namespace framewright
