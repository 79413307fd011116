#pragma once

#include <array>
#include <cstdint>

#include "compositor/plan/plane_mapping.h"
#include "kernels/finish.h"
#include "timeline/draw_list.h"

namespace framewright {

// The strength of kernels::sharpenRow().
int sharpenStrength(double amount);

// A vignette in samples of a plane.
struct VignettePlan {
  std::array<int32_t, kernels::kVignetteSteps + 1> table;  // brightness by squared distance from the centre
  // Position of the sample at (x, k): (xx * x + xy * k + x0, yx * x + yy * k + y0), see kernels::VignetteRow.
  uint32_t xx, xy, x0, yx, yy, y0;

  // Row `k` from sample `first` on.
  kernels::VignetteRow row(int k, int first = 0) const {
    const auto x = static_cast<uint32_t>(first), y = static_cast<uint32_t>(k);
    return {xx * x + xy * y + x0, yx * x + yy * y + y0, xx, yx};
  }
};
// `box`: unit square of the vignette -> surface pixels.
VignettePlan planVignette(const Vignette& vignette, const Affine& box, PlaneGroup group);

// Noise that repeats seamlessly, with the standard deviation that kernels::grainRow() expects.
struct GrainTile {
  static constexpr int kSide = 256;
  std::array<int8_t, kSide * kSide> noise;
};
// `size`: of a grain in pixels, 1 to kMaxGrainSize. Any thread.
const GrainTile& grainTile(int size);

// The grain of a layer in a frame.
struct GrainPlan {
  int strength;  // of kernels::grainRow()
  int x, y;      // position of the surface's first sample in the tile
};
// `left` and `top`: position of the surface on the canvas.
GrainPlan planGrain(const LayerEffects& effects, int left, int top);

}  // namespace framewright
