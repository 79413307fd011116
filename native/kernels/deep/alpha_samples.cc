#include "kernels/deep/alpha_samples.h"

#include <algorithm>

#include "kernels/deep/plane_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/deep/alpha_samples.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// The loops are vectorized by the compiler, for each instruction set anew.
HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {
namespace {

constexpr int kAlphaBits = 14;  // of images

// value * weight in Q15, in the form that compilers recognise as one instruction.
inline int16_t shareOf(int16_t value, int16_t weight) {
  return static_cast<int16_t>(((static_cast<int32_t>(value) * weight >> 14) + 1) >> 1);
}

// Rounds to nearest. The bias makes truncation round negative values the same way.
inline int16_t nearest(float value) {
  constexpr float kBias = 32768;
  return static_cast<int16_t>(static_cast<int32_t>(value + (kBias + 0.5f)) - static_cast<int32_t>(kBias));
}

}  // namespace

void Premultiplied(int16_t* const* planes, const ConstFloatRow& src, const YcbcrScale& scale, size_t count) {
  constexpr float kUnit = 1 << kCodeFraction, kFullAlpha = 1 << kAlphaBits;
  const float* __restrict const r = src.r, * __restrict const g = src.g, * __restrict const b = src.b, * __restrict const a = src.a;
  int16_t* __restrict const lumas = planes[0], * __restrict const blues = planes[1];
  int16_t* __restrict const reds = planes[2], * __restrict const alphas = planes[3];
  const float redShare = scale.redShare, greenShare = scale.greenShare, blueShare = scale.blueShare;
  const float levels = kUnit / scale.lumaScale;
  const float blueUnit = kUnit / (scale.chromaScale * 2 * (1 - blueShare)),
              redUnit = kUnit / (scale.chromaScale * 2 * (1 - redShare));
  for (size_t i = 0; i < count; ++i) {
    const float luma = r[i] * redShare + g[i] * greenShare + b[i] * blueShare;
    lumas[i] = nearest(luma * levels);
    blues[i] = nearest((b[i] - luma) * blueUnit);
    reds[i] = nearest((r[i] - luma) * redUnit);
    alphas[i] = nearest(a[i] * kFullAlpha);
  }
}

int16_t FullAlpha(int16_t* __restrict alpha, size_t count) {
  constexpr int16_t kFull = 1 << kAlphaBits;
  int16_t any = 0;
  for (size_t i = 0; i < count; ++i) {
    const int16_t own = std::min(std::max(alpha[i], int16_t{0}), kFull);
    alpha[i] = static_cast<int16_t>(2 * own - (own >> kAlphaBits));
    any = static_cast<int16_t>(any | own);
  }
  return any;
}

void Limit(int16_t* __restrict samples, const int16_t* __restrict alpha, int16_t lowest, int16_t highest,
           size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const int16_t low = shareOf(lowest, alpha[i]), high = shareOf(highest, alpha[i]);
    samples[i] = std::min(std::max(samples[i], low), high);
  }
}

void AddOffset(int16_t* __restrict samples, const int16_t* __restrict alpha, int16_t offset, size_t count) {
  for (size_t i = 0; i < count; ++i)
    samples[i] = static_cast<int16_t>(samples[i] + shareOf(offset, alpha[i]));
}

void HalveAlpha(int16_t* __restrict dst, const int16_t* top, const int16_t* bottom, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const auto k = static_cast<ptrdiff_t>(2 * i);
    const int32_t sides = top[k - 1] + top[k + 1] + bottom[k - 1] + bottom[k + 1],
                  middle = top[k] + bottom[k];
    dst[i] = static_cast<int16_t>((sides + 2 * middle + 4) >> 3);
  }
}

void OfAlpha(int16_t* __restrict cb, int16_t* __restrict cr, const int16_t* __restrict own,
             const int16_t* __restrict alpha, int16_t offset, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    // Little chroma is not amplified much.
    const int32_t divisor = std::max(std::max<int32_t>(own[i], alpha[i] >> 2), 1);
    const float share = static_cast<float>(alpha[i]) / static_cast<float>(divisor);
    const int16_t grey = shareOf(offset, alpha[i]);
    cb[i] = static_cast<int16_t>(nearest(static_cast<float>(cb[i]) * share) + grey);
    cr[i] = static_cast<int16_t>(nearest(static_cast<float>(cr[i]) * share) + grey);
  }
}

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {
namespace {

constexpr int16_t kBlackLuma = 64 << kCodeFraction, kWhiteAboveBlack = 876 << kCodeFraction;
constexpr int16_t kGreyChroma = 512 << kCodeFraction, kFullChroma = 448 << kCodeFraction;

HWY_EXPORT(Premultiplied);
HWY_EXPORT(FullAlpha);
HWY_EXPORT(Limit);
HWY_EXPORT(AddOffset);
HWY_EXPORT(HalveAlpha);
HWY_EXPORT(OfAlpha);

}  // namespace

void premultipliedSamples(int16_t* const* planes, const ConstFloatRow& src, const YcbcrScale& scale,
                          size_t count) {
  HWY_DYNAMIC_DISPATCH(Premultiplied)(planes, src, scale, count);
}

bool fullAlpha(int16_t* alpha, size_t count) { return HWY_DYNAMIC_DISPATCH(FullAlpha)(alpha, count) != 0; }

void limitLuma(int16_t* luma, const int16_t* alpha, size_t count) {
  HWY_DYNAMIC_DISPATCH(Limit)(luma, alpha, 0, kWhiteAboveBlack, count);
}

void limitChroma(int16_t* chroma, const int16_t* alpha, size_t count) {
  HWY_DYNAMIC_DISPATCH(Limit)(chroma, alpha, -kFullChroma, kFullChroma, count);
}

void addBlack(int16_t* luma, const int16_t* alpha, size_t count) {
  HWY_DYNAMIC_DISPATCH(AddOffset)(luma, alpha, kBlackLuma, count);
}

void halveAlpha(int16_t* dst, const int16_t* top, const int16_t* bottom, size_t count) {
  HWY_DYNAMIC_DISPATCH(HalveAlpha)(dst, top, bottom, count);
}

void chromaOfAlpha(int16_t* cb, int16_t* cr, const int16_t* own, const int16_t* alpha, size_t count) {
  HWY_DYNAMIC_DISPATCH(OfAlpha)(cb, cr, own, alpha, kGreyChroma, count);
}

}  // namespace framewright::kernels
#endif  // HWY_ONCE
