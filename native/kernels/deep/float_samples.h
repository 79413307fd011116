#pragma once

#include <cstddef>
#include <cstdint>

// Scaling and rotating rows of floats. The results do not depend on the instruction set. Pure; any thread.
namespace framewright::kernels {

// dst[i] = the sum over t of line[firsts[i] + t] * weights[t * count + i]. `taps` is a multiple of 4,
// `firsts` rise or fall, and kFilterReach samples beyond the last tap are readable.
inline constexpr size_t kFilterReach = 32;
void filterFloats(float* dst, const float* line, const int32_t* firsts, const float* weights, size_t taps,
                  size_t count);

// Samples of a plane between its samples, which are clamped to left … right and top … bottom: at (x, y),
// (x + stepX, y + stepY), …, with sample centres at integers.
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
