#include "kernels/mean/sliding_mean.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/mean/sliding_mean_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

using reference::reverseRow;
using reference::slideMeanRow;

#else

namespace hn = hwy::HWY_NAMESPACE;

void slideMeanRow(uint8_t* dst, uint32_t* sums, const uint8_t* leaving, const uint8_t* entering, size_t count,
                  const SlidingBox& box, bool slides) {
  using Wide = hn::ScalableTag<uint32_t>;
  using Samples = hn::Rebind<uint8_t, Wide>;
  using Double = hn::RepartitionToWide<Wide>;
  const Wide d;
  const Double dd;
  const size_t step = hn::Lanes(d);
  const BoxDivision mean(box.length);
  const auto half = hn::Set(d, mean.half), reciprocal = hn::Set(d, mean.reciprocal);
  const auto startFraction = hn::Set(d, box.startFraction), endFraction = hn::Set(d, box.endFraction);
  // The quotients are bytes, so those of the odd lanes can be moved into the upper halves.
  const auto divided = [&](auto value) {
    const auto odd = hn::ShiftRight<32>(hn::BitCast(dd, value));
    const auto low = hn::ShiftRightSame(hn::MulEven(value, reciprocal), mean.shift);
    const auto high = hn::ShiftRightSame(hn::MulEven(hn::BitCast(d, odd), reciprocal), mean.shift);
    return hn::BitCast(d, hn::Or(low, hn::ShiftLeft<32>(high)));
  };
  size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto first = hn::PromoteTo(d, hn::LoadU(Samples(), leaving + i));
    const auto last = hn::PromoteTo(d, hn::LoadU(Samples(), entering + i));
    const auto sum = hn::LoadU(d, sums + i);
    const auto parts = hn::Sub(hn::Mul(endFraction, last), hn::Mul(startFraction, first));
    const auto boxed = hn::Add(hn::Add(hn::ShiftLeft<6>(sum), half), parts);
    const auto bytes = hn::BitCast(hn::RebindToSigned<Wide>(), divided(boxed));
    hn::StoreU(hn::DemoteTo(Samples(), bytes), Samples(), dst + i);
    if (slides) hn::StoreU(hn::Add(sum, hn::Sub(last, first)), d, sums + i);
  }
  reference::slideMeanRow(dst + i, sums + i, leaving + i, entering + i, count - i, box, slides);
}

void reverseRow(uint8_t* dst, const uint8_t* src, size_t count) {
  // As pairs, because bytes cannot be reversed in every version of Highway.
  const hn::ScalableTag<uint16_t> d;
  const hn::Repartition<uint8_t, decltype(d)> bytes;
  const size_t step = hn::Lanes(bytes);
  size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto pairs = hn::Reverse(d, hn::BitCast(d, hn::LoadU(bytes, src + count - i - step)));
    const auto reversed = hn::Or(hn::ShiftLeft<8>(pairs), hn::ShiftRight<8>(pairs));
    hn::StoreU(hn::BitCast(bytes, reversed), bytes, dst + i);
  }
  reference::reverseRow(dst + i, src, count - i);
}

#endif  // HWY_SCALAR

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {

HWY_EXPORT(slideMeanRow);
HWY_EXPORT(reverseRow);

void slideMeanRow(uint8_t* dst, uint32_t* sums, const uint8_t* leaving, const uint8_t* entering, size_t count,
                  const SlidingBox& box, bool slides) {
  HWY_DYNAMIC_DISPATCH(slideMeanRow)(dst, sums, leaving, entering, count, box, slides);
}

void reverseRow(uint8_t* dst, const uint8_t* src, size_t count) {
  HWY_DYNAMIC_DISPATCH(reverseRow)(dst, src, count);
}

}  // namespace framewright::kernels
#endif
