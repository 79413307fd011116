#include "kernels/deep/transition_kernels.h"

#include <algorithm>

#include "kernels/blend/blend.h"
#include "kernels/mean/sliding_mean.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/deep/transition_kernels.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// The loops are vectorized by the compiler, for each instruction set anew.
HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {
namespace {

// Rounds to nearest. The bias makes truncation round negative values the same way.
inline int16_t toWord(float value) {
  constexpr float kBias = 32768;
  return static_cast<int16_t>(static_cast<int32_t>(value + (kBias + 0.5f)) - static_cast<int32_t>(kBias));
}

constexpr float kLevelUnit = 1.0f / 64;

}  // namespace

void MeanOfBoxes(int16_t* __restrict dst, const int32_t* __restrict sums, const int16_t* __restrict leaving,
                 const int16_t* __restrict entering, const SampleBox& box, size_t count) {
  const float start = box.startFraction, end = box.endFraction, share = box.share;
  constexpr float kUnit = kBoxUnit;
  for (size_t i = 0; i < count; ++i) {
    const float ends = static_cast<float>(entering[i]) * end - static_cast<float>(leaving[i]) * start;
    dst[i] = toWord((static_cast<float>(sums[i]) * kUnit + ends) * share);
  }
}

void SlideBoxes(int32_t* __restrict sums, const int16_t* __restrict leaving,
                const int16_t* __restrict entering, size_t count) {
  for (size_t i = 0; i < count; ++i) sums[i] += entering[i] - leaving[i];
}

void ScaleSums(int16_t* __restrict dst, const int32_t* __restrict sums, float share, size_t count) {
  for (size_t i = 0; i < count; ++i) dst[i] = toWord(static_cast<float>(sums[i]) * share);
}

void AddSamples(int32_t* __restrict sums, const int16_t* __restrict row, size_t count) {
  for (size_t i = 0; i < count; ++i) sums[i] += row[i];
}

void ReverseSamples(int16_t* __restrict dst, const int16_t* __restrict src, size_t count) {
  for (size_t i = 0; i < count; ++i) dst[i] = src[count - 1 - i];
}

void AddDifferences(int16_t* __restrict dst, const int16_t* __restrict src, const float* __restrict table,
                    size_t count) {
  constexpr float kPart = 1.0f / (1 << kDifferenceShift);
  for (size_t i = 0; i < count; ++i) {
    const int32_t difference =
        std::min(std::max(src[i] - dst[i], -kDifferenceReach), kDifferenceReach) + kDifferenceReach;
    const int32_t step = difference >> kDifferenceShift;
    const auto part = static_cast<float>(difference - (step << kDifferenceShift)) * kPart;
    const float low = table[step], high = table[step + 1];
    dst[i] = static_cast<int16_t>(dst[i] + toWord(low + (high - low) * part));
  }
}

void SquaredDistances(float* __restrict dst, const int16_t* __restrict a, const int16_t* __restrict b,
                      bool adds, size_t count) {
  const float before = adds ? 1.0f : 0.0f;
  for (size_t i = 0; i < count; ++i) {
    const float distance = (static_cast<float>(a[i]) - static_cast<float>(b[i])) * kLevelUnit;
    dst[i] = dst[i] * before + distance * distance;
  }
}

void WeightsOfDistances(uint16_t* __restrict weights, const int16_t* __restrict a,
                        const int16_t* __restrict b, const float* __restrict chroma, float limit,
                        uint16_t near, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const float luma = (static_cast<float>(a[i]) - static_cast<float>(b[i])) * kLevelUnit;
    weights[i] = luma * luma + chroma[i / 2] <= limit ? near : kFullWeight;
  }
}

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {
namespace {

HWY_EXPORT(MeanOfBoxes);
HWY_EXPORT(SlideBoxes);
HWY_EXPORT(ScaleSums);
HWY_EXPORT(AddSamples);
HWY_EXPORT(ReverseSamples);
HWY_EXPORT(AddDifferences);
HWY_EXPORT(SquaredDistances);
HWY_EXPORT(WeightsOfDistances);

}  // namespace

void meanOfBoxes(int16_t* dst, const int32_t* sums, const int16_t* leaving, const int16_t* entering,
                 const SampleBox& box, size_t count) {
  HWY_DYNAMIC_DISPATCH(MeanOfBoxes)(dst, sums, leaving, entering, box, count);
}

void slideBoxes(int32_t* sums, const int16_t* leaving, const int16_t* entering, size_t count) {
  HWY_DYNAMIC_DISPATCH(SlideBoxes)(sums, leaving, entering, count);
}

void scaleSums(int16_t* dst, const int32_t* sums, float share, size_t count) {
  HWY_DYNAMIC_DISPATCH(ScaleSums)(dst, sums, share, count);
}

void addSamples(int32_t* sums, const int16_t* row, size_t count) {
  HWY_DYNAMIC_DISPATCH(AddSamples)(sums, row, count);
}

void reverseSamples(int16_t* dst, const int16_t* src, size_t count) {
  HWY_DYNAMIC_DISPATCH(ReverseSamples)(dst, src, count);
}

void addDifferences(int16_t* dst, const int16_t* src, const float* table, size_t count) {
  HWY_DYNAMIC_DISPATCH(AddDifferences)(dst, src, table, count);
}

void squaredDistances(float* dst, const int16_t* a, const int16_t* b, bool adds, size_t count) {
  HWY_DYNAMIC_DISPATCH(SquaredDistances)(dst, a, b, adds, count);
}

void weightsOfDistances(uint16_t* weights, const int16_t* a, const int16_t* b, const float* chroma,
                        float limit, uint16_t near, size_t count) {
  HWY_DYNAMIC_DISPATCH(WeightsOfDistances)(weights, a, b, chroma, limit, near, count);
}

}  // namespace framewright::kernels
#endif  // HWY_ONCE
