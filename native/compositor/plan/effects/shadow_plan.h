#pragma once

#include <array>
#include <cstdint>

#include "compositor/plan/plane_mapping.h"
#include "timeline/effects.h"

namespace framewright {

// A drop shadow on the planes of a group. Sample (x, y) shows the layer's blurred alpha between the samples
// (x + left, y + top) and their right and lower neighbours.
struct ShadowPlan {
  double sigma = 0;
  int left = 0, top = 0;
  int right = 0, down = 0;       // in steps of kernels::kShiftSteps
  std::array<uint8_t, 2> color;  // of the colour planes
  uint8_t opacity = 255;
  int intensity = 0;  // in units of kernels::kShadowIntensityUnit
};
ShadowPlan planShadow(const DropShadow& shadow, PlaneGroup group);

}  // namespace framewright
