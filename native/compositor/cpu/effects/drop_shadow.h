#pragma once

#include <cstdint>
#include <vector>

#include "compositor/cpu/effects/gaussian_blur.h"
#include "timeline/effects.h"

namespace framewright {

// Lays drop shadows under a layer. Used by one thread.
class DropShadows {
 public:
  void apply(const Surface& surface, const std::vector<DropShadow>& shadows, GaussianBlur& blur);

 private:
  void applyToGroup(const std::array<Plane, 3>& planes, PlaneGroup group,
                    const std::vector<DropShadow>& shadows, GaussianBlur& blur);

  std::vector<uint8_t> shape_;  // the layer's alpha
  std::vector<uint8_t> cast_;   // the same with transparent samples around it, blurred
  std::vector<uint16_t> cover_;
};

}  // namespace framewright
