#pragma once

#include <cstdint>
#include <vector>

#include "compositor/plan/plane_mapping.h"
#include "timeline/draw_list.h"

namespace framewright {

// Maps the index of a sample to the position that a moved copy of its plane shows there, from the centre of
// the sample at index 0, with kMotionBits fraction bits: (xx * i + xy * k + x, yx * i + yy * k + y).
struct MotionCopy {
  int32_t xx, xy, x;
  int32_t yx, yy, y;

  // Whether the copy is only shifted, not scaled or rotated.
  bool isShift() const;
};
inline constexpr int kMotionBits = 14;
// Bits of a position below the steps of kernels::shiftedSample().
inline constexpr int kMotionStepShift = kMotionBits - 6;

// The copies of a surface whose mean is its motion blur, in samples of a group of planes. `fromCanvas` maps
// canvas pixels to surface pixels. Copies too small for a fixed-point position are left out.
std::vector<MotionCopy> motionCopies(const std::vector<Affine>& motion, const Affine& fromCanvas,
                                     PlaneGroup group, int width, int height);

}  // namespace framewright
