#include <cstring>

#include "kernels/projection.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/projection_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

using reference::sampleProjected;

#else

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<int32_t, kProjectionStep>;
using Vector = hn::VFromD<Lanes>;

// Bilinear samples at 16.16 positions, as sampleRow() computes them.
HWY_INLINE Vector bilinear(const SamplePlane& plane, Vector u, Vector v) {
  const Lanes d;
  const auto minX = hn::Set(d, plane.minX), maxX = hn::Set(d, plane.maxX);
  const auto minY = hn::Set(d, plane.minY), maxY = hn::Set(d, plane.maxY);
  const auto one = hn::Set(d, 1), byte = hn::Set(d, 0xFF), stride = hn::Set(d, plane.stride);
  const auto cu = hn::Max(hn::Min(u, hn::ShiftLeft<16>(maxX)), hn::ShiftLeft<16>(minX));
  const auto cv = hn::Max(hn::Min(v, hn::ShiftLeft<16>(maxY)), hn::ShiftLeft<16>(minY));
  const auto x = hn::Max(hn::Min(hn::ShiftRight<16>(cu), hn::Sub(maxX, one)), minX);
  const auto y = hn::Max(hn::Min(hn::ShiftRight<16>(cv), hn::Sub(maxY, one)), minY);
  const auto fx = hn::ShiftRight<8>(hn::Sub(cu, hn::ShiftLeft<16>(x)));
  const auto fy = hn::ShiftRight<8>(hn::Sub(cv, hn::ShiftLeft<16>(y)));
  // Four bytes are read; near the end of the plane they start earlier.
  const auto last = hn::Set(d, plane.lastOffset);
  const auto pairs = [&](auto offset) {
    const auto start = hn::Min(offset, last);
    const auto words = hn::GatherOffset(d, reinterpret_cast<const int32_t*>(plane.data), start);
    return hn::Shr(words, hn::ShiftLeft<3>(hn::Sub(offset, start)));
  };
  const auto row0 = pairs(hn::Add(hn::Mul(y, stride), x));
  const auto row1 = pairs(hn::Add(hn::Mul(hn::Min(hn::Add(y, one), maxY), stride), x));
  const auto a = hn::And(row0, byte), b = hn::And(hn::ShiftRight<8>(row0), byte);
  const auto c = hn::And(row1, byte), e = hn::And(hn::ShiftRight<8>(row1), byte);
  const auto top = hn::Add(hn::ShiftLeft<8>(a), hn::Mul(hn::Sub(b, a), fx));
  const auto bottom = hn::Add(hn::ShiftLeft<8>(c), hn::Mul(hn::Sub(e, c), fx));
  const auto sum = hn::Add(hn::ShiftLeft<8>(top), hn::Mul(hn::Sub(bottom, top), fy));
  return hn::ShiftRight<16>(hn::Add(sum, hn::Set(d, 32768)));
}

void sampleProjected(uint8_t* dst, const SamplePlane& plane, const ProjectedRow& row, size_t count) {
  const Lanes d;
  const hn::Rebind<uint8_t, Lanes> dOut;
  const size_t lanes = hn::Lanes(d);
  const int parts = row.across * row.down;
  int shift = 0;
  while (1 << shift < parts) ++shift;
  const size_t whole = count / kProjectionStep * kProjectionStep;
  for (size_t first = 0, entry = 0; first < whole; first += kProjectionStep, ++entry) {
    const ProjectedWalk walk = projectedWalk(plane, row, entry);
    if (walk.isOutside) {
      std::memset(dst + first, 0, kProjectionStep);
      continue;
    }
    for (size_t lane = 0; lane < kProjectionStep; lane += lanes) {
      const auto ramp = hn::Iota(d, static_cast<int32_t>(lane));
      const auto u = hn::Add(hn::Set(d, walk.x), hn::Mul(ramp, hn::Set(d, walk.stepX)));
      const auto v = hn::Add(hn::Set(d, walk.y), hn::Mul(ramp, hn::Set(d, walk.stepY)));
      auto sum = hn::Set(d, parts / 2);
      for (int k = 0; k < row.down; ++k) {
        for (int i = 0; i < row.across; ++i) {
          const int32_t x = partOfStep(walk.stepX, i, row.across) + partOfStep(walk.downX, k, row.down);
          const int32_t y = partOfStep(walk.stepY, i, row.across) + partOfStep(walk.downY, k, row.down);
          sum = hn::Add(sum, bilinear(plane, hn::Add(u, hn::Set(d, x)), hn::Add(v, hn::Set(d, y))));
        }
      }
      hn::StoreU(hn::DemoteTo(dOut, hn::ShiftRightSame(sum, shift)), dOut, dst + first + lane);
    }
  }
  const size_t done = whole / kProjectionStep;
  reference::sampleProjected(
      dst + whole, plane, {row.here + 2 * done, row.below + 2 * done, row.across, row.down}, count - whole);
}

#endif  // HWY_SCALAR

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {

HWY_EXPORT(sampleProjected);

void sampleProjected(uint8_t* dst, const SamplePlane& plane, const ProjectedRow& row, size_t count) {
  HWY_DYNAMIC_DISPATCH(sampleProjected)(dst, plane, row, count);
}

}  // namespace framewright::kernels
#endif
