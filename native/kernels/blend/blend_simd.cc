#include "kernels/blend/blend.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/blend/blend_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

using reference::fillRow;
using reference::lerpRow;
using reference::overRow;
using reference::overRowMasked;

#else

namespace hn = hwy::HWY_NAMESPACE;

// Bytes are processed as 16-bit lanes, first the even and then the odd bytes, which avoids interleaving.
template <class D8>
struct Lanes16 {
  using Unsigned = hn::Repartition<uint16_t, D8>;
  using Signed = hn::RebindToSigned<Unsigned>;

  template <class V>
  static auto even(V bytes) {
    return hn::And(hn::BitCast(Unsigned(), bytes), hn::Set(Unsigned(), 0xFF));
  }
  template <class V>
  static auto odd(V bytes) {
    return hn::ShiftRight<8>(hn::BitCast(Unsigned(), bytes));
  }
  // Both inputs are in 0..255.
  template <class V>
  static auto join(V evens, V odds) {
    const auto high = hn::ShiftLeft<8>(hn::BitCast(Unsigned(), odds));
    return hn::BitCast(D8(), hn::Or(hn::BitCast(Unsigned(), evens), high));
  }
};

template <class D16, class V, class W>
auto over16(D16 di, V dst, V src, V alpha, W weight) {
  const hn::RebindToUnsigned<D16> du;
  const auto covered = hn::MulHigh(hn::Mul(dst, alpha), hn::Set(du, 32897));
  const auto delta = hn::Sub(hn::BitCast(di, hn::ShiftLeft<7>(src)), hn::BitCast(di, covered));
  const auto base = hn::BitCast(di, hn::ShiftLeft<7>(dst));
  const auto sum = hn::SaturatedAdd(base, hn::MulFixedPoint15(delta, weight));
  return hn::ShiftRight<7>(hn::SaturatedAdd(sum, hn::Set(di, 64)));
}

template <class D16, class V, class W>
auto lerp16(D16 di, V a, V b, W weight) {
  const auto from = hn::BitCast(di, a);
  return hn::Add(from, hn::MulFixedPoint15(hn::Sub(hn::BitCast(di, b), from), weight));
}

template <class D>
size_t overSome(D d, uint8_t* dst, const uint8_t* src, const uint8_t* alpha, size_t i, size_t count,
                uint16_t weight) {
  using L = Lanes16<D>;
  const typename L::Signed di;
  const auto w = hn::Set(di, static_cast<int16_t>(weight));
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto b = hn::LoadU(d, dst + i), s = hn::LoadU(d, src + i), a = hn::LoadU(d, alpha + i);
    const auto evens = over16(di, L::even(b), L::even(s), L::even(a), w);
    const auto odds = over16(di, L::odd(b), L::odd(s), L::odd(a), w);
    hn::StoreU(L::join(evens, odds), d, dst + i);
  }
  return i;
}

template <class D>
size_t overMaskedSome(D d, uint8_t* dst, const uint8_t* src, const uint8_t* alpha, const uint16_t* weights,
                      size_t i, size_t count) {
  using L = Lanes16<D>;
  const typename L::Signed di;
  const typename L::Unsigned du;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto b = hn::LoadU(d, dst + i), s = hn::LoadU(d, src + i);
    const auto a = alpha ? hn::LoadU(d, alpha + i) : hn::Set(d, 255);
    const auto low = hn::LoadU(du, weights + i), high = hn::LoadU(du, weights + i + hn::Lanes(du));
    const auto evenWeights = hn::BitCast(di, hn::ConcatEven(du, high, low));
    const auto oddWeights = hn::BitCast(di, hn::ConcatOdd(du, high, low));
    const auto evens = over16(di, L::even(b), L::even(s), L::even(a), evenWeights);
    const auto odds = over16(di, L::odd(b), L::odd(s), L::odd(a), oddWeights);
    hn::StoreU(L::join(evens, odds), d, dst + i);
  }
  return i;
}

template <class D>
size_t lerpSome(D d, uint8_t* dst, const uint8_t* a, const uint8_t* b, size_t i, size_t count,
                uint16_t weight) {
  using L = Lanes16<D>;
  const typename L::Signed di;
  const auto w = hn::Set(di, static_cast<int16_t>(weight));
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto from = hn::LoadU(d, a + i), to = hn::LoadU(d, b + i);
    const auto evens = lerp16(di, L::even(from), L::even(to), w);
    const auto odds = lerp16(di, L::odd(from), L::odd(to), w);
    hn::StoreU(L::join(evens, odds), d, dst + i);
  }
  return i;
}

template <class D>
size_t fillSome(D d, uint8_t* dst, uint8_t value, size_t i, size_t count, uint16_t weight) {
  using L = Lanes16<D>;
  const typename L::Signed di;
  const auto w = hn::Set(di, static_cast<int16_t>(weight));
  const auto to = hn::Set(typename L::Unsigned(), value);
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto from = hn::LoadU(d, dst + i);
    hn::StoreU(L::join(lerp16(di, L::even(from), to, w), lerp16(di, L::odd(from), to, w)), d, dst + i);
  }
  return i;
}

// Whole vectors, then 16 bytes at a time, then the scalar version for the rest.
using Wide = hn::ScalableTag<uint8_t>;
using Narrow = hn::CappedTag<uint8_t, 16>;

void overRow(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, size_t count, uint16_t weight) {
  size_t i = overSome(Wide(), dst, src, alpha, 0, count, weight);
  i = overSome(Narrow(), dst, src, alpha, i, count, weight);
  reference::overRow(dst + i, src + i, alpha + i, count - i, weight);
}

void overRowMasked(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, const uint16_t* weights,
                   size_t count) {
  size_t i = overMaskedSome(Wide(), dst, src, alpha, weights, 0, count);
  i = overMaskedSome(Narrow(), dst, src, alpha, weights, i, count);
  reference::overRowMasked(dst + i, src + i, alpha ? alpha + i : nullptr, weights + i, count - i);
}

void lerpRow(uint8_t* dst, const uint8_t* a, const uint8_t* b, size_t count, uint16_t weight) {
  size_t i = lerpSome(Wide(), dst, a, b, 0, count, weight);
  i = lerpSome(Narrow(), dst, a, b, i, count, weight);
  reference::lerpRow(dst + i, a + i, b + i, count - i, weight);
}

void fillRow(uint8_t* dst, uint8_t value, size_t count, uint16_t weight) {
  size_t i = fillSome(Wide(), dst, value, 0, count, weight);
  i = fillSome(Narrow(), dst, value, i, count, weight);
  reference::fillRow(dst + i, value, count - i, weight);
}

#endif  // HWY_SCALAR

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {

HWY_EXPORT(overRow);
HWY_EXPORT(overRowMasked);
HWY_EXPORT(lerpRow);
HWY_EXPORT(fillRow);

void overRow(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, size_t count, uint16_t weight) {
  HWY_DYNAMIC_DISPATCH(overRow)(dst, src, alpha, count, weight);
}

void overRowMasked(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, const uint16_t* weights,
                   size_t count) {
  HWY_DYNAMIC_DISPATCH(overRowMasked)(dst, src, alpha, weights, count);
}

void lerpRow(uint8_t* dst, const uint8_t* a, const uint8_t* b, size_t count, uint16_t weight) {
  HWY_DYNAMIC_DISPATCH(lerpRow)(dst, a, b, count, weight);
}

void fillRow(uint8_t* dst, uint8_t value, size_t count, uint16_t weight) {
  HWY_DYNAMIC_DISPATCH(fillRow)(dst, value, count, weight);
}

}  // namespace framewright::kernels
#endif
