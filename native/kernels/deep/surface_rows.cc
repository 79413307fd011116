#include "kernels/deep/surface_rows.h"

#include <algorithm>

#include "kernels/deep/plane_rows.h"
#include "kernels/deep/sample_effects.h"
#include "kernels/finish.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/deep/surface_rows.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// The loops are vectorized by the compiler, for each instruction set anew.
HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {
namespace {

// value * weight in Q15, in the form that compilers recognise as one instruction.
inline int16_t shareOf(int16_t value, int16_t weight) {
  return static_cast<int16_t>(((static_cast<int32_t>(value) * weight >> 14) + 1) >> 1);
}

// Rounds to nearest. The bias makes truncation round negative values the same way.
inline int16_t nearestSample(float value) {
  constexpr float kBias = 32768;
  const float limited = std::min(std::max(value, -32768.0f), 32767.0f);
  return static_cast<int16_t>(static_cast<int32_t>(limited + (kBias + 0.5f)) - static_cast<int32_t>(kBias));
}

constexpr float kAlphaUnit = 1.0f / kFullSampleWeight;

}  // namespace

namespace {

constexpr size_t kAlphaBlock = 64;

// Whether all samples are opaque.
inline bool areOpaque(const int16_t* __restrict alpha, size_t count) {
  int16_t lowest = kFullSampleWeight;
  for (size_t i = 0; i < count; ++i) lowest = std::min(lowest, alpha[i]);
  return lowest == kFullSampleWeight;
}

void straightBlock(int16_t* dst, const int16_t* src, const int16_t* __restrict alpha, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const float whole = static_cast<float>(std::max<int16_t>(alpha[i], 1));
    const float value = static_cast<float>(src[i]) * (static_cast<float>(kFullSampleWeight) / whole);
    const int16_t straight = nearestSample(std::min(std::max(value, -4096.0f), 20479.0f));
    dst[i] = alpha[i] == kFullSampleWeight ? src[i] : alpha[i] <= 0 ? int16_t{0} : straight;
  }
}

}  // namespace

size_t OpaqueFrom(const int16_t* alpha, size_t count) {
  size_t i = 0;
  while (i + kAlphaBlock <= count && areOpaque(alpha + i, kAlphaBlock)) i += kAlphaBlock;
  while (i < count && alpha[i] == kFullSampleWeight) ++i;
  return i;
}

void Straight(int16_t* dst, const int16_t* src, const int16_t* alpha, size_t count) {
  for (size_t first = 0; first < count; first += kAlphaBlock) {
    const size_t block = std::min(kAlphaBlock, count - first);
    if (!areOpaque(alpha + first, block)) {
      straightBlock(dst + first, src + first, alpha + first, block);
    } else if (dst != src) {
      std::copy_n(src + first, block, dst + first);
    }
  }
}

void Weigh(int16_t* __restrict row, const int16_t* __restrict weights, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    // An alpha has 15 bits, for which kFullSampleWeight is not exactly 1 in shareOf().
    const int16_t value = row[i], weight = weights[i];
    row[i] = weight == kFullSampleWeight ? value : shareOf(value, weight);
  }
}

void ShadeSurface(int16_t* __restrict row, const int16_t* __restrict alpha,
                  const uint16_t* __restrict brightness, int16_t neutral, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const auto share = static_cast<int16_t>(std::min<uint16_t>(brightness[i], 32767));
    const int16_t base = shareOf(neutral, alpha[i]);
    row[i] = static_cast<int16_t>(base + shareOf(static_cast<int16_t>(row[i] - base), share));
  }
}

void GrainSurface(int16_t* __restrict luma, const int16_t* __restrict alpha, const int8_t* __restrict noise,
                  float strength, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const float whole = static_cast<float>(alpha[i]) * kAlphaUnit, sample = static_cast<float>(luma[i]);
    const float black = kBlackSample * whole, white = kWhiteSample * whole;
    const float midtone = std::max(sample - black, 0.0f) * std::max(white - sample, 0.0f);
    const float changed = sample + static_cast<float>(noise[i]) * (midtone * strength);
    luma[i] = nearestSample(std::min(std::max(changed, std::min(sample, black)), std::max(sample, white)));
  }
}

namespace {

constexpr size_t kSharpenBlock = 256;

// The sums of a block of rows, each weighted 1 4 6 4 1 in both directions.
void surroundings(float* __restrict sums, const int16_t* const* rows, size_t first, size_t count) {
  float columns[kSharpenBlock + 4];
  const int16_t* __restrict const a = rows[0] + first, * __restrict const b = rows[1] + first;
  const int16_t* __restrict const c = rows[2] + first, * __restrict const d = rows[3] + first;
  const int16_t* __restrict const e = rows[4] + first;
  for (size_t i = 0; i < count + 4; ++i)
    columns[i] = static_cast<float>(a[i] + e[i] + 4 * (b[i] + d[i]) + 6 * c[i]);
  for (size_t i = 0; i < count; ++i) {
    sums[i] = (columns[i] + columns[i + 4]) + 4 * (columns[i + 1] + columns[i + 3]) + 6 * columns[i + 2];
  }
}

}  // namespace

void Sharpen(int16_t* __restrict dst, const int16_t* const* luma, const int16_t* const* alpha, float amount,
             size_t count) {
  constexpr float kMean = 1.0f / 256, kBlack = kBlackSample, kWhite = kWhiteSample;
  float lumas[kSharpenBlock], alphas[kSharpenBlock];
  for (size_t first = 0; first < count; first += kSharpenBlock) {
    const size_t block = std::min(kSharpenBlock, count - first);
    surroundings(lumas, luma, first, block);
    const int16_t* __restrict const own = luma[2] + first + 2;
    if (alpha == nullptr) {
      for (size_t i = 0; i < block; ++i) {
        const float sample = static_cast<float>(own[i]);
        const float changed = sample + amount * (sample - lumas[i] * kMean);
        dst[first + i] =
            nearestSample(std::min(std::max(changed, std::min(sample, kBlack)), std::max(sample, kWhite)));
      }
      continue;
    }
    surroundings(alphas, alpha, first, block);
    const int16_t* __restrict const cover = alpha[2] + first + 2;
    for (size_t i = 0; i < block; ++i) {
      const float sample = static_cast<float>(own[i]), whole = static_cast<float>(cover[i]) * kAlphaUnit;
      const float difference = sample * (alphas[i] * (kMean * kAlphaUnit)) - whole * (lumas[i] * kMean);
      const float black = kBlack * whole, white = kWhite * whole;
      dst[first + i] = nearestSample(
          std::min(std::max(sample + amount * difference, std::min(sample, black)), std::max(sample, white)));
    }
  }
}

void WidenSamples(int16_t* __restrict dst, const int16_t* __restrict src, size_t count) {
  for (size_t i = 0; i < count; ++i)
    dst[i] = static_cast<int16_t>(2 * std::min<int16_t>(std::max<int16_t>(src[i], 0), 16383));
}

void NarrowSamples(int16_t* __restrict dst, const int16_t* __restrict src, size_t count) {
  for (size_t i = 0; i < count; ++i) dst[i] = static_cast<int16_t>((src[i] >> 1) + (src[i] & 1));
}

void DoubleChroma(int16_t* __restrict dst, const int16_t* __restrict near, const int16_t* __restrict far,
                  size_t count) {
  const size_t pairs = count / 2;
  for (size_t k = 0; k < pairs; ++k) {
    const int32_t here = 3 * near[k] + far[k], next = 3 * near[k + 1] + far[k + 1];
    dst[2 * k] = static_cast<int16_t>((here + 2) >> 2);
    dst[2 * k + 1] = static_cast<int16_t>((here + next + 4) >> 3);
  }
  if (count % 2 != 0) dst[count - 1] = static_cast<int16_t>((3 * near[pairs] + far[pairs] + 2) >> 2);
}

void LayUnder(int16_t* row, const int16_t* alpha, const int16_t* __restrict cover, float value, float opacity,
              float intensity, size_t count) {
  for (size_t first = 0; first < count; first += kAlphaBlock) {
    const size_t end = std::min(first + kAlphaBlock, count);
    if (areOpaque(alpha + first, end - first)) continue;
    for (size_t i = first; i < end; ++i) {
      const float shape = std::min(static_cast<float>(cover[i]) * intensity, 1.0f);
      const float weight = shape * opacity * (1 - static_cast<float>(alpha[i]) * kAlphaUnit);
      row[i] = nearestSample(static_cast<float>(row[i]) + value * weight);
    }
  }
}

namespace {

// Between a row and its neighbours on one side.
void shiftAlong(int16_t* __restrict dst, const int16_t* __restrict row, const int16_t* __restrict next,
                int16_t share, size_t count) {
  for (size_t i = 0; i < count; ++i)
    dst[i] = static_cast<int16_t>(row[i] + shareOf(static_cast<int16_t>(next[i] - row[i]), share));
}

}  // namespace

void Shift(int16_t* __restrict dst, const int16_t* __restrict upper, const int16_t* __restrict lower,
           int16_t right, int16_t down, size_t count) {
  // The same without shares of 0.
  if (down == 0) return shiftAlong(dst, upper, upper + 1, right, count);
  if (right == 0) return shiftAlong(dst, upper, lower, down, count);
  for (size_t i = 0; i < count; ++i) {
    const auto above =
        static_cast<int16_t>(upper[i] + shareOf(static_cast<int16_t>(upper[i + 1] - upper[i]), right));
    const auto below =
        static_cast<int16_t>(lower[i] + shareOf(static_cast<int16_t>(lower[i + 1] - lower[i]), right));
    dst[i] = static_cast<int16_t>(above + shareOf(static_cast<int16_t>(below - above), down));
  }
}

void AddShifted(int32_t* __restrict sums, const int16_t* __restrict upper, const int16_t* __restrict lower,
                int16_t right, int16_t down, size_t count) {
  constexpr size_t kBlock = 512;
  int16_t shifted[kBlock];
  for (size_t first = 0; first < count; first += kBlock) {
    const size_t block = std::min(kBlock, count - first);
    Shift(shifted, upper + first, lower + first, right, down, block);
    for (size_t i = 0; i < block; ++i) sums[first + i] += shifted[i];
  }
}

void Average(int16_t* __restrict dst, const int32_t* __restrict sums, float share, size_t count) {
  for (size_t i = 0; i < count; ++i) dst[i] = nearestSample(static_cast<float>(sums[i]) * share);
}

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {
namespace {

HWY_EXPORT(OpaqueFrom);
HWY_EXPORT(Straight);
HWY_EXPORT(Weigh);
HWY_EXPORT(ShadeSurface);
HWY_EXPORT(GrainSurface);
HWY_EXPORT(Sharpen);
HWY_EXPORT(WidenSamples);
HWY_EXPORT(NarrowSamples);
HWY_EXPORT(DoubleChroma);
HWY_EXPORT(LayUnder);
HWY_EXPORT(Shift);
HWY_EXPORT(AddShifted);
HWY_EXPORT(Average);

// 64ths of a sample in Q15.
int16_t inShares(int steps) { return static_cast<int16_t>(steps << 9); }

}  // namespace

size_t opaqueFrom(const int16_t* alpha, size_t count) {
  return HWY_DYNAMIC_DISPATCH(OpaqueFrom)(alpha, count);
}

void straightSamples(int16_t* dst, const int16_t* src, const int16_t* alpha, size_t count) {
  HWY_DYNAMIC_DISPATCH(Straight)(dst, src, alpha, count);
}

void weighSamples(int16_t* row, const uint16_t* weights, size_t count) {
  HWY_DYNAMIC_DISPATCH(Weigh)(row, reinterpret_cast<const int16_t*>(weights), count);
}

void premultiplySamples(int16_t* row, const int16_t* alpha, size_t count) {
  HWY_DYNAMIC_DISPATCH(Weigh)(row, alpha, count);
}

void shadeSurface(int16_t* row, const int16_t* alpha, const uint16_t* brightness, int16_t neutral,
                  size_t count) {
  HWY_DYNAMIC_DISPATCH(ShadeSurface)(row, alpha, brightness, neutral, count);
}

void grainSurface(int16_t* luma, const int16_t* alpha, const int8_t* noise, int strength, size_t count) {
  // Both distances from black and white are 64 times as large as with 8 bits, and so is the result.
  constexpr float kUnit = 1.0f / (1 << kGrainShift) / 64;
  HWY_DYNAMIC_DISPATCH(GrainSurface)(luma, alpha, noise, static_cast<float>(strength) * kUnit, count);
}

void sharpenSamples(int16_t* dst, const int16_t* const* luma, const int16_t* const* alpha, float amount,
                    size_t count) {
  HWY_DYNAMIC_DISPATCH(Sharpen)(dst, luma, alpha, amount, count);
}

void widenSamples(int16_t* dst, const int16_t* src, size_t count) {
  HWY_DYNAMIC_DISPATCH(WidenSamples)(dst, src, count);
}

void narrowSamples(int16_t* dst, const int16_t* src, size_t count) {
  HWY_DYNAMIC_DISPATCH(NarrowSamples)(dst, src, count);
}

void doubleChromaSamples(int16_t* dst, const int16_t* near, const int16_t* far, size_t count) {
  HWY_DYNAMIC_DISPATCH(DoubleChroma)(dst, near, far, count);
}

void layUnderSamples(int16_t* row, const int16_t* alpha, const int16_t* cover, int16_t value, float opacity,
                     float intensity, size_t count) {
  constexpr float kUnit = 1.0f / kFullSampleWeight;
  HWY_DYNAMIC_DISPATCH(LayUnder)
  (row, alpha, cover, static_cast<float>(value), opacity, intensity * kUnit, count);
}

void shiftSamples(int16_t* dst, const int16_t* upper, const int16_t* lower, int right, int down,
                  size_t count) {
  HWY_DYNAMIC_DISPATCH(Shift)(dst, upper, lower, inShares(right), inShares(down), count);
}

void addShiftedSamples(int32_t* sums, const int16_t* upper, const int16_t* lower, int right, int down,
                       size_t count) {
  HWY_DYNAMIC_DISPATCH(AddShifted)(sums, upper, lower, inShares(right), inShares(down), count);
}

void averageSamples(int16_t* dst, const int32_t* sums, int copies, size_t count) {
  HWY_DYNAMIC_DISPATCH(Average)(dst, sums, 1.0f / static_cast<float>(copies), count);
}

}  // namespace framewright::kernels
#endif  // HWY_ONCE
