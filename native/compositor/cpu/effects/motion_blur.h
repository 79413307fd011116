#pragma once

#include <cstdint>
#include <vector>

#include "compositor/cpu/effects/layer_buffer.h"
#include "compositor/plan/effects/motion_path.h"

namespace framewright {

// Replaces a layer by the mean of its positions while the shutter is open. Used by one thread.
class MotionBlur {
 public:
  // `motion`: LayerEffects::motion.
  void apply(const LayerBuffer& layer, const std::vector<Affine>& motion);

 private:
  void blurPlane(const Plane& plane, const std::vector<MotionCopy>& copies, int count);
  // Adds a row of a copy to the sums.
  void addRow(const Plane& plane, const MotionCopy& copy, int row);
  // The source with a transparent sample around it; x and y from -1.
  const uint8_t* at(int x, int y) const { return source_.data() + (y + 1) * step_ + x + 1; }

  std::ptrdiff_t step_ = 0;
  std::vector<uint8_t> source_;
  std::vector<uint16_t> sums_;
};

}  // namespace framewright
