#include "kernels/deep/color_curves.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/deep/color_curves.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Loops without tables are vectorized by the compiler, for each instruction set anew.
HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

float curvedFloat(float value, const CurveTable& curve) {
  float at = std::min(std::max(value, 0.0f), 1.0f);
  if (curve.root >= 2) at = std::sqrt(at);
  if (curve.root == 4) at = std::sqrt(at);
  at *= static_cast<float>(curve.steps);
  const auto step = static_cast<int32_t>(at);
  const float part = at - static_cast<float>(step), low = curve.values[step];
  return low + (curve.values[step + 1] - low) * part;
}

}  // namespace

void CurveFloats(float* __restrict row, const CurveTable& curve, size_t count) {
  size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> whole;
  const size_t lanes = hn::Lanes(d);
  const auto one = hn::Set(d, 1.0f), steps = hn::Set(d, static_cast<float>(curve.steps));
  for (; i + lanes <= count; i += lanes) {
    auto at = hn::Min(hn::Max(hn::LoadU(d, row + i), hn::Zero(d)), one);
    if (curve.root >= 2) at = hn::Sqrt(at);
    if (curve.root == 4) at = hn::Sqrt(at);
    at = hn::Mul(at, steps);
    const auto step = hn::ConvertTo(whole, at);
    const auto part = hn::Sub(at, hn::ConvertTo(d, step));
    const auto low = hn::GatherIndex(d, curve.values, step),
               high = hn::GatherIndex(d, curve.values + 1, step);
    hn::StoreU(hn::Add(low, hn::Mul(hn::Sub(high, low), part)), d, row + i);
  }
#endif
  for (; i < count; ++i) row[i] = curvedFloat(row[i], curve);
}

void Unpremultiply(float* __restrict channel, const float* __restrict alpha, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const float straight = channel[i] / (alpha[i] > 0 ? alpha[i] : 1.0f);
    channel[i] = alpha[i] > 0 ? straight : 0.0f;
  }
}

void Premultiply(float* __restrict channel, const float* __restrict alpha, size_t count) {
  for (size_t i = 0; i < count; ++i) channel[i] = alpha[i] > 0 ? channel[i] * alpha[i] : 0.0f;
}

void OfBt2020(float* __restrict r, float* __restrict g, float* __restrict b, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const float red = r[i], green = g[i], blue = b[i];
    r[i] = 0.6274f * red + 0.3293f * green + 0.0433f * blue;
    g[i] = 0.0691f * red + 0.9195f * green + 0.0114f * blue;
    b[i] = 0.0164f * red + 0.0880f * green + 0.8956f * blue;
  }
}

void ByLuminance(float* __restrict r, float* __restrict g, float* __restrict b, const CurveTable& curve,
                 float luminanceScale, float scale, size_t count) {
  constexpr size_t kBlock = 256;
  float luminances[kBlock], curved[kBlock];
  for (size_t first = 0; first < count; first += kBlock) {
    const size_t block = std::min(kBlock, count - first);
    float* __restrict const red = r + first, * __restrict const green = g + first, * __restrict const blue = b + first;
    for (size_t i = 0; i < block; ++i) {
      const float light = 0.2627f * red[i] + 0.6780f * green[i] + 0.0593f * blue[i];
      luminances[i] = curved[i] = std::min(std::max(light * luminanceScale, 0.0f), 1.0f);
    }
    CurveFloats(curved, curve, block);
    for (size_t i = 0; i < block; ++i) {
      const float luminance = luminances[i];
      const float gain = luminance > 0 ? curved[i] * scale / luminance : 0.0f;
      red[i] *= gain;
      green[i] *= gain;
      blue[i] *= gain;
    }
  }
}

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {
namespace {

HWY_EXPORT(CurveFloats);
HWY_EXPORT(Unpremultiply);
HWY_EXPORT(Premultiply);
HWY_EXPORT(OfBt2020);
HWY_EXPORT(ByLuminance);

}  // namespace

void curveFloats(float* row, const CurveTable& curve, size_t count) {
  HWY_DYNAMIC_DISPATCH(CurveFloats)(row, curve, count);
}

void unpremultiplyFloats(const FloatRow& row, size_t count) {
  if (row.a == nullptr) return;
  for (float* const channel : {row.r, row.g, row.b})
    HWY_DYNAMIC_DISPATCH(Unpremultiply)(channel, row.a, count);
}

void premultiplyFloats(const FloatRow& row, size_t count) {
  if (row.a == nullptr) return;
  for (float* const channel : {row.r, row.g, row.b}) HWY_DYNAMIC_DISPATCH(Premultiply)(channel, row.a, count);
}

void lightOfBt2020(const FloatRow& row, size_t count) {
  HWY_DYNAMIC_DISPATCH(OfBt2020)(row.r, row.g, row.b, count);
}

void scaleByLuminance(const FloatRow& row, const CurveTable& curve, float luminanceScale, float scale,
                      size_t count) {
  HWY_DYNAMIC_DISPATCH(ByLuminance)(row.r, row.g, row.b, curve, luminanceScale, scale, count);
}

}  // namespace framewright::kernels
#endif  // HWY_ONCE
