#include "kernels/shadow.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/shadow_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

using reference::layUnder;

#else

namespace hn = hwy::HWY_NAMESPACE;

void layUnder(uint8_t* row, const uint8_t* alpha, const uint16_t* cover, int value, int opacity,
              int intensity, size_t count) {
  using Words = hn::ScalableTag<uint16_t>;
  using Samples = hn::Rebind<uint8_t, Words>;
  const Words d;
  const size_t step = hn::Lanes(d);
  const auto full = hn::Set(d, uint16_t{255}), half = hn::Set(d, uint16_t{128}),
             two = hn::Set(d, uint16_t{2});
  const auto color = hn::Set(d, static_cast<uint16_t>(value)),
             share = hn::Set(d, static_cast<uint16_t>(opacity));
  const auto factor = hn::Set(d, static_cast<uint16_t>(intensity)),
             middle = hn::Set(d, uint16_t{kShadowIntensityUnit / 2});
  const auto product = [&](auto a, auto b) {
    const auto rounded = hn::Add(hn::Mul(a, b), half);
    return hn::ShiftRight<8>(hn::Add(rounded, hn::ShiftRight<8>(rounded)));
  };
  size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto blurred = hn::Min(hn::ShiftRight<2>(hn::Add(hn::LoadU(d, cover + i), two)), full);
    const auto stronger = hn::ShiftRight<kShadowIntensityShift>(hn::Add(hn::Mul(blurred, factor), middle));
    const auto shape = hn::Min(stronger, full);
    const auto seen = hn::Sub(full, hn::PromoteTo(d, hn::LoadU(Samples(), alpha + i)));
    const auto weight = product(product(shape, share), seen);
    const auto laid = hn::Add(hn::PromoteTo(d, hn::LoadU(Samples(), row + i)), product(color, weight));
    const auto bounded = hn::BitCast(hn::RebindToSigned<Words>(), hn::Min(laid, full));
    hn::StoreU(hn::DemoteTo(Samples(), bounded), Samples(), row + i);
  }
  reference::layUnder(row + i, alpha + i, cover + i, value, opacity, intensity, count - i);
}

#endif  // HWY_SCALAR

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {

HWY_EXPORT(layUnder);

void layUnder(uint8_t* row, const uint8_t* alpha, const uint16_t* cover, int value, int opacity,
              int intensity, size_t count) {
  HWY_DYNAMIC_DISPATCH(layUnder)(row, alpha, cover, value, opacity, intensity, count);
}

}  // namespace framewright::kernels
#endif
