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
namespace {

// Outputs from `from` on; the order of sums is that of all versions.
void filterOneByOne(float* __restrict dst, const float* __restrict line, const int32_t* __restrict firsts,
                    const float* __restrict weights, size_t taps, size_t from, size_t end, size_t count) {
  for (size_t i = from; i < end; ++i) {
    const float* const samples = line + firsts[i];
    float sum = samples[0] * weights[i];
    for (size_t t = 1; t < taps; ++t) sum += samples[t] * weights[t * count + i];
    dst[i] = sum;
  }
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

// The taps of 16 outputs are gathered from 32 samples by a permutation of two vectors, which Highway lacks.
size_t filterBlocks(float* dst, const float* line, const int32_t* firsts, const float* weights, size_t taps,
                    size_t count) {
  constexpr size_t kBlock = 16;
  size_t i = 0;
  for (; i + kBlock <= count; i += kBlock) {
    const int32_t lowest = std::min(firsts[i], firsts[i + kBlock - 1]),
                  highest = std::max(firsts[i], firsts[i + kBlock - 1]);
    if (highest - lowest + 4 > static_cast<int32_t>(kFilterReach)) {
      filterOneByOne(dst, line, firsts, weights, taps, i, i + kBlock, count);
      continue;
    }
    const __m512i first = _mm512_sub_epi32(_mm512_loadu_si512(firsts + i), _mm512_set1_epi32(lowest));
    __m512 sum = _mm512_setzero_ps();
    for (size_t t = 0; t < taps; ++t) {
      const float* const from = line + lowest + t / 4 * 4;
      const __m512i tap = _mm512_add_epi32(first, _mm512_set1_epi32(static_cast<int32_t>(t % 4)));
      const __m512 samples =
          _mm512_permutex2var_ps(_mm512_loadu_ps(from), tap, _mm512_loadu_ps(from + kBlock));
      const __m512 product = _mm512_mul_ps(samples, _mm512_loadu_ps(weights + t * count + i));
      sum = t == 0 ? product : _mm512_add_ps(sum, product);
    }
    _mm512_storeu_ps(dst + i, sum);
  }
  return i;
}

#else

size_t filterBlocks(float*, const float*, const int32_t*, const float*, size_t, size_t) { return 0; }

#endif

}  // namespace

void Filter(float* dst, const float* line, const int32_t* firsts, const float* weights, size_t taps,
            size_t count) {
  const size_t done = filterBlocks(dst, line, firsts, weights, taps, count);
  filterOneByOne(dst, line, firsts, weights, taps, done, count, count);
}

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

HWY_EXPORT(Filter);
HWY_EXPORT(Sample);

}  // namespace

void filterFloats(float* dst, const float* line, const int32_t* firsts, const float* weights, size_t taps,
                  size_t count) {
  HWY_DYNAMIC_DISPATCH(Filter)(dst, line, firsts, weights, taps, count);
}

void sampleFloats(float* dst, const FloatPlane& plane, const FloatWalk& walk, size_t count) {
  HWY_DYNAMIC_DISPATCH(Sample)(dst, plane, walk, count);
}

}  // namespace framewright::kernels
#endif  // HWY_ONCE
