#include <type_traits>

#include "kernels/blend/blend_matrix.h"
#include "kernels/blend/blend_modes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/blend/blend_modes_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

using reference::blendRow;

#else

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Ints = hn::RebindToSigned<Floats>;
using Bytes = hn::Rebind<uint8_t, Floats>;
using Words = hn::Rebind<uint16_t, Floats>;
using SignedWords = hn::Rebind<int16_t, Floats>;
using V = hn::Vec<Floats>;

namespace {

struct Rgb {
  V r, g, b;
};

V set(float value) { return hn::Set(Floats(), value); }
V unit(V value) { return hn::Min(hn::Max(value, hn::Zero(Floats())), set(1.0f)); }
V loadFloats(const uint8_t* from) {
  return hn::ConvertTo(Floats(), hn::PromoteTo(Ints(), hn::LoadU(Bytes(), from)));
}

Rgb rgbOf(const StraightRow& row, size_t i) {
  const V y = hn::Mul(hn::Sub(loadFloats(row.y + i), set(16.0f)), set(kUnitLuma));
  const V cb = hn::Sub(loadFloats(row.u + i), set(128.0f)), cr = hn::Sub(loadFloats(row.v + i), set(128.0f));
  const V green = hn::Sub(hn::Sub(y, hn::Mul(cb, set(kGreenPerCb))), hn::Mul(cr, set(kGreenPerCr)));
  return {unit(hn::Add(y, hn::Mul(cr, set(kRedPerCr)))), unit(green),
          unit(hn::Add(y, hn::Mul(cb, set(kBluePerCb))))};
}

V screen(V b, V s) { return hn::Sub(hn::Add(b, s), hn::Mul(b, s)); }

V hardLight(V b, V s) {
  const V twice = hn::Add(s, s);
  return hn::IfThenElse(hn::Le(s, set(0.5f)), hn::Mul(b, twice), screen(b, hn::Sub(twice, set(1.0f))));
}

struct Normal {
  static V mix(V, V s) { return s; }
};
struct Multiply {
  static V mix(V b, V s) { return hn::Mul(b, s); }
};
struct Screen {
  static V mix(V b, V s) { return screen(b, s); }
};
struct Overlay {
  static V mix(V b, V s) { return hardLight(s, b); }
};
struct Darken {
  static V mix(V b, V s) { return hn::Min(b, s); }
};
struct Lighten {
  static V mix(V b, V s) { return hn::Max(b, s); }
};
struct ColorDodge {
  static V mix(V b, V s) {
    const V one = set(1.0f);
    const V lit = hn::IfThenElse(hn::Ge(s, one), one, hn::Min(one, hn::Div(b, hn::Sub(one, s))));
    return hn::IfThenElseZero(hn::Gt(b, hn::Zero(Floats())), lit);
  }
};
struct ColorBurn {
  static V mix(V b, V s) {
    const V one = set(1.0f);
    const V burnt = hn::Sub(one, hn::Min(one, hn::Div(hn::Sub(one, b), s)));
    return hn::IfThenElse(hn::Ge(b, one), one, hn::IfThenElseZero(hn::Gt(s, hn::Zero(Floats())), burnt));
  }
};
struct HardLight {
  static V mix(V b, V s) { return hardLight(b, s); }
};
struct SoftLight {
  static V mix(V b, V s) {
    const V one = set(1.0f), twice = hn::Add(s, s);
    const V dark = hn::Sub(b, hn::Mul(hn::Mul(hn::Sub(one, twice), b), hn::Sub(one, b)));
    const V curve = hn::Add(hn::Mul(hn::Sub(hn::Mul(set(16.0f), b), set(12.0f)), b), set(4.0f));
    const V lit = hn::IfThenElse(hn::Le(b, set(0.25f)), hn::Mul(curve, b), hn::Sqrt(b));
    const V bright = hn::Add(b, hn::Mul(hn::Sub(twice, one), hn::Sub(lit, b)));
    return hn::IfThenElse(hn::Le(s, set(0.5f)), dark, bright);
  }
};
struct Difference {
  static V mix(V b, V s) { return hn::Abs(hn::Sub(b, s)); }
};
struct Exclusion {
  static V mix(V b, V s) { return hn::Sub(hn::Add(b, s), hn::Mul(hn::Mul(set(2.0f), b), s)); }
};
struct Add {};

template <class Mode>
V change(V b, V s, V weight) {
  if constexpr (std::is_same_v<Mode, Add>) {
    return hn::Sub(hn::Min(hn::Add(b, hn::Mul(s, weight)), set(1.0f)), b);
  } else {
    return hn::Mul(hn::Sub(Mode::mix(b, s), b), weight);
  }
}

template <class Mode>
size_t blendSome(const BlendedRow& dst, const StraightRow& backdrop, const StraightRow& source,
                 const uint8_t* alpha, const uint16_t* weights, size_t count) {
  const size_t step = hn::Lanes(Floats());
  size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto a = hn::PromoteTo(Ints(), hn::LoadU(Bytes(), alpha + i));
    const auto w = hn::PromoteTo(Ints(), hn::LoadU(Words(), weights + i));
    const V weight = hn::Mul(hn::ConvertTo(Floats(), hn::Mul(a, w)), set(kUnitWeightOfAlpha));
    const Rgb b = rgbOf(backdrop, i), s = rgbOf(source, i);
    const V r = change<Mode>(b.r, s.r, weight), g = change<Mode>(b.g, s.g, weight),
            blue = change<Mode>(b.b, s.b, weight);
    const V luma = hn::Add(hn::Add(hn::Mul(r, set(kLumaOfRed)), hn::Mul(g, set(kLumaOfGreen))),
                           hn::Mul(blue, set(kLumaOfBlue)));
    const V y = hn::Add(loadFloats(backdrop.y + i), hn::Mul(luma, set(static_cast<float>(kLumaRange))));
    const auto bounded = hn::Min(hn::Max(y, hn::Zero(Floats())), set(255.0f));
    hn::StoreU(hn::DemoteTo(Bytes(), hn::NearestInt(bounded)), Bytes(), dst.y + i);
    const V du = hn::Mul(hn::Sub(blue, luma), set(kCbPerBlue * kDeltaUnit));
    const V dv = hn::Mul(hn::Sub(r, luma), set(kCrPerRed * kDeltaUnit));
    hn::StoreU(hn::DemoteTo(SignedWords(), hn::NearestInt(du)), SignedWords(), dst.du + i);
    hn::StoreU(hn::DemoteTo(SignedWords(), hn::NearestInt(dv)), SignedWords(), dst.dv + i);
  }
  return i;
}

}  // namespace

void blendRow(BlendMode mode, const BlendedRow& dst, const StraightRow& backdrop, const StraightRow& source,
              const uint8_t* alpha, const uint16_t* weights, size_t count) {
  using Some = size_t (*)(const BlendedRow&, const StraightRow&, const StraightRow&, const uint8_t*,
                          const uint16_t*, size_t);
  // In the order of BlendMode.
  static constexpr Some kModes[] = {
      blendSome<Normal>,    blendSome<Multiply>,  blendSome<Screen>,     blendSome<Overlay>,
      blendSome<Darken>,    blendSome<Lighten>,   blendSome<ColorDodge>, blendSome<ColorBurn>,
      blendSome<HardLight>, blendSome<SoftLight>, blendSome<Difference>, blendSome<Exclusion>,
      blendSome<Add>,
  };
  const size_t i = kModes[static_cast<size_t>(mode)](dst, backdrop, source, alpha, weights, count);
  reference::blendRow(mode, {dst.y + i, dst.du + i, dst.dv + i},
                      {backdrop.y + i, backdrop.u + i, backdrop.v + i},
                      {source.y + i, source.u + i, source.v + i}, alpha + i, weights + i, count - i);
}

#endif  // HWY_SCALAR

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {

HWY_EXPORT(blendRow);

void blendRow(BlendMode mode, const BlendedRow& dst, const StraightRow& backdrop, const StraightRow& source,
              const uint8_t* alpha, const uint16_t* weights, size_t count) {
  HWY_DYNAMIC_DISPATCH(blendRow)(mode, dst, backdrop, source, alpha, weights, count);
}

}  // namespace framewright::kernels
#endif
