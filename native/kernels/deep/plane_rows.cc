#include "kernels/deep/plane_rows.h"

#include <algorithm>
#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/deep/plane_rows.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// The loops are vectorized by the compiler, for each instruction set anew.
HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {
namespace {

// value * weight in Q15, in the form that compilers recognise as one instruction.
inline int16_t weighted(int16_t value, int16_t weight) {
  return static_cast<int16_t>(((static_cast<int32_t>(value) * weight >> 14) + 1) >> 1);
}

inline int16_t difference(int16_t a, int16_t b) { return static_cast<int16_t>(a - b); }
inline int16_t sum(int16_t a, int16_t b) { return static_cast<int16_t>(a + b); }

// Rounds to nearest. The bias makes truncation round negative values the same way.
inline int16_t toSample(float value) {
  constexpr float kBias = 8192;
  return static_cast<int16_t>(static_cast<int32_t>(value + (kBias + 0.5f)) - static_cast<int32_t>(kBias));
}

// Cb, Cr and alpha of two rows' sums, before their scale.
struct Sited {
  float blue, red, alpha;
};

template <bool kHasAlpha>
void chromaOf(int16_t* __restrict cb, int16_t* __restrict cr, int16_t* __restrict alpha,
              const ConstFloatRow& top, const ConstFloatRow& bottom, const YcbcrScale& scale, size_t count) {
  constexpr float kUnit = 1 << kCodeFraction, kMean = 0.125f;
  const float blueUnit = kUnit * kMean / (scale.chromaScale * 2 * (1 - scale.blueShare)),
              redUnit = kUnit * kMean / (scale.chromaScale * 2 * (1 - scale.redShare));
  const float redShare = scale.redShare, greenShare = scale.greenShare, blueShare = scale.blueShare;
  const float offset = scale.chromaOffset * kUnit;
  const auto sited = [&](ptrdiff_t k) {
    const float r = top.r[k] + bottom.r[k], g = top.g[k] + bottom.g[k], b = top.b[k] + bottom.b[k];
    const float luma = r * redShare + g * greenShare + b * blueShare;
    return Sited{b - luma, r - luma, kHasAlpha ? top.a[k] + bottom.a[k] : 2.0f};
  };
  const size_t half = (count + 1) / 2;
  for (size_t i = 0; i < half; ++i) {
    const auto k = static_cast<ptrdiff_t>(2 * i);
    const Sited left = sited(k - 1), here = sited(k), right = sited(k + 1);
    const float covered = (left.alpha + 2 * here.alpha + right.alpha) * kMean;
    cb[i] = toSample((left.blue + 2 * here.blue + right.blue) * blueUnit + offset * covered);
    cr[i] = toSample((left.red + 2 * here.red + right.red) * redUnit + offset * covered);
    if (kHasAlpha) alpha[i] = static_cast<int16_t>(covered * kFullSampleWeight + 0.5f);
  }
}

}  // namespace

void OfCodes(int16_t* __restrict dst, const int16_t* __restrict codes, size_t count) {
  for (size_t i = 0; i < count; ++i) dst[i] = static_cast<int16_t>(codes[i] << kCodeFraction);
}

void WidenCodes(int16_t* __restrict dst, const uint8_t* __restrict codes, size_t count) {
  for (size_t i = 0; i < count; ++i) dst[i] = static_cast<int16_t>(codes[i] << 2);
}

void Round(uint16_t* __restrict codes, const int16_t* __restrict samples,
           const int16_t* __restrict thresholds, size_t count) {
  constexpr int16_t kLowest = 4, kHighest = 1019;
  for (size_t first = 0; first < count; first += kRoundingPeriod) {
    const size_t end = std::min(count - first, kRoundingPeriod);
    for (size_t i = 0; i < end; ++i) {
      const auto code = static_cast<int16_t>(sum(samples[first + i], thresholds[i]) >> kCodeFraction);
      codes[first + i] = static_cast<uint16_t>(std::min(std::max(code, kLowest), kHighest));
    }
  }
}

void OverSamples(int16_t* __restrict dst, const int16_t* __restrict src, const int16_t* __restrict alpha,
                 const uint16_t* __restrict weights, uint16_t weight, size_t count) {
  const auto w = static_cast<int16_t>(weight);
  if (alpha == nullptr && weights == nullptr) {
    for (size_t i = 0; i < count; ++i) dst[i] = sum(dst[i], weighted(difference(src[i], dst[i]), w));
  } else if (alpha == nullptr) {
    for (size_t i = 0; i < count; ++i) {
      const int16_t own = weighted(static_cast<int16_t>(weights[i]), w);
      dst[i] = sum(dst[i], weighted(difference(src[i], dst[i]), own));
    }
  } else if (weights == nullptr && w == kFullSampleWeight) {
    for (size_t i = 0; i < count; ++i) dst[i] = sum(difference(dst[i], weighted(dst[i], alpha[i])), src[i]);
  } else if (weights == nullptr) {
    for (size_t i = 0; i < count; ++i) {
      const int16_t covered = weighted(dst[i], weighted(alpha[i], w));
      dst[i] = sum(difference(dst[i], covered), weighted(src[i], w));
    }
  } else {
    for (size_t i = 0; i < count; ++i) {
      const int16_t own = weighted(static_cast<int16_t>(weights[i]), w);
      const int16_t covered = weighted(dst[i], weighted(alpha[i], own));
      dst[i] = sum(difference(dst[i], covered), weighted(src[i], own));
    }
  }
}

void FillSamples(int16_t* __restrict dst, int16_t value, int16_t alpha, const uint16_t* __restrict weights,
                 uint16_t weight, size_t count) {
  const auto w = static_cast<int16_t>(weight);
  if (weights == nullptr) {
    const int16_t covered = weighted(alpha, w), added = weighted(value, w);
    for (size_t i = 0; i < count; ++i) dst[i] = sum(difference(dst[i], weighted(dst[i], covered)), added);
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    const int16_t own = weighted(static_cast<int16_t>(weights[i]), w);
    dst[i] = sum(difference(dst[i], weighted(dst[i], weighted(alpha, own))), weighted(value, own));
  }
}

void HalveCodes(int16_t* __restrict dst, const int16_t* __restrict top, const int16_t* __restrict bottom,
                size_t count) {
  for (size_t i = 0; i < count; ++i)
    dst[i] = static_cast<int16_t>((top[2 * i] + top[2 * i + 1] + bottom[2 * i] + bottom[2 * i + 1]) << 2);
}

void HalveFractions(int16_t* __restrict dst, const int16_t* __restrict top, const int16_t* __restrict bottom,
                    size_t count) {
  for (size_t i = 0; i < count; ++i)
    dst[i] = static_cast<int16_t>((top[2 * i] + top[2 * i + 1] + bottom[2 * i] + bottom[2 * i + 1] + 2) >> 2);
}

void PremultipliedLuma(int16_t* __restrict luma, int16_t* __restrict alpha, const ConstFloatRow& src,
                       const YcbcrScale& scale, size_t count) {
  const float* __restrict const r = src.r, * __restrict const g = src.g, * __restrict const b = src.b, * __restrict const a = src.a;
  constexpr float kUnit = 1 << kCodeFraction;
  const float levels = kUnit / scale.lumaScale, offset = kUnit * scale.lumaOffset;
  const float red = scale.redShare * levels, green = scale.greenShare * levels,
              blue = scale.blueShare * levels;
  if (a == nullptr) {
    for (size_t i = 0; i < count; ++i) luma[i] = toSample(r[i] * red + g[i] * green + b[i] * blue + offset);
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    luma[i] = toSample(r[i] * red + g[i] * green + b[i] * blue + offset * a[i]);
    alpha[i] = static_cast<int16_t>(a[i] * kFullSampleWeight + 0.5f);
  }
}

void PremultipliedChroma(int16_t* cb, int16_t* cr, int16_t* alpha, const ConstFloatRow& top,
                         const ConstFloatRow& bottom, const YcbcrScale& scale, size_t count) {
  (alpha == nullptr ? chromaOf<false> : chromaOf<true>)(cb, cr, alpha, top, bottom, scale, count);
}

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {
namespace {

HWY_EXPORT(OfCodes);
HWY_EXPORT(WidenCodes);
HWY_EXPORT(Round);
HWY_EXPORT(OverSamples);
HWY_EXPORT(FillSamples);
HWY_EXPORT(HalveCodes);
HWY_EXPORT(HalveFractions);
HWY_EXPORT(PremultipliedLuma);
HWY_EXPORT(PremultipliedChroma);

}  // namespace

void samplesOfCodes(int16_t* dst, const int16_t* codes, size_t count) {
  HWY_DYNAMIC_DISPATCH(OfCodes)(dst, codes, count);
}

void widenCodes(int16_t* dst, const uint8_t* codes, size_t count) {
  HWY_DYNAMIC_DISPATCH(WidenCodes)(dst, codes, count);
}

SampleThresholds sampleThresholds(int y, bool isDithered) {
  // All rows have the same sequence from a different start.
  constexpr size_t kShift = 105;
  constexpr auto tableOf = [](const RowRounding& rounding) {
    std::array<int16_t, 3 * kRoundingPeriod> table{};
    for (size_t x = 0; x < table.size(); ++x) {
      const int threshold = rounding.threshold(x) >> (RowRounding::kFractionBits - kCodeFraction);
      // One unit of distance from both ends keeps codes exact that are off by the rounding of a blend.
      table[x] = static_cast<int16_t>(std::clamp(threshold, 1, (1 << kCodeFraction) - 2));
    }
    return table;
  };
  static constexpr auto kDithered = tableOf(ditheredRow(0)), kNearest = tableOf(RowRounding());
  static_assert(ditheredRow(1).threshold(0) == ditheredRow(0).threshold(kShift));
  if (!isDithered) return SampleThresholds(kNearest.data(), 2 * kRoundingPeriod);
  const size_t start = kShift * static_cast<size_t>(y) % kRoundingPeriod;
  return SampleThresholds(kDithered.data() + start, 2 * kRoundingPeriod);
}

void roundSamples(uint16_t* codes, const int16_t* samples, SampleThresholds thresholds, size_t first,
                  size_t count) {
  HWY_DYNAMIC_DISPATCH(Round)(codes, samples, thresholds.data() + first % kRoundingPeriod, count);
}

void overSamples(int16_t* dst, const int16_t* src, const int16_t* alpha, const uint16_t* weights,
                 uint16_t weight, size_t count) {
  HWY_DYNAMIC_DISPATCH(OverSamples)(dst, src, alpha, weights, weight, count);
}

void fillSamples(int16_t* dst, int16_t value, int16_t alpha, const uint16_t* weights, uint16_t weight,
                 size_t count) {
  HWY_DYNAMIC_DISPATCH(FillSamples)(dst, value, alpha, weights, weight, count);
}

void halveSamples(int16_t* dst, const int16_t* top, const int16_t* bottom, int fractionBits, size_t count) {
  if (fractionBits == 0) {
    HWY_DYNAMIC_DISPATCH(HalveCodes)(dst, top, bottom, count);
  } else {
    HWY_DYNAMIC_DISPATCH(HalveFractions)(dst, top, bottom, count);
  }
}

void premultipliedLuma(int16_t* luma, int16_t* alpha, const ConstFloatRow& src, const YcbcrScale& scale,
                       size_t count) {
  HWY_DYNAMIC_DISPATCH(PremultipliedLuma)(luma, alpha, src, scale, count);
}

void premultipliedChroma(int16_t* cb, int16_t* cr, int16_t* alpha, const ConstFloatRow& top,
                         const ConstFloatRow& bottom, const YcbcrScale& scale, size_t count) {
  HWY_DYNAMIC_DISPATCH(PremultipliedChroma)(cb, cr, alpha, top, bottom, scale, count);
}

}  // namespace framewright::kernels
#endif  // HWY_ONCE
