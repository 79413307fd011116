#include "kernels/ycbcr/ycbcr_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ycbcr/ycbcr_rows_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

using reference::convertChromaRow;
using reference::correctLumaRow;
using reference::mixCorrectionRow;
using reference::scaleSampleRow;
using reference::splitChromaRow;

#else

namespace hn = hwy::HWY_NAMESPACE;
constexpr int kShift = YcbcrMatrix::kShift;

// Two neighbouring samples per 32-bit lane: the even ones and the odd ones.
template <class V>
struct Pairs {
  V even, odd;
};

template <class D>
Pairs<hn::Vec<D> > loadPairs(D d, const uint8_t* from) {
  const hn::Repartition<uint16_t, D> d16;
  const hn::Rebind<uint8_t, decltype(d16)> d8;
  const auto both = hn::BitCast(d, hn::PromoteTo(d16, hn::LoadU(d8, from)));
  return {hn::And(both, hn::Set(d, 0xFFFF)), hn::ShiftRight<16>(both)};
}

// Removes the fraction bits and clamps to 0..255.
template <class D, class V>
void storePairs(D d, const Pairs<V>& sums, uint8_t* to) {
  const hn::Repartition<int16_t, D> d16;
  const hn::Rebind<uint8_t, decltype(d16)> d8;
  const auto even = hn::And(hn::ShiftRight<kShift>(sums.even), hn::Set(d, 0xFFFF));
  const auto odd = hn::ShiftLeft<16>(hn::ShiftRight<kShift>(sums.odd));
  hn::StoreU(hn::DemoteTo(d8, hn::BitCast(d16, hn::Or(even, odd))), d8, to);
}

void scaleSampleRow(uint8_t* dst, const uint8_t* src, int32_t scale, int32_t offset, size_t count) {
  const hn::ScalableTag<int32_t> d;
  const auto factor = hn::Set(d, scale), term = hn::Set(d, offset);
  size_t i = 0;
  for (; i + 2 * hn::Lanes(d) <= count; i += 2 * hn::Lanes(d)) {
    const auto samples = loadPairs(d, src + i);
    const Pairs<hn::Vec<decltype(d)> > sums{hn::Add(hn::Mul(samples.even, factor), term),
                                            hn::Add(hn::Mul(samples.odd, factor), term)};
    storePairs(d, sums, dst + i);
  }
  reference::scaleSampleRow(dst + i, src + i, scale, offset, count - i);
}

void convertChromaRow(const ChromaRow& dst, int32_t* correction, const ConstChromaRow& src,
                      const YcbcrMatrix& matrix, size_t count) {
  const hn::ScalableTag<int32_t> d;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  const auto grey = hn::Set(d, YcbcrMatrix::kGrey), offset = hn::Set(d, YcbcrMatrix::kChromaOffset);
  size_t i = 0;
  const auto load = [&](const uint8_t* from) {
    return hn::Sub(hn::PromoteTo(d, hn::LoadU(d8, from + i)), grey);
  };
  const auto store = [&](auto sum, uint8_t* to) {
    hn::StoreU(hn::DemoteTo(d8, hn::ShiftRight<kShift>(hn::Add(sum, offset))), d8, to + i);
  };
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto cb = load(src.cb), cr = load(src.cr);
    const auto sum = [&](int32_t fromCb, int32_t fromCr) {
      return hn::Add(hn::Mul(cb, hn::Set(d, fromCb)), hn::Mul(cr, hn::Set(d, fromCr)));
    };
    store(sum(matrix.cbFromCb, matrix.cbFromCr), dst.cb);
    store(sum(matrix.crFromCb, matrix.crFromCr), dst.cr);
    hn::StoreU(sum(matrix.lumaFromCb, matrix.lumaFromCr), d, correction + i);
  }
  reference::convertChromaRow({dst.cb + i, dst.cr + i}, correction + i, {src.cb + i, src.cr + i}, matrix,
                              count - i);
}

void mixCorrectionRow(int32_t* dst, const int32_t* near, const int32_t* far, int32_t nearWeight,
                      size_t count) {
  const hn::ScalableTag<int32_t> d;
  const auto weight = hn::Set(d, nearWeight);
  size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto a = hn::LoadU(d, near + i), b = hn::LoadU(d, far + i);
    hn::StoreU(hn::Add(hn::Mul(hn::Sub(a, b), weight), hn::ShiftLeft<2>(b)), d, dst + i);
  }
  reference::mixCorrectionRow(dst + i, near + i, far + i, nearWeight, count - i);
}

template <bool kCentred>
size_t correctSome(uint8_t* dst, const uint8_t* src, const int32_t* correction, const YcbcrMatrix& matrix,
                   size_t count) {
  const hn::ScalableTag<int32_t> d;
  const auto scale = hn::Set(d, matrix.luma), offset = hn::Set(d, matrix.lumaOffset);
  size_t i = 0;
  for (; i + 2 * hn::Lanes(d) <= count; i += 2 * hn::Lanes(d)) {
    const int32_t* const from = correction + i / 2;
    const auto at = hn::LoadU(d, from), next = hn::LoadU(d, from + 1);
    auto even = hn::ShiftRight<2>(at), odd = hn::ShiftRight<3>(hn::Add(at, next));
    if (kCentred) {
      const auto triple = hn::Add(at, hn::Add(at, at));
      even = hn::ShiftRight<4>(hn::Add(triple, hn::LoadU(d, from - 1)));
      odd = hn::ShiftRight<4>(hn::Add(triple, next));
    }
    const auto samples = loadPairs(d, src + i);
    const Pairs<hn::Vec<decltype(d)> > sums{hn::Add(hn::Add(hn::Mul(samples.even, scale), offset), even),
                                            hn::Add(hn::Add(hn::Mul(samples.odd, scale), offset), odd)};
    storePairs(d, sums, dst + i);
  }
  return i;
}

void correctLumaRow(uint8_t* dst, const uint8_t* src, const int32_t* correction, const YcbcrMatrix& matrix,
                    bool isCentred, size_t count) {
  const size_t i = isCentred ? correctSome<true>(dst, src, correction, matrix, count)
                             : correctSome<false>(dst, src, correction, matrix, count);
  reference::correctLumaRow(dst + i, src + i, correction + i / 2, matrix, isCentred, count - i);
}

void splitChromaRow(const ChromaRow& dst, const uint8_t* src, size_t count) {
  const hn::ScalableTag<uint8_t> d;
  size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    hn::Vec<decltype(d)> cb, cr;
    hn::LoadInterleaved2(d, src + 2 * i, cb, cr);
    hn::StoreU(cb, d, dst.cb + i);
    hn::StoreU(cr, d, dst.cr + i);
  }
  reference::splitChromaRow({dst.cb + i, dst.cr + i}, src + 2 * i, count - i);
}

#endif  // HWY_SCALAR

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {

HWY_EXPORT(scaleSampleRow);
HWY_EXPORT(convertChromaRow);
HWY_EXPORT(mixCorrectionRow);
HWY_EXPORT(correctLumaRow);
HWY_EXPORT(splitChromaRow);

void scaleSampleRow(uint8_t* dst, const uint8_t* src, int32_t scale, int32_t offset, size_t count) {
  HWY_DYNAMIC_DISPATCH(scaleSampleRow)(dst, src, scale, offset, count);
}
void convertChromaRow(const ChromaRow& dst, int32_t* correction, const ConstChromaRow& src,
                      const YcbcrMatrix& matrix, size_t count) {
  HWY_DYNAMIC_DISPATCH(convertChromaRow)(dst, correction, src, matrix, count);
}
void mixCorrectionRow(int32_t* dst, const int32_t* near, const int32_t* far, int32_t nearWeight,
                      size_t count) {
  HWY_DYNAMIC_DISPATCH(mixCorrectionRow)(dst, near, far, nearWeight, count);
}
void correctLumaRow(uint8_t* dst, const uint8_t* src, const int32_t* correction, const YcbcrMatrix& matrix,
                    bool isCentred, size_t count) {
  HWY_DYNAMIC_DISPATCH(correctLumaRow)(dst, src, correction, matrix, isCentred, count);
}
void splitChromaRow(const ChromaRow& dst, const uint8_t* src, size_t count) {
  HWY_DYNAMIC_DISPATCH(splitChromaRow)(dst, src, count);
}

}  // namespace framewright::kernels
#endif
