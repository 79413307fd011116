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

// Thresholds of the even and odd bytes of consecutive vectors.
template <class D>
class Thresholds {
 public:
  using Unsigned = hn::Repartition<uint16_t, D>;
  using Signed = hn::RebindToSigned<Unsigned>;
  using V = hn::Vec<Unsigned>;

  Thresholds(D d, const RowRounding& rounding)
      : evens_(hn::Add(hn::Mul(hn::Iota(Unsigned(), 0), set(2u * rounding.step)), set(rounding.position))),
        oddOffset_(set(rounding.step)),
        vectorStep_(set(static_cast<uint32_t>(hn::Lanes(d)) * rounding.step)),
        mask_(set(rounding.mask)),
        base_(set(rounding.base)) {}

  auto even() const { return at(evens_); }
  auto odd() const { return at(hn::Add(evens_, oddOffset_)); }
  void advance() { evens_ = hn::Add(evens_, vectorStep_); }

 private:
  static V set(uint32_t value) { return hn::Set(Unsigned(), static_cast<uint16_t>(value)); }
  auto at(V position) const { return hn::BitCast(Signed(), hn::Or(hn::And(position, mask_), base_)); }

  V evens_, oddOffset_, vectorStep_, mask_, base_;
};

template <class D16, class V, class W, class T>
auto over16(D16 di, V dst, V src, V alpha, W weight, T threshold) {
  const hn::RebindToUnsigned<D16> du;
  const auto covered = hn::MulHigh(hn::Mul(dst, alpha), hn::Set(du, 32897));
  const auto delta = hn::Sub(hn::BitCast(di, hn::ShiftLeft<7>(src)), hn::BitCast(di, covered));
  const auto base = hn::BitCast(di, hn::ShiftLeft<7>(dst));
  const auto sum = hn::SaturatedAdd(base, hn::MulFixedPoint15(delta, weight));
  return hn::ShiftRight<RowRounding::kFractionBits>(hn::SaturatedAdd(sum, threshold));
}

// over16() of opaque samples.
template <class D16, class V, class W, class T>
auto overOpaque16(D16 di, V dst, V src, W weight, T threshold) {
  const auto base = hn::BitCast(di, hn::ShiftLeft<7>(dst));
  const auto delta = hn::Sub(hn::BitCast(di, hn::ShiftLeft<7>(src)), base);
  const auto sum = hn::Add(base, hn::MulFixedPoint15(delta, weight));
  return hn::ShiftRight<RowRounding::kFractionBits>(hn::Add(sum, threshold));
}

template <class D16, class V, class W>
auto lerp16(D16 di, V a, V b, W weight) {
  const auto from = hn::BitCast(di, a);
  return hn::Add(from, hn::MulFixedPoint15(hn::Sub(hn::BitCast(di, b), from), weight));
}

template <bool kOpaque, class D>
size_t overSome(D d, uint8_t* dst, const uint8_t* src, const uint8_t* alpha, size_t i, size_t count,
                uint16_t weight, const RowRounding& rounding) {
  using L = Lanes16<D>;
  const typename L::Signed di;
  const auto w = hn::Set(di, static_cast<int16_t>(weight));
  Thresholds<D> thresholds(d, rounding.after(static_cast<ptrdiff_t>(i)));
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto b = hn::LoadU(d, dst + i), s = hn::LoadU(d, src + i);
    if constexpr (kOpaque) {
      const auto evens = overOpaque16(di, L::even(b), L::even(s), w, thresholds.even());
      const auto odds = overOpaque16(di, L::odd(b), L::odd(s), w, thresholds.odd());
      hn::StoreU(L::join(evens, odds), d, dst + i);
    } else {
      const auto a = hn::LoadU(d, alpha + i);
      const auto evens = over16(di, L::even(b), L::even(s), L::even(a), w, thresholds.even());
      const auto odds = over16(di, L::odd(b), L::odd(s), L::odd(a), w, thresholds.odd());
      hn::StoreU(L::join(evens, odds), d, dst + i);
    }
    thresholds.advance();
  }
  return i;
}

template <bool kOpaque, class D>
size_t overMaskedSome(D d, uint8_t* dst, const uint8_t* src, const uint8_t* alpha, const uint16_t* weights,
                      size_t i, size_t count, const RowRounding& rounding) {
  using L = Lanes16<D>;
  const typename L::Signed di;
  const typename L::Unsigned du;
  Thresholds<D> thresholds(d, rounding.after(static_cast<ptrdiff_t>(i)));
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto b = hn::LoadU(d, dst + i), s = hn::LoadU(d, src + i);
    const auto low = hn::LoadU(du, weights + i), high = hn::LoadU(du, weights + i + hn::Lanes(du));
    const auto evenWeights = hn::BitCast(di, hn::ConcatEven(du, high, low));
    const auto oddWeights = hn::BitCast(di, hn::ConcatOdd(du, high, low));
    if constexpr (kOpaque) {
      const auto evens = overOpaque16(di, L::even(b), L::even(s), evenWeights, thresholds.even());
      const auto odds = overOpaque16(di, L::odd(b), L::odd(s), oddWeights, thresholds.odd());
      hn::StoreU(L::join(evens, odds), d, dst + i);
    } else {
      const auto a = hn::LoadU(d, alpha + i);
      const auto evens = over16(di, L::even(b), L::even(s), L::even(a), evenWeights, thresholds.even());
      const auto odds = over16(di, L::odd(b), L::odd(s), L::odd(a), oddWeights, thresholds.odd());
      hn::StoreU(L::join(evens, odds), d, dst + i);
    }
    thresholds.advance();
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
size_t fillSome(D d, uint8_t* dst, uint8_t value, size_t i, size_t count, uint16_t weight,
                const RowRounding& rounding) {
  using L = Lanes16<D>;
  const typename L::Signed di;
  const auto w = hn::Set(di, static_cast<int16_t>(weight));
  const auto to = hn::Set(typename L::Unsigned(), value);
  Thresholds<D> thresholds(d, rounding.after(static_cast<ptrdiff_t>(i)));
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto from = hn::LoadU(d, dst + i);
    const auto evens = overOpaque16(di, L::even(from), to, w, thresholds.even());
    const auto odds = overOpaque16(di, L::odd(from), to, w, thresholds.odd());
    hn::StoreU(L::join(evens, odds), d, dst + i);
    thresholds.advance();
  }
  return i;
}

// Whole vectors, then 16 bytes at a time, then the scalar version for the rest.
using Wide = hn::ScalableTag<uint8_t>;
using Narrow = hn::CappedTag<uint8_t, 16>;

template <bool kOpaque>
size_t overVectors(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, size_t count, uint16_t weight,
                   const RowRounding& rounding) {
  const size_t i = overSome<kOpaque>(Wide(), dst, src, alpha, 0, count, weight, rounding);
  return overSome<kOpaque>(Narrow(), dst, src, alpha, i, count, weight, rounding);
}

template <bool kOpaque>
size_t overMaskedVectors(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, const uint16_t* weights,
                         size_t count, const RowRounding& rounding) {
  const size_t i = overMaskedSome<kOpaque>(Wide(), dst, src, alpha, weights, 0, count, rounding);
  return overMaskedSome<kOpaque>(Narrow(), dst, src, alpha, weights, i, count, rounding);
}

void overRow(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, size_t count, uint16_t weight,
             const RowRounding& rounding) {
  const size_t i = alpha == nullptr ? overVectors<true>(dst, src, alpha, count, weight, rounding)
                                    : overVectors<false>(dst, src, alpha, count, weight, rounding);
  reference::overRow(dst + i, src + i, alpha ? alpha + i : nullptr, count - i, weight,
                     rounding.after(static_cast<ptrdiff_t>(i)));
}

void overRowMasked(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, const uint16_t* weights,
                   size_t count, const RowRounding& rounding) {
  const size_t i = alpha == nullptr ? overMaskedVectors<true>(dst, src, alpha, weights, count, rounding)
                                    : overMaskedVectors<false>(dst, src, alpha, weights, count, rounding);
  reference::overRowMasked(dst + i, src + i, alpha ? alpha + i : nullptr, weights + i, count - i,
                           rounding.after(static_cast<ptrdiff_t>(i)));
}

void lerpRow(uint8_t* dst, const uint8_t* a, const uint8_t* b, size_t count, uint16_t weight) {
  size_t i = lerpSome(Wide(), dst, a, b, 0, count, weight);
  i = lerpSome(Narrow(), dst, a, b, i, count, weight);
  reference::lerpRow(dst + i, a + i, b + i, count - i, weight);
}

void fillRow(uint8_t* dst, uint8_t value, size_t count, uint16_t weight, const RowRounding& rounding) {
  size_t i = fillSome(Wide(), dst, value, 0, count, weight, rounding);
  i = fillSome(Narrow(), dst, value, i, count, weight, rounding);
  reference::fillRow(dst + i, value, count - i, weight, rounding.after(static_cast<ptrdiff_t>(i)));
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

void overRow(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, size_t count, uint16_t weight,
             const RowRounding& rounding) {
  HWY_DYNAMIC_DISPATCH(overRow)(dst, src, alpha, count, weight, rounding);
}

void overRowMasked(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, const uint16_t* weights,
                   size_t count, const RowRounding& rounding) {
  HWY_DYNAMIC_DISPATCH(overRowMasked)(dst, src, alpha, weights, count, rounding);
}

void lerpRow(uint8_t* dst, const uint8_t* a, const uint8_t* b, size_t count, uint16_t weight) {
  HWY_DYNAMIC_DISPATCH(lerpRow)(dst, a, b, count, weight);
}

void fillRow(uint8_t* dst, uint8_t value, size_t count, uint16_t weight, const RowRounding& rounding) {
  HWY_DYNAMIC_DISPATCH(fillRow)(dst, value, count, weight, rounding);
}

}  // namespace framewright::kernels
#endif
