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

// As codeSample(), for a plane of at least two columns.
template <int kShift, class D32, class V>
HWY_INLINE V codeSamples(D32 d, const CodePlane& plane, V u, V v) {
  namespace hn = hwy::HWY_NAMESPACE;
  const auto minX = hn::Set(d, plane.minX), maxX = hn::Set(d, plane.maxX);
  const auto minY = hn::Set(d, plane.minY), maxY = hn::Set(d, plane.maxY);
  const auto one = hn::Set(d, 1), low = hn::Set(d, 0xFFFF), stride = hn::Set(d, plane.stride);
  const auto half = hn::Set(d, 1 << (kShift - 1)), lastHalf = hn::Set(d, 1 << (kWeightBits - 1));
  const auto* const data = reinterpret_cast<const int32_t*>(plane.data);
  const auto cu = hn::Max(hn::Min(u, hn::ShiftLeft<16>(maxX)), hn::ShiftLeft<16>(minX));
  const auto cv = hn::Max(hn::Min(v, hn::ShiftLeft<16>(maxY)), hn::ShiftLeft<16>(minY));
  const auto x = hn::Max(hn::Min(hn::ShiftRight<16>(cu), hn::Sub(maxX, one)), minX);
  const auto y = hn::Max(hn::Min(hn::ShiftRight<16>(cv), hn::Sub(maxY, one)), minY);
  const auto across = sharePair(d, hn::ShiftRight<2>(hn::Sub(cu, hn::ShiftLeft<16>(x))));
  const auto down = sharePair(d, hn::ShiftRight<2>(hn::Sub(cv, hn::ShiftLeft<16>(y))));
  const auto next = hn::Min(hn::Add(y, one), maxY);
  const auto upper = hn::GatherOffset(d, data, hn::ShiftLeft<1>(hn::Add(hn::Mul(y, stride), x)));
  const auto lower = hn::GatherOffset(d, data, hn::ShiftLeft<1>(hn::Add(hn::Mul(next, stride), x)));
  const auto top = hn::ShiftRight<kShift>(hn::Add(pairProducts(d, upper, across), half));
  const auto bottom = hn::ShiftRight<kShift>(hn::Add(pairProducts(d, lower, across), half));
  const auto both = hn::Or(hn::And(top, low), hn::ShiftLeft<16>(bottom));
  return hn::ShiftRight<kWeightBits>(hn::Add(pairProducts(d, both, down), lastHalf));
}

#endif

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
