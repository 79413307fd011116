#include "kernels/deep/float_samples.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/deep/float_samples.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Vectorized by the compiler, as float_rows.cc is.
HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {

void Sample(float* __restrict dst, const FloatPlane& plane, const FloatWalk& walk, size_t count) {
  // Positions relative to the first one, of which floats have enough bits.
  constexpr size_t kSpan = 128;
  const float* __restrict const data = plane.data;
  const auto stride = static_cast<int32_t>(plane.stride);
  const auto stepX = static_cast<float>(walk.stepX), stepY = static_cast<float>(walk.stepY);
  for (size_t first = 0; first < count; first += kSpan) {
    const double startX = walk.x + walk.stepX * static_cast<double>(first),
                 startY = walk.y + walk.stepY * static_cast<double>(first);
    const double wholeX = std::floor(std::min(std::max(startX, -1e6), 1e6)),
                 wholeY = std::floor(std::min(std::max(startY, -1e6), 1e6));
    const auto x0 = static_cast<float>(startX - wholeX), y0 = static_cast<float>(startY - wholeY);
    const auto left = static_cast<float>(plane.left - wholeX),
               right = static_cast<float>(plane.right - wholeX), top = static_cast<float>(plane.top - wholeY),
               bottom = static_cast<float>(plane.bottom - wholeY);
    const auto offsetX = static_cast<int32_t>(wholeX), offsetY = static_cast<int32_t>(wholeY);
    const int32_t lastX = plane.right, lastY = plane.bottom;
    const size_t end = std::min(count - first, kSpan);
    for (size_t i = 0; i < end; ++i) {
      const auto along = static_cast<float>(static_cast<int32_t>(i));
      const float x = std::min(std::max(x0 + stepX * along, left), right),
                  y = std::min(std::max(y0 + stepY * along, top), bottom);
      const float floorX = std::floor(x), floorY = std::floor(y);
      const float across = x - floorX, down = y - floorY;
      const int32_t fromX = static_cast<int32_t>(floorX) + offsetX,
                    fromY = static_cast<int32_t>(floorY) + offsetY;
      const int32_t nextX = std::min(fromX + 1, lastX), nextY = std::min(fromY + 1, lastY);
      const int32_t row = fromY * stride, below = nextY * stride;
      const float a = data[row + fromX], b = data[row + nextX];
      const float c = data[below + fromX], d = data[below + nextX];
      const float above = a + (b - a) * across, under = c + (d - c) * across;
      dst[first + i] = above + (under - above) * down;
    }
  }
}

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {
namespace {

HWY_EXPORT(Sample);

}  // namespace

void sampleFloats(float* dst, const FloatPlane& plane, const FloatWalk& walk, size_t count) {
  HWY_DYNAMIC_DISPATCH(Sample)(dst, plane, walk, count);
}

}  // namespace framewright::kernels
#endif  // HWY_ONCE
