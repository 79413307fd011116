#pragma once

#include <cstddef>

namespace framewright::kernels {

// Samples of a plane between its samples, which are clamped to left … right and top … bottom: at (x, y),
// (x + stepX, y + stepY), …, with sample centres at integers. The results do not depend on the instruction
// set. Pure; any thread.
struct FloatPlane {
  const float* data = nullptr;
  ptrdiff_t stride = 0;  // samples per row
  int left = 0, top = 0, right = 0, bottom = 0;
};
struct FloatWalk {
  double x = 0, y = 0, stepX = 0, stepY = 0;
};
void sampleFloats(float* dst, const FloatPlane& plane, const FloatWalk& walk, size_t count);

}  // namespace framewright::kernels
