// Bilinear samples of planes, for the kernels of each instruction set. Included once for each of them.
#if defined(FRAMEWRIGHT_BILINEAR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FRAMEWRIGHT_BILINEAR_INL
#undef FRAMEWRIGHT_BILINEAR_INL
#else
#define FRAMEWRIGHT_BILINEAR_INL
#endif

#include <hwy/highway.h>

#include "kernels/resample.h"

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

// Bilinear samples at 16.16 positions, as reference::sampleRow() computes them.
template <class D>
HWY_INLINE hwy::HWY_NAMESPACE::VFromD<D> bilinear(D d, const SamplePlane& plane,
                                                  hwy::HWY_NAMESPACE::VFromD<D> u,
                                                  hwy::HWY_NAMESPACE::VFromD<D> v) {
  namespace hn = hwy::HWY_NAMESPACE;
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

#endif

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
