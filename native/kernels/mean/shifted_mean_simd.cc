#include "kernels/mean/shifted_mean.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/mean/shifted_mean_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

using reference::addShifted;
using reference::averageRow;

#else

namespace hn = hwy::HWY_NAMESPACE;

void addShifted(uint16_t* sums, const uint8_t* upper, const uint8_t* lower, int right, int down,
                size_t count) {
  using Words = hn::ScalableTag<uint16_t>;
  using Samples = hn::Rebind<uint8_t, Words>;
  const Words d;
  const size_t step = hn::Lanes(d);
  const auto weight = [&](int steps) { return hn::Set(d, static_cast<uint16_t>(steps)); };
  const auto toRight = weight(right), toLeft = weight(kShiftSteps - right);
  // The upper half of a product with 64 times the weight is the product shifted by 10 bits.
  const auto toLower = weight(down << 6), toUpper = weight((kShiftSteps - down) << 6);
  const auto across = [&](const uint8_t* row) {
    const auto left = hn::PromoteTo(d, hn::LoadU(Samples(), row));
    const auto next = hn::PromoteTo(d, hn::LoadU(Samples(), row + 1));
    return hn::Add(hn::Mul(left, toLeft), hn::Mul(next, toRight));
  };
  size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto shifted =
        hn::Add(hn::MulHigh(across(upper + i), toUpper), hn::MulHigh(across(lower + i), toLower));
    hn::StoreU(hn::Add(hn::LoadU(d, sums + i), shifted), d, sums + i);
  }
  reference::addShifted(sums + i, upper + i, lower + i, right, down, count - i);
}

void averageRow(uint8_t* dst, const uint16_t* sums, int copies, size_t count) {
  using Wide = hn::ScalableTag<uint32_t>;
  using Words = hn::Rebind<uint16_t, Wide>;
  using Samples = hn::Rebind<uint8_t, Wide>;
  constexpr int kShift = 20;
  const Wide d;
  const size_t step = hn::Lanes(d);
  const auto n = static_cast<uint32_t>(copies);
  // Exact for every sum: a quarter of it is at most 64 * 256, and 64 * 256 * 63 < 2^20.
  const auto reciprocal = hn::Set(d, ((1u << kShift) + n - 1) / n), offset = hn::Set(d, 3 * n);
  size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto sum = hn::Add(hn::PromoteTo(d, hn::LoadU(Words(), sums + i)), offset);
    const auto mean = hn::ShiftRight<kShift>(hn::Mul(hn::ShiftRight<2>(sum), reciprocal));
    hn::StoreU(hn::DemoteTo(Samples(), hn::BitCast(hn::RebindToSigned<Wide>(), mean)), Samples(), dst + i);
  }
  reference::averageRow(dst + i, sums + i, copies, count - i);
}

#endif  // HWY_SCALAR

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {

HWY_EXPORT(addShifted);
HWY_EXPORT(averageRow);

void addShifted(uint16_t* sums, const uint8_t* upper, const uint8_t* lower, int right, int down,
                size_t count) {
  HWY_DYNAMIC_DISPATCH(addShifted)(sums, upper, lower, right, down, count);
}

void averageRow(uint8_t* dst, const uint16_t* sums, int copies, size_t count) {
  HWY_DYNAMIC_DISPATCH(averageRow)(dst, sums, copies, count);
}

}  // namespace framewright::kernels
#endif
