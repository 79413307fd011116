#include "kernels/deep/transition_kernels.h"

#include <algorithm>

#include "kernels/blend/blend.h"
#include "kernels/mean/sliding_mean.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/deep/transition_kernels.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Most loops are vectorized by the compiler, for each instruction set anew.
HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

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

void AddDifferences(int16_t* __restrict dst, const int16_t* __restrict src, const int32_t* __restrict table,
                    size_t count) {
  constexpr int kPartMask = (1 << kDifferenceShift) - 1, kRounding = 1 << (kDifferenceShift - 1);
  size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<int32_t> d;
  const hn::Rebind<int16_t, decltype(d)> half;
  const size_t lanes = hn::Lanes(d);
  const auto reach = hn::Set(d, kDifferenceReach), last = hn::Set(d, 2 * kDifferenceReach);
  const auto mask = hn::Set(d, kPartMask), rounding = hn::Set(d, kRounding);
  for (; i + lanes <= count; i += lanes) {
    const auto own = hn::PromoteTo(d, hn::LoadU(half, dst + i)),
               next = hn::PromoteTo(d, hn::LoadU(half, src + i));
    const auto at = hn::Min(hn::Max(hn::Add(hn::Sub(next, own), reach), hn::Zero(d)), last);
    const auto entry = hn::GatherIndex(d, table, hn::ShiftRight<kDifferenceShift>(at));
    const auto value = hn::ShiftRight<16>(hn::ShiftLeft<16>(entry));
    const auto part = hn::Mul(hn::ShiftRight<16>(entry), hn::And(at, mask));
    const auto added = hn::Add(value, hn::ShiftRight<kDifferenceShift>(hn::Add(part, rounding)));
    hn::StoreU(hn::DemoteTo(half, hn::Add(own, added)), half, dst + i);
  }
#endif
  for (; i < count; ++i) {
    const int32_t at = std::min(std::max(src[i] - dst[i] + kDifferenceReach, 0), 2 * kDifferenceReach);
    const int32_t entry = table[at >> kDifferenceShift];
    const int32_t part = (entry >> 16) * (at & kPartMask);
    const int32_t value = static_cast<int16_t>(entry & 0xFFFF);
    dst[i] = static_cast<int16_t>(
        std::min(std::max(dst[i] + value + ((part + kRounding) >> kDifferenceShift), -32768), 32767));
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

void addDifferences(int16_t* dst, const int16_t* src, const DifferenceTable& table, size_t count) {
  HWY_DYNAMIC_DISPATCH(AddDifferences)(dst, src, table.data(), count);
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
