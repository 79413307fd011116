#include "kernels/deep/float_rows.h"

#include <algorithm>
#include <cmath>

#include "kernels/finish.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/deep/float_rows.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// The loops are vectorized by the compiler, for each instruction set anew. Without fused multiply-add and
// with a fixed order of sums all of them give the same results.
HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {
namespace {

void overChannel(float* __restrict dst, const float* __restrict src, const float* __restrict alpha,
                 const float* __restrict weights, float weight, size_t count) {
  if (alpha == nullptr && weights == nullptr && weight == 1) {
    std::copy_n(src, count, dst);
  } else if (alpha == nullptr && weights == nullptr) {
    const float rest = 1 - weight;
    for (size_t i = 0; i < count; ++i) dst[i] = dst[i] * rest + src[i] * weight;
  } else if (weights == nullptr) {
    for (size_t i = 0; i < count; ++i) dst[i] = dst[i] * (1 - alpha[i] * weight) + src[i] * weight;
  } else if (alpha == nullptr) {
    for (size_t i = 0; i < count; ++i) {
      const float w = weights[i] * weight;
      dst[i] = dst[i] * (1 - w) + src[i] * w;
    }
  } else {
    for (size_t i = 0; i < count; ++i) {
      const float w = weights[i] * weight;
      dst[i] = dst[i] * (1 - alpha[i] * w) + src[i] * w;
    }
  }
}

void fillChannel(float* __restrict dst, float value, float alpha, const float* __restrict weights,
                 float weight, size_t count) {
  if (weights == nullptr) {
    const float rest = 1 - alpha * weight, added = value * weight;
    for (size_t i = 0; i < count; ++i) dst[i] = dst[i] * rest + added;
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    const float w = weights[i] * weight;
    dst[i] = dst[i] * (1 - alpha * w) + value * w;
  }
}

template <typename Sample>
void mix(float* __restrict dst, const Sample* __restrict near, const Sample* __restrict far, size_t count) {
  for (size_t i = 0; i < count; ++i)
    dst[i] = (3 * static_cast<float>(near[i]) + static_cast<float>(far[i])) * 0.25f;
}

template <typename Sample>
void signals(float* __restrict r, float* __restrict g, float* __restrict b, const Sample* __restrict luma,
             const float* __restrict blue, const float* __restrict red, const YcbcrScale& scale,
             size_t count) {
  const float toRed = 2 * (1 - scale.redShare) * scale.chromaScale,
              toBlue = 2 * (1 - scale.blueShare) * scale.chromaScale;
  const float redInGreen = toRed * scale.redShare / scale.greenShare,
              blueInGreen = toBlue * scale.blueShare / scale.greenShare;
  const float lumaOffset = scale.lumaOffset, lumaScale = scale.lumaScale, chromaOffset = scale.chromaOffset;
  for (size_t i = 0; i < count; ++i) {
    const float y = (static_cast<float>(luma[i]) - lumaOffset) * lumaScale;
    const float cb = blue[i] - chromaOffset, cr = red[i] - chromaOffset;
    r[i] = y + cr * toRed;
    g[i] = y - cr * redInGreen - cb * blueInGreen;
    b[i] = y + cb * toBlue;
  }
}

// Cb and Cr of a pixel of two rows' sums, before the scale.
struct Difference {
  float blue, red;
};

}  // namespace

void Over(const FloatRow& dst, const ConstFloatRow& src, const float* weights, float weight, size_t count) {
  overChannel(dst.r, src.r, src.a, weights, weight, count);
  overChannel(dst.g, src.g, src.a, weights, weight, count);
  overChannel(dst.b, src.b, src.a, weights, weight, count);
  if (dst.a == nullptr) return;
  if (src.a != nullptr) {
    overChannel(dst.a, src.a, src.a, weights, weight, count);
  } else {
    fillChannel(dst.a, 1, 1, weights, weight, count);
  }
}

void Fill(const FloatRow& dst, const FloatColor& color, const float* weights, float weight, size_t count) {
  fillChannel(dst.r, color.r, color.a, weights, weight, count);
  fillChannel(dst.g, color.g, color.a, weights, weight, count);
  fillChannel(dst.b, color.b, color.a, weights, weight, count);
  if (dst.a != nullptr) fillChannel(dst.a, color.a, color.a, weights, weight, count);
}

void Lerp(float* __restrict dst, const float* __restrict src, float share, size_t count) {
  for (size_t i = 0; i < count; ++i) dst[i] += (src[i] - dst[i]) * share;
}

void MixBy(float* __restrict dst, const float* __restrict src, const float* __restrict shares, size_t count) {
  for (size_t i = 0; i < count; ++i) dst[i] += (src[i] - dst[i]) * shares[i];
}

void AddScaled(float* __restrict dst, const float* __restrict src, float weight, size_t count) {
  for (size_t i = 0; i < count; ++i) dst[i] += src[i] * weight;
}

void Sum(float* __restrict dst, const float* const* rows, const float* weights, size_t taps, size_t count) {
  for (size_t t = 0; t + 4 <= taps; t += 4) {
    const float* __restrict const a = rows[t], * __restrict const b = rows[t + 1];
    const float* __restrict const c = rows[t + 2], * __restrict const d = rows[t + 3];
    const float wa = weights[t], wb = weights[t + 1], wc = weights[t + 2], wd = weights[t + 3];
    if (t == 0) {
      for (size_t i = 0; i < count; ++i) dst[i] = (a[i] * wa + b[i] * wb) + (c[i] * wc + d[i] * wd);
    } else {
      for (size_t i = 0; i < count; ++i) dst[i] += (a[i] * wa + b[i] * wb) + (c[i] * wc + d[i] * wd);
    }
  }
}

void Scale(float* __restrict dst, const float* __restrict src, float weight, size_t count) {
  for (size_t i = 0; i < count; ++i) dst[i] = src[i] * weight;
}

void Multiply(float* __restrict dst, const float* __restrict weights, size_t count) {
  for (size_t i = 0; i < count; ++i) dst[i] *= weights[i];
}

void Limit(const FloatRow& row, const YcbcrScale& scale, size_t count) {
  float* __restrict const r = row.r, * __restrict const g = row.g, * __restrict const b = row.b, * __restrict const a = row.a;
  const float redShare = scale.redShare, greenShare = scale.greenShare, blueShare = scale.blueShare;
  const float redInGreen = redShare / greenShare, blueInGreen = blueShare / greenShare;
  for (size_t i = 0; i < count; ++i) {
    const float alpha = std::min(std::max(a[i], 0.0f), 1.0f);
    const float luma = r[i] * redShare + g[i] * greenShare + b[i] * blueShare;
    const float maxBlue = alpha * (1 - blueShare), maxRed = alpha * (1 - redShare);
    const float blue = std::min(std::max(b[i] - luma, -maxBlue), maxBlue),
                red = std::min(std::max(r[i] - luma, -maxRed), maxRed);
    const float legal = std::min(std::max(luma, 0.0f), alpha);
    a[i] = alpha;
    r[i] = legal + red;
    g[i] = legal - red * redInGreen - blue * blueInGreen;
    b[i] = legal + blue;
  }
}

void Grain(const FloatRow& row, const int8_t* __restrict noise, float strength, const YcbcrScale& scale,
           size_t count) {
  const float red = scale.redShare, green = scale.greenShare, blue = scale.blueShare;
  float* __restrict const r = row.r, * __restrict const g = row.g, * __restrict const b = row.b;
  const float* __restrict const a = row.a;
  for (size_t i = 0; i < count; ++i) {
    const float alpha = a == nullptr ? 1.0f : a[i], whole = std::max(alpha, 1e-6f);
    const float luma = (r[i] * red + g[i] * green + b[i] * blue) / whole;
    const float change =
        static_cast<float>(noise[i]) * (std::max(luma, 0.0f) * std::max(1 - luma, 0.0f) * strength);
    const float legal = std::min(std::max(luma + change, std::min(luma, 0.0f)), std::max(luma, 1.0f));
    const float added = (legal - luma) * alpha;
    r[i] += added;
    g[i] += added;
    b[i] += added;
  }
}

void Mix8(float* dst, const uint8_t* near, const uint8_t* far, size_t count) { mix(dst, near, far, count); }
void Mix16(float* dst, const uint16_t* near, const uint16_t* far, size_t count) {
  mix(dst, near, far, count);
}

void Widen(float* __restrict dst, const float* __restrict src, bool isLeftSited, size_t width) {
  const size_t pairs = width / 2, half = (width + 1) / 2;
  const auto at = [&](size_t k) { return src[std::min(k, half - 1)]; };
  if (isLeftSited) {
    for (size_t k = 0; k + 1 < half; ++k) {
      dst[2 * k] = src[k];
      dst[2 * k + 1] = (src[k] + src[k + 1]) * 0.5f;
    }
    if (half > 0) dst[2 * (half - 1)] = src[half - 1];
    if (pairs == half && half > 0) dst[width - 1] = src[half - 1];
    return;
  }
  for (size_t k = 0; k < half; ++k) {
    const float here = src[k], left = src[k == 0 ? 0 : k - 1], right = at(k + 1);
    dst[2 * k] = here * 0.75f + left * 0.25f;
    if (2 * k + 1 < width) dst[2 * k + 1] = here * 0.75f + right * 0.25f;
  }
}

void Signals8(const FloatRow& dst, const uint8_t* y, const float* cb, const float* cr,
              const YcbcrScale& scale, size_t count) {
  signals(dst.r, dst.g, dst.b, y, cb, cr, scale, count);
}
void Signals16(const FloatRow& dst, const uint16_t* y, const float* cb, const float* cr,
               const YcbcrScale& scale, size_t count) {
  signals(dst.r, dst.g, dst.b, y, cb, cr, scale, count);
}

void OfRgba(const FloatRow& dst, const uint8_t* __restrict rgba, bool isStraight, size_t count) {
  float* __restrict const r = dst.r, * __restrict const g = dst.g, * __restrict const b = dst.b, * __restrict const a = dst.a;
  for (size_t i = 0; i < count; ++i) {
    const float alpha = static_cast<float>(rgba[4 * i + 3]) * (1 / 255.0f);
    const float scale = (isStraight ? alpha : 1) * (1 / 255.0f);
    r[i] = static_cast<float>(rgba[4 * i]) * scale;
    g[i] = static_cast<float>(rgba[4 * i + 1]) * scale;
    b[i] = static_cast<float>(rgba[4 * i + 2]) * scale;
    if (a != nullptr) a[i] = alpha;
  }
}

void Luma(uint16_t* __restrict dst, const ConstFloatRow& src, const YcbcrScale& scale,
          const float* __restrict thresholds, size_t count) {
  const float* __restrict const r = src.r, * __restrict const g = src.g, * __restrict const b = src.b;
  const float levels = 1 / scale.lumaScale;
  const float red = scale.redShare * levels, green = scale.greenShare * levels,
              blue = scale.blueShare * levels;
  const float offset = scale.lumaOffset;
  for (size_t first = 0; first < count; first += kThresholdPeriod) {
    const size_t end = std::min(count - first, kThresholdPeriod);
    for (size_t i = 0; i < end; ++i) {
      const size_t k = first + i;
      const float level = r[k] * red + g[k] * green + b[k] * blue + offset + thresholds[i];
      dst[k] = static_cast<uint16_t>(static_cast<int32_t>(std::min(std::max(level, 4.0f), 1019.0f)));
    }
  }
}

void Chroma(uint16_t* __restrict cb, uint16_t* __restrict cr, const ConstFloatRow& top,
            const ConstFloatRow& bottom, const YcbcrScale& scale, const float* __restrict thresholds,
            size_t count) {
  const float unit = 0.125f / scale.chromaScale;
  const float blueUnit = unit / (2 * (1 - scale.blueShare)), redUnit = unit / (2 * (1 - scale.redShare));
  const float redShare = scale.redShare, greenShare = scale.greenShare, blueShare = scale.blueShare;
  const auto difference = [&](ptrdiff_t k) {
    const float r = top.r[k] + bottom.r[k], g = top.g[k] + bottom.g[k], b = top.b[k] + bottom.b[k];
    const float luma = r * redShare + g * greenShare + b * blueShare;
    return Difference{b - luma, r - luma};
  };
  const size_t half = (count + 1) / 2;
  for (size_t first = 0; first < half; first += kThresholdPeriod) {
    const size_t end = std::min(half - first, kThresholdPeriod);
    for (size_t i = 0; i < end; ++i) {
      const auto k = static_cast<ptrdiff_t>(2 * (first + i));
      const Difference left = difference(k - 1), here = difference(k), right = difference(k + 1);
      const float blue =
          (left.blue + 2 * here.blue + right.blue) * blueUnit + scale.chromaOffset + thresholds[i];
      const float red = (left.red + 2 * here.red + right.red) * redUnit + scale.chromaOffset + thresholds[i];
      cb[first + i] = static_cast<uint16_t>(static_cast<int32_t>(std::min(std::max(blue, 4.0f), 1019.0f)));
      cr[first + i] = static_cast<uint16_t>(static_cast<int32_t>(std::min(std::max(red, 4.0f), 1019.0f)));
    }
  }
}

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {
namespace {

HWY_EXPORT(Over);
HWY_EXPORT(Fill);
HWY_EXPORT(Lerp);
HWY_EXPORT(MixBy);
HWY_EXPORT(AddScaled);
HWY_EXPORT(Sum);
HWY_EXPORT(Scale);
HWY_EXPORT(Multiply);
HWY_EXPORT(Limit);
HWY_EXPORT(Grain);
HWY_EXPORT(Mix8);
HWY_EXPORT(Mix16);
HWY_EXPORT(Widen);
HWY_EXPORT(Signals8);
HWY_EXPORT(Signals16);
HWY_EXPORT(OfRgba);
HWY_EXPORT(Luma);
HWY_EXPORT(Chroma);

}  // namespace

void overFloats(const FloatRow& dst, const ConstFloatRow& src, const float* weights, float weight,
                size_t count) {
  HWY_DYNAMIC_DISPATCH(Over)(dst, src, weights, weight, count);
}
void fillFloats(const FloatRow& dst, const FloatColor& color, const float* weights, float weight,
                size_t count) {
  HWY_DYNAMIC_DISPATCH(Fill)(dst, color, weights, weight, count);
}
void lerpFloats(float* dst, const float* src, float share, size_t count) {
  HWY_DYNAMIC_DISPATCH(Lerp)(dst, src, share, count);
}
void mixFloats(float* dst, const float* src, const float* shares, size_t count) {
  HWY_DYNAMIC_DISPATCH(MixBy)(dst, src, shares, count);
}
void addScaledFloats(float* dst, const float* src, float weight, size_t count) {
  HWY_DYNAMIC_DISPATCH(AddScaled)(dst, src, weight, count);
}
void sumFloats(float* dst, const float* const* rows, const float* weights, size_t taps, size_t count) {
  HWY_DYNAMIC_DISPATCH(Sum)(dst, rows, weights, taps, count);
}
void scaleFloats(float* dst, const float* src, float weight, size_t count) {
  HWY_DYNAMIC_DISPATCH(Scale)(dst, src, weight, count);
}
void multiplyFloats(float* dst, const float* weights, size_t count) {
  HWY_DYNAMIC_DISPATCH(Multiply)(dst, weights, count);
}
void grainFloats(const FloatRow& row, const int8_t* noise, int strength, const YcbcrScale& scale,
                 size_t count) {
  // grainRow() works on the levels from black to white, of which there are 219.
  constexpr float kUnit = 219.0f / (1 << kGrainShift);
  HWY_DYNAMIC_DISPATCH(Grain)(row, noise, static_cast<float>(strength) * kUnit, scale, count);
}

void limitPremultiplied(const FloatRow& row, const YcbcrScale& scale, size_t count) {
  HWY_DYNAMIC_DISPATCH(Limit)(row, scale, count);
}
void mixSamples(float* dst, const uint8_t* near, const uint8_t* far, size_t count) {
  HWY_DYNAMIC_DISPATCH(Mix8)(dst, near, far, count);
}
void mixSamples(float* dst, const uint16_t* near, const uint16_t* far, size_t count) {
  HWY_DYNAMIC_DISPATCH(Mix16)(dst, near, far, count);
}
void widenFloats(float* dst, const float* src, bool isLeftSited, size_t width) {
  HWY_DYNAMIC_DISPATCH(Widen)(dst, src, isLeftSited, width);
}
void signalsOfYcbcr(const FloatRow& dst, const uint8_t* y, const float* cb, const float* cr,
                    const YcbcrScale& scale, size_t count) {
  HWY_DYNAMIC_DISPATCH(Signals8)(dst, y, cb, cr, scale, count);
}
void signalsOfYcbcr(const FloatRow& dst, const uint16_t* y, const float* cb, const float* cr,
                    const YcbcrScale& scale, size_t count) {
  HWY_DYNAMIC_DISPATCH(Signals16)(dst, y, cb, cr, scale, count);
}
void floatsOfRgba(const FloatRow& dst, const uint8_t* rgba, bool isStraight, size_t count) {
  HWY_DYNAMIC_DISPATCH(OfRgba)(dst, rgba, isStraight, count);
}
void lumaOfSignals(uint16_t* dst, const ConstFloatRow& src, const YcbcrScale& scale, const float* thresholds,
                   size_t count) {
  HWY_DYNAMIC_DISPATCH(Luma)(dst, src, scale, thresholds, count);
}
void chromaOfSignals(uint16_t* cb, uint16_t* cr, const ConstFloatRow& top, const ConstFloatRow& bottom,
                     const YcbcrScale& scale, const float* thresholds, size_t count) {
  HWY_DYNAMIC_DISPATCH(Chroma)(cb, cr, top, bottom, scale, thresholds, count);
}

YcbcrScale ycbcrScale(int bits, bool isBt2020) {
  const auto unit = static_cast<float>(1 << (bits - 8));
  const float red = isBt2020 ? 0.2627f : 0.2126f, blue = isBt2020 ? 0.0593f : 0.0722f;
  return {16 * unit, 1 / (219 * unit), 128 * unit, 1 / (224 * unit), red, 1 - red - blue, blue};
}

}  // namespace framewright::kernels
#endif  // HWY_ONCE
