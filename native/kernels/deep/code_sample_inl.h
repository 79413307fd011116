// Bilinear samples of planes of 16 bits, for the kernels of each instruction set. Included once for each of
// them.
#if defined(FRAMEWRIGHT_CODE_SAMPLE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FRAMEWRIGHT_CODE_SAMPLE_INL
#undef FRAMEWRIGHT_CODE_SAMPLE_INL
#else
#define FRAMEWRIGHT_CODE_SAMPLE_INL
#endif

#include <algorithm>

#include <hwy/highway.h>

#include "kernels/deep/plane_filters.h"

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {

constexpr int kWeightBits = 14;

// A sample of a plane of the shape of `plane` at a 16.16 position. `shift` removes the weights and excess
// fraction bits of a row. Defines what the vectors compute.
inline int16_t codeSample(const int16_t* samples, const CodePlane& plane, int32_t u, int32_t v, int shift) {
  const int32_t cu = std::clamp(u, plane.minX * 65536, plane.maxX * 65536),
                cv = std::clamp(v, plane.minY * 65536, plane.maxY * 65536);
  const int32_t x = std::max(std::min(cu >> 16, plane.maxX - 1), plane.minX),
                y = std::max(std::min(cv >> 16, plane.maxY - 1), plane.minY);
  const int32_t fx = (cu - x * 65536) >> 2, fy = (cv - y * 65536) >> 2, one = 1 << kWeightBits;
  const int32_t nextX = std::min(x + 1, plane.maxX), nextY = std::min(y + 1, plane.maxY);
  const int16_t* const row = samples + static_cast<ptrdiff_t>(y) * plane.stride;
  const int16_t* const below = samples + static_cast<ptrdiff_t>(nextY) * plane.stride;
  const int half = 1 << (shift - 1);
  const int32_t top = (row[x] * (one - fx) + row[nextX] * fx + half) >> shift;
  const int32_t bottom = (below[x] * (one - fx) + below[nextX] * fx + half) >> shift;
  return static_cast<int16_t>((top * (one - fy) + bottom * fy + one / 2) >> kWeightBits);
}

#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR

// Products of pairs of 16-bit values with weights in the same order.
template <class D32, class V>
HWY_INLINE V pairProducts(D32 d, V pairs, V weights) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::Repartition<int16_t, D32> d16;
  auto unused = hn::Zero(d);
  return hn::ReorderWidenMulAccumulate(d, hn::BitCast(d16, pairs), hn::BitCast(d16, weights), hn::Zero(d),
                                       unused);
}

// Weights 1 - share and share as a pair.
template <class D32, class V>
HWY_INLINE V sharePair(D32 d, V share) {
  namespace hn = hwy::HWY_NAMESPACE;
  return hn::Or(hn::Sub(hn::Set(d, 1 << kWeightBits), share), hn::ShiftLeft<16>(share));
}

#endif

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
