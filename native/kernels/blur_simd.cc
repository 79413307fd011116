#include "kernels/blur.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/blur_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

using reference::doubleColumns;
using reference::halveColumns;
using reference::narrowRow;
using reference::weighRows;
using reference::widenRow;

#else

namespace hn = hwy::HWY_NAMESPACE;

using Wide = hn::ScalableTag<int16_t>;
using Unsigned = hn::RebindToUnsigned<Wide>;
using Bytes = hn::Rebind<uint8_t, Wide>;

void widenRow(int16_t* dst, const uint8_t* src, size_t count) {
  const Wide d;
  const size_t step = hn::Lanes(d);
  size_t i = 0;
  for (; i + step <= count; i += step) {
    hn::StoreU(hn::ShiftLeft<7>(hn::PromoteTo(d, hn::LoadU(Bytes(), src + i))), d, dst + i);
  }
  reference::widenRow(dst + i, src + i, count - i);
}

void narrowRow(uint8_t* dst, const int16_t* src, size_t count) {
  const Wide d;
  const size_t step = hn::Lanes(d);
  size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto rounded = hn::ShiftRight<7>(hn::SaturatedAdd(hn::LoadU(d, src + i), hn::Set(d, 64)));
    hn::StoreU(hn::DemoteTo(Bytes(), rounded), Bytes(), dst + i);
  }
  reference::narrowRow(dst + i, src + i, count - i);
}

void weighRows(int16_t* dst, const int16_t* const* rows, const int16_t* weights, int taps, size_t count) {
  const Wide d;
  const size_t step = hn::Lanes(d);
  size_t i = 0;
  // Two independent accumulators hide the latency of the additions.
  for (; i + 2 * step <= count; i += 2 * step) {
    auto low = hn::Zero(d), high = hn::Zero(d);
    for (int t = 0; t < taps; ++t) {
      const auto weight = hn::Set(d, weights[t]);
      low = hn::SaturatedAdd(low, hn::MulFixedPoint15(hn::LoadU(d, rows[t] + i), weight));
      high = hn::SaturatedAdd(high, hn::MulFixedPoint15(hn::LoadU(d, rows[t] + i + step), weight));
    }
    hn::StoreU(low, d, dst + i);
    hn::StoreU(high, d, dst + i + step);
  }
  const auto weigh = [&](size_t at) {
    auto sum = hn::Zero(d);
    for (int t = 0; t < taps; ++t)
      sum = hn::SaturatedAdd(sum, hn::MulFixedPoint15(hn::LoadU(d, rows[t] + at), hn::Set(d, weights[t])));
    hn::StoreU(sum, d, dst + at);
  };
  for (; i + step <= count; i += step) weigh(i);
  if (i == count) return;
  if (count >= step) {
    weigh(count - step);  // the last samples, some of them again
    return;
  }
  for (; i < count; ++i) {
    int sum = 0;
    for (int t = 0; t < taps; ++t) {
      sum += (rows[t][i] * weights[t] + 0x4000) >> 15;
      if (sum > 32767) sum = 32767;
    }
    dst[i] = static_cast<int16_t>(sum);
  }
}

namespace {

// Samples are never negative, so unsigned averages are correct.
template <class V>
auto average(V a, V b) {
  const Unsigned du;
  return hn::AverageRound(hn::BitCast(du, a), hn::BitCast(du, b));
}

}  // namespace

void halveColumns(int16_t* dst, const int16_t* src, size_t count) {
  const Wide d;
  const size_t step = hn::Lanes(d);
  size_t i = 0;
  for (; i + step <= count; i += step) {
    auto before = hn::Zero(d), first = hn::Zero(d), second = hn::Zero(d), after = hn::Zero(d);
    hn::LoadInterleaved2(d, src + 2 * i - 1, before, first);
    hn::LoadInterleaved2(d, src + 2 * i + 1, second, after);
    const auto inner = average(first, second), outer = average(before, after);
    hn::StoreU(hn::BitCast(d, hn::AverageRound(inner, hn::AverageRound(inner, outer))), d, dst + i);
  }
  reference::halveColumns(dst + i, src + 2 * i, count - i);
}

void doubleColumns(int16_t* dst, const int16_t* src, size_t count) {
  const Wide d;
  const Unsigned du;
  const size_t step = hn::Lanes(d);
  size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto before = hn::LoadU(d, src + i - 1), at = hn::LoadU(d, src + i),
               after = hn::LoadU(d, src + i + 1);
    const auto whole = hn::BitCast(du, at);
    const auto left = hn::AverageRound(whole, average(at, before));
    const auto right = hn::AverageRound(whole, average(at, after));
    hn::StoreInterleaved2(hn::BitCast(d, left), hn::BitCast(d, right), d, dst + 2 * i);
  }
  reference::doubleColumns(dst + 2 * i, src + i, count - i);
}

#endif  // HWY_SCALAR

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {

HWY_EXPORT(widenRow);
HWY_EXPORT(narrowRow);
HWY_EXPORT(weighRows);
HWY_EXPORT(halveColumns);
HWY_EXPORT(doubleColumns);

void widenRow(int16_t* dst, const uint8_t* src, size_t count) {
  HWY_DYNAMIC_DISPATCH(widenRow)(dst, src, count);
}

void narrowRow(uint8_t* dst, const int16_t* src, size_t count) {
  HWY_DYNAMIC_DISPATCH(narrowRow)(dst, src, count);
}

void weighRows(int16_t* dst, const int16_t* const* rows, const int16_t* weights, int taps, size_t count) {
  HWY_DYNAMIC_DISPATCH(weighRows)(dst, rows, weights, taps, count);
}

void halveColumns(int16_t* dst, const int16_t* src, size_t count) {
  HWY_DYNAMIC_DISPATCH(halveColumns)(dst, src, count);
}

void doubleColumns(int16_t* dst, const int16_t* src, size_t count) {
  HWY_DYNAMIC_DISPATCH(doubleColumns)(dst, src, count);
}

}  // namespace framewright::kernels
#endif
