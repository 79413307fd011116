#include "kernels/deep/projected_rows.h"

#include <algorithm>

#include "kernels/deep/plane_filters.h"
#include "kernels/deep/plane_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/deep/projected_rows.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/deep/code_sample_inl.h"

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {
namespace {

#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

// A plane of at least two columns. Vectors stay in registers, since stores may change what is in memory.
template <class V>
struct PlaneBounds {
  V minX, maxX, minY, maxY;    // samples
  V lowX, highX, lowY, highY;  // 16.16
  V one, stride, low, lastHalf;
};

template <class D>
HWY_INLINE PlaneBounds<hn::Vec<D>> planeBounds(D d, const CodePlane& plane) {
  const auto minX = hn::Set(d, plane.minX), maxX = hn::Set(d, plane.maxX);
  const auto minY = hn::Set(d, plane.minY), maxY = hn::Set(d, plane.maxY);
  return {minX,
          hn::Sub(maxX, hn::Set(d, 1)),
          minY,
          maxY,
          hn::ShiftLeft<16>(minX),
          hn::ShiftLeft<16>(maxX),
          hn::ShiftLeft<16>(minY),
          hn::ShiftLeft<16>(maxY),
          hn::Set(d, 1),
          hn::Set(d, plane.stride),
          hn::Set(d, 0xFFFF),
          hn::Set(d, 1 << (kWeightBits - 1))};
}

// Where bilinear samples at 16.16 positions are.
template <class V>
struct Bilinear {
  V upper, lower;  // offsets in bytes of pairs of samples
  V across, down;  // weights of a pair
};

template <class D, class V>
HWY_INLINE Bilinear<V> locate(D d, const PlaneBounds<V>& plane, V u, V v) {
  const auto cu = hn::Max(hn::Min(u, plane.highX), plane.lowX);
  const auto cv = hn::Max(hn::Min(v, plane.highY), plane.lowY);
  const auto x = hn::Max(hn::Min(hn::ShiftRight<16>(cu), plane.maxX), plane.minX);
  const auto y = hn::Max(hn::Min(hn::ShiftRight<16>(cv), hn::Sub(plane.maxY, plane.one)), plane.minY);
  const auto next = hn::Min(hn::Add(y, plane.one), plane.maxY);
  return {hn::ShiftLeft<1>(hn::Add(hn::Mul(y, plane.stride), x)),
          hn::ShiftLeft<1>(hn::Add(hn::Mul(next, plane.stride), x)),
          sharePair(d, hn::ShiftRight<2>(hn::Sub(cu, hn::ShiftLeft<16>(x)))),
          sharePair(d, hn::ShiftRight<2>(hn::Sub(cv, hn::ShiftLeft<16>(y))))};
}

template <int kShift, class D, class V>
HWY_INLINE V samplesAt(D d, const int16_t* samples, const PlaneBounds<V>& plane, const Bilinear<V>& at) {
  const auto low = plane.low, half = hn::Set(d, 1 << (kShift - 1)), lastHalf = plane.lastHalf;
  const auto* const data = reinterpret_cast<const int32_t*>(samples);
  const auto upper = hn::GatherOffset(d, data, at.upper), lower = hn::GatherOffset(d, data, at.lower);
  const auto top = hn::ShiftRight<kShift>(hn::Add(pairProducts(d, upper, at.across), half));
  const auto bottom = hn::ShiftRight<kShift>(hn::Add(pairProducts(d, lower, at.across), half));
  const auto both = hn::Or(hn::And(top, low), hn::ShiftLeft<16>(bottom));
  return hn::ShiftRight<kWeightBits>(hn::Add(pairProducts(d, both, at.down), lastHalf));
}

// Adds the samples of an entry of a projected row, by plane.
bool addProjected(int32_t (*sums)[kProjectionStep], const int16_t* const* planes, size_t planeCount,
                  const CodePlane& shape, const CodeWalk& walk) {
  if (shape.maxX == shape.minX) return false;
  const hn::CappedTag<int32_t, kProjectionStep> d;
  const auto bounds = planeBounds(d, shape);
  for (size_t i = 0; i < kProjectionStep; i += hn::Lanes(d)) {
    const auto ramp = hn::Iota(d, static_cast<int32_t>(i));
    const auto u = hn::Add(hn::Set(d, walk.x), hn::Mul(ramp, hn::Set(d, walk.stepX))),
               v = hn::Add(hn::Set(d, walk.y), hn::Mul(ramp, hn::Set(d, walk.stepY)));
    const auto at = locate(d, bounds, u, v);
    for (size_t p = 0; p < planeCount; ++p) {
      int32_t* const sum = sums[p] + i;
      hn::StoreU(hn::Add(hn::LoadU(d, sum), samplesAt<kWeightBits>(d, planes[p], bounds, at)), d, sum);
    }
  }
  return true;
}

#else

bool addProjected(int32_t (*)[kProjectionStep], const int16_t* const*, size_t, const CodePlane&,
                  const CodeWalk&) {
  return false;
}

#endif

// Whether all positions up to the next exact ones are on the same side of the plane.
inline bool isOutside(const CodePlane& plane, const int32_t* here, const int32_t* below) {
  const auto areBelow = [&](int axis, int32_t limit) {
    return here[axis] < limit && here[axis + 2] < limit && below[axis] < limit && below[axis + 2] < limit;
  };
  const auto areAbove = [&](int axis, int32_t limit) {
    return here[axis] > limit && here[axis + 2] > limit && below[axis] > limit && below[axis + 2] > limit;
  };
  return areBelow(0, plane.minX << 16) || areAbove(0, plane.maxX << 16) || areBelow(1, plane.minY << 16) ||
         areAbove(1, plane.maxY << 16);
}

}  // namespace

void SampleProjected(int16_t* const* dst, const int16_t* const* planes, size_t planeCount,
                     const CodePlane& shape, const ProjectedRow& row, size_t count) {
  const int parts = row.across * row.down;
  int shift = 0;
  while (1 << shift < parts) ++shift;
  for (size_t first = 0, entry = 0; first < count; first += kProjectionStep, ++entry) {
    const size_t width = std::min<size_t>(kProjectionStep, count - first);
    const int32_t *const here = row.here + 2 * entry, *const below = row.below + 2 * entry;
    if (isOutside(shape, here, below)) {
      for (size_t p = 0; p < planeCount; ++p) std::fill_n(dst[p] + first, width, int16_t{0});
      continue;
    }
    const int32_t stepX = (here[2] - here[0]) >> kProjectionShift,
                  stepY = (here[3] - here[1]) >> kProjectionShift;
    const int32_t downX = below[0] - here[0], downY = below[1] - here[1];
    int32_t sums[kMaxProjectedPlanes][kProjectionStep] = {};
    for (int k = 0; k < row.down; ++k) {
      for (int i = 0; i < row.across; ++i) {
        const CodeWalk walk{here[0] + partOfStep(stepX, i, row.across) + partOfStep(downX, k, row.down),
                            here[1] + partOfStep(stepY, i, row.across) + partOfStep(downY, k, row.down),
                            stepX, stepY};
        if (addProjected(sums, planes, planeCount, shape, walk)) continue;
        for (size_t p = 0; p < planeCount; ++p) {
          for (int32_t s = 0; s < kProjectionStep; ++s)
            sums[p][s] += codeSample(planes[p], shape, walk.x + s * stepX, walk.y + s * stepY, kWeightBits);
        }
      }
    }
    for (size_t p = 0; p < planeCount; ++p) {
      for (size_t s = 0; s < width; ++s)
        dst[p][first + s] = static_cast<int16_t>((sums[p][s] + parts / 2) >> shift);
    }
  }
}

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {
namespace {

HWY_EXPORT(SampleProjected);

}  // namespace

void sampleProjectedCodes(int16_t* const* dst, const int16_t* const* planes, size_t planeCount,
                          const CodePlane& shape, const ProjectedRow& row, size_t count) {
  HWY_DYNAMIC_DISPATCH(SampleProjected)(dst, planes, planeCount, shape, row, count);
}

}  // namespace framewright::kernels
#endif  // HWY_ONCE
