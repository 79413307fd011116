#include "kernels/blend/blend.h"
#include "kernels/straight.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/straight_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

using reference::keyRow;
using reference::unpremultiplyRow;

#else

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Ints = hn::RebindToSigned<Floats>;
using Bytes = hn::Rebind<uint8_t, Floats>;
using Words = hn::Rebind<uint16_t, Floats>;

namespace {

auto loadFloats(const uint8_t* from) {
  return hn::ConvertTo(Floats(), hn::PromoteTo(Ints(), hn::LoadU(Bytes(), from)));
}

}  // namespace

void unpremultiplyRow(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, size_t count) {
  const Floats d;
  const size_t step = hn::Lanes(d);
  const auto whole = hn::Set(d, 255.0f);
  size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto a = loadFloats(alpha + i);
    const auto straight = hn::Div(hn::Mul(loadFloats(src + i), whole), a);
    const auto shown = hn::IfThenElseZero(hn::Gt(a, hn::Zero(d)), hn::Min(straight, whole));
    hn::StoreU(hn::DemoteTo(Bytes(), hn::NearestInt(shown)), Bytes(), dst + i);
  }
  reference::unpremultiplyRow(dst + i, src + i, alpha + i, count - i);
}

void keyRow(uint16_t* hidden, const uint8_t* y, const uint8_t* u, const uint8_t* v, const KeyRamp& ramp,
            size_t count) {
  const Floats d;
  const size_t step = hn::Lanes(d);
  const auto steepness = hn::Set(d, 1.0f / (ramp.outer - ramp.inner)), inner = hn::Set(d, ramp.inner);
  const auto one = hn::Set(d, 1.0f);
  size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto dy = hn::Mul(hn::Sub(loadFloats(y + i), hn::Set(d, ramp.y)), hn::Set(d, ramp.lumaShare));
    const auto du = hn::Sub(loadFloats(u + i), hn::Set(d, ramp.u));
    const auto dv = hn::Sub(loadFloats(v + i), hn::Set(d, ramp.v));
    const auto square = hn::Add(hn::Add(hn::Mul(du, du), hn::Mul(dv, dv)), hn::Mul(dy, dy));
    const auto past = hn::Mul(hn::Sub(hn::Sqrt(square), inner), steepness);
    const auto t = hn::Min(hn::Max(past, hn::Zero(d)), one);
    const auto visible = hn::Mul(hn::Mul(t, t), hn::Sub(hn::Set(d, 3.0f), hn::Mul(hn::Set(d, 2.0f), t)));
    const auto weight = hn::Mul(hn::Sub(one, visible), hn::Set(d, static_cast<float>(kFullWeight)));
    hn::StoreU(hn::DemoteTo(Words(), hn::NearestInt(weight)), Words(), hidden + i);
  }
  reference::keyRow(hidden + i, y + i, u + i, v + i, ramp, count - i);
}

#endif  // HWY_SCALAR

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {

HWY_EXPORT(unpremultiplyRow);
HWY_EXPORT(keyRow);

void unpremultiplyRow(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, size_t count) {
  HWY_DYNAMIC_DISPATCH(unpremultiplyRow)(dst, src, alpha, count);
}

void keyRow(uint16_t* hidden, const uint8_t* y, const uint8_t* u, const uint8_t* v, const KeyRamp& ramp,
            size_t count) {
  HWY_DYNAMIC_DISPATCH(keyRow)(hidden, y, u, v, ramp, count);
}

}  // namespace framewright::kernels
#endif
