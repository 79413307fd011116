#include "kernels/color_matrix.h"
#include "kernels/convert.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/convert_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

using reference::chromaRow;
using reference::doubleChromaRow;
using reference::lumaRow;
using reference::siteChromaRow;
using reference::unpackPremultipliedRow;
using reference::unpackStraightRow;

#else

namespace hn = hwy::HWY_NAMESPACE;

inline WideRow after(const WideRow& row, size_t i) { return {row.r + i, row.g + i, row.b + i, row.a + i}; }
inline ConstWideRow after(const ConstWideRow& row, size_t i) {
  ConstWideRow moved = row;
  moved.r += i, moved.g += i, moved.b += i, moved.a += i;
  return moved;
}

// A pixel per 32-bit lane, red in the lowest byte.
template <bool kStraight>
size_t unpackSome(const WideRow& dst, uint8_t* alpha, const uint8_t* rgba, size_t count) {
  const hn::ScalableTag<int32_t> d;
  const hn::Rebind<uint16_t, decltype(d)> d16;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  const auto byte = hn::Set(d, 0xFF);
  size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto px = hn::LoadU(d, reinterpret_cast<const int32_t*>(rgba + 4 * i));
    const auto a = hn::And(hn::ShiftRight<24>(px), byte);
    const auto factor = kStraight ? a : byte;
    const auto limit = kStraight ? byte : a;
    const auto store = [&](uint16_t* to, auto color) {
      const auto value = hn::Mul(hn::Min(hn::And(color, byte), limit), factor);
      hn::StoreU(hn::DemoteTo(d16, value), d16, to + i);
    };
    store(dst.r, px);
    store(dst.g, hn::ShiftRight<8>(px));
    store(dst.b, hn::ShiftRight<16>(px));
    hn::StoreU(hn::DemoteTo(d16, hn::Mul(a, byte)), d16, dst.a + i);
    hn::StoreU(hn::DemoteTo(d8, a), d8, alpha + i);
  }
  return i;
}

void unpackStraightRow(const WideRow& dst, uint8_t* alpha, const uint8_t* rgba, size_t count) {
  const size_t i = unpackSome<true>(dst, alpha, rgba, count);
  reference::unpackStraightRow(after(dst, i), alpha + i, rgba + 4 * i, count - i);
}

void unpackPremultipliedRow(const WideRow& dst, uint8_t* alpha, const uint8_t* rgba, size_t count) {
  const size_t i = unpackSome<false>(dst, alpha, rgba, count);
  reference::unpackPremultipliedRow(after(dst, i), alpha + i, rgba + 4 * i, count - i);
}

template <class D, class V>
auto apply(D d, const MatrixRow& m, V r, V g, V b, V a, V threshold) {
  const auto warm = hn::Add(hn::Mul(r, hn::Set(d, m.r)), hn::Mul(g, hn::Set(d, m.g)));
  const auto cold = hn::Add(hn::Mul(b, hn::Set(d, m.b)), hn::Mul(a, hn::Set(d, m.a)));
  const auto sum = hn::Add(hn::Add(warm, cold), hn::ShiftLeft<kThresholdShift>(threshold));
  return hn::BitCast(hn::RebindToSigned<D>(), hn::ShiftRight<kMatrixShift>(sum));
}

// Thresholds of the lanes of a vector that starts at sample `i`.
template <class D>
hn::Vec<D> thresholdsAt(D d, const RowRounding& rounding, size_t i) {
  const auto offsets = hn::Mul(hn::Iota(d, 0), hn::Set(d, uint32_t{rounding.step}));
  const auto position = hn::Add(offsets, hn::Set(d, rounding.after(static_cast<ptrdiff_t>(i)).position));
  return hn::Or(hn::And(position, hn::Set(d, rounding.mask)), hn::Set(d, rounding.base));
}

void lumaRow(uint8_t* y, const ConstWideRow& src, size_t count, const RowRounding& rounding) {
  const hn::ScalableTag<uint32_t> d;
  const hn::Rebind<uint16_t, decltype(d)> d16;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  size_t i = 0;
  const auto load = [&](const uint16_t* from) { return hn::PromoteTo(d, hn::LoadU(d16, from + i)); };
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto sum =
        apply(d, kLuma, load(src.r), load(src.g), load(src.b), load(src.a), thresholdsAt(d, rounding, i));
    hn::StoreU(hn::DemoteTo(d8, sum), d8, y + i);
  }
  reference::lumaRow(y + i, after(src, i), count - i, rounding.after(static_cast<ptrdiff_t>(i)));
}

void siteChromaRow(uint16_t* dst, const uint16_t* top, const uint16_t* bottom, size_t count) {
  const hn::ScalableTag<uint32_t> d;  // one lane per pair of columns
  const hn::Repartition<uint16_t, decltype(d)> dPair;
  const hn::Rebind<uint16_t, decltype(d)> d16;
  const auto half = hn::Set(d, 0xFFFF);
  const auto pairs = [&](const uint16_t* from) { return hn::BitCast(d, hn::LoadU(dPair, from)); };
  size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto t = pairs(top + 2 * i), b = pairs(bottom + 2 * i);
    const auto tLeft = hn::And(pairs(top + 2 * i - 1), half),
               bLeft = hn::And(pairs(bottom + 2 * i - 1), half);
    const auto centre = hn::Add(hn::And(t, half), hn::And(b, half));
    const auto right = hn::Add(hn::ShiftRight<16>(t), hn::ShiftRight<16>(b));
    const auto sides = hn::Add(hn::Add(tLeft, bLeft), right);
    const auto sum = hn::Add(hn::Add(sides, hn::ShiftLeft<1>(centre)), hn::Set(d, 4));
    const auto mean = hn::BitCast(hn::RebindToSigned<decltype(d)>(), hn::ShiftRight<3>(sum));
    hn::StoreU(hn::DemoteTo(d16, mean), d16, dst + i);
  }
  reference::siteChromaRow(dst + i, top + 2 * i, bottom + 2 * i, count - i);
}

void chromaRow(uint8_t* u, uint8_t* v, uint8_t* alpha, const ConstWideRow& src, size_t count,
               const RowRounding& rounding) {
  const hn::ScalableTag<uint32_t> d;
  const hn::Rebind<uint16_t, decltype(d)> d16;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  size_t i = 0;
  const auto load = [&](const uint16_t* from) { return hn::PromoteTo(d, hn::LoadU(d16, from + i)); };
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto r = load(src.r), g = load(src.g), b = load(src.b), a = load(src.a);
    const auto threshold = thresholdsAt(d, rounding, i);
    hn::StoreU(hn::DemoteTo(d8, apply(d, kCb, r, g, b, a, threshold)), d8, u + i);
    hn::StoreU(hn::DemoteTo(d8, apply(d, kCr, r, g, b, a, threshold)), d8, v + i);
    hn::StoreU(hn::DemoteTo(d8, apply(d, kAlpha, r, g, b, a, threshold)), d8, alpha + i);
  }
  reference::chromaRow(u + i, v + i, alpha + i, after(src, i), count - i,
                       rounding.after(static_cast<ptrdiff_t>(i)));
}

void doubleChromaRow(uint8_t* dst, const uint8_t* near, const uint8_t* far, size_t count) {
  const hn::ScalableTag<uint16_t> d;  // one lane per pair of columns
  const hn::Rebind<uint8_t, decltype(d)> d8;
  const hn::Repartition<uint8_t, decltype(d)> dOut;
  const auto load = [&](const uint8_t* from) { return hn::PromoteTo(d, hn::LoadU(d8, from)); };
  const auto three = hn::Set(d, 3), four = hn::Set(d, 4);
  size_t i = 0;
  for (; i + 2 * hn::Lanes(d) <= count; i += 2 * hn::Lanes(d)) {
    const size_t at = i / 2;
    const auto left = hn::Add(hn::Mul(load(near + at), three), load(far + at));
    const auto right = hn::Add(hn::Mul(load(near + at + 1), three), load(far + at + 1));
    const auto even = hn::ShiftRight<3>(hn::Add(hn::Add(left, left), four));
    const auto odd = hn::ShiftRight<3>(hn::Add(hn::Add(left, right), four));
    hn::StoreU(hn::BitCast(dOut, hn::Or(even, hn::ShiftLeft<8>(odd))), dOut, dst + i);
  }
  reference::doubleChromaRow(dst + i, near + i / 2, far + i / 2, count - i);
}

#endif  // HWY_SCALAR

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {

HWY_EXPORT(unpackStraightRow);
HWY_EXPORT(unpackPremultipliedRow);
HWY_EXPORT(lumaRow);
HWY_EXPORT(siteChromaRow);
HWY_EXPORT(chromaRow);
HWY_EXPORT(doubleChromaRow);

void unpackStraightRow(const WideRow& dst, uint8_t* alpha, const uint8_t* rgba, size_t count) {
  HWY_DYNAMIC_DISPATCH(unpackStraightRow)(dst, alpha, rgba, count);
}
void unpackPremultipliedRow(const WideRow& dst, uint8_t* alpha, const uint8_t* rgba, size_t count) {
  HWY_DYNAMIC_DISPATCH(unpackPremultipliedRow)(dst, alpha, rgba, count);
}
void lumaRow(uint8_t* y, const ConstWideRow& src, size_t count, const RowRounding& rounding) {
  HWY_DYNAMIC_DISPATCH(lumaRow)(y, src, count, rounding);
}
void siteChromaRow(uint16_t* dst, const uint16_t* top, const uint16_t* bottom, size_t count) {
  HWY_DYNAMIC_DISPATCH(siteChromaRow)(dst, top, bottom, count);
}
void chromaRow(uint8_t* u, uint8_t* v, uint8_t* alpha, const ConstWideRow& src, size_t count,
               const RowRounding& rounding) {
  HWY_DYNAMIC_DISPATCH(chromaRow)(u, v, alpha, src, count, rounding);
}
void doubleChromaRow(uint8_t* dst, const uint8_t* near, const uint8_t* far, size_t count) {
  HWY_DYNAMIC_DISPATCH(doubleChromaRow)(dst, near, far, count);
}

}  // namespace framewright::kernels
#endif
