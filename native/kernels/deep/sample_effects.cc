#include "kernels/deep/sample_effects.h"

#include <algorithm>
#include <cmath>

#include "kernels/finish.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/deep/sample_effects.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// The loops are vectorized by the compiler, for each instruction set anew.
#ifndef FRAMEWRIGHT_SAMPLE_SLOPE
#define FRAMEWRIGHT_SAMPLE_SLOPE
namespace framewright::kernels {

// A slope as a whole number and a part in Q15.
struct Slope {
  int whole = 1;
  int16_t part = 0, offset = 0;
};
inline constexpr int kNoiseUnit = 256;

}  // namespace framewright::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// value * weight in Q15, in the form that compilers recognise as one instruction.
inline int16_t weightedSample(int16_t value, int16_t weight) {
  return static_cast<int16_t>(((static_cast<int32_t>(value) * weight >> 14) + 1) >> 1);
}

inline int16_t curvedSample(int16_t sample, const int32_t* points) {
  const int32_t at = std::min(std::max<int32_t>(sample, 0), 16 * kCurvePoints - 1);
  const int32_t point = points[at >> 4];
  const int32_t value = static_cast<int16_t>(point & 0xFFFF), step = point >> 16;
  return static_cast<int16_t>(value + ((step * (at & 15) + 8) >> 4));
}

inline int16_t grainedSample(int16_t sample, int8_t noise, int16_t strength) {
  const auto above = std::max<int16_t>(static_cast<int16_t>(sample - kBlackSample), 0),
             below = std::max<int16_t>(static_cast<int16_t>(kWhiteSample - sample), 0);
  // Overflows where the other distance is 0.
  const int16_t midtone = weightedSample(static_cast<int16_t>(2 * above), static_cast<int16_t>(2 * below));
  const int16_t gain = weightedSample(midtone, strength);
  const auto changed =
      static_cast<int16_t>(sample + weightedSample(static_cast<int16_t>(noise * kNoiseUnit), gain));
  return std::min(std::max(changed, std::min<int16_t>(sample, kBlackSample)),
                  std::max<int16_t>(sample, kWhiteSample));
}

}  // namespace

void ScaleSamples(int16_t* __restrict row, const Slope& slope, size_t count) {
  size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<int16_t> d;
  const size_t lanes = hn::Lanes(d);
  const auto low = hn::Set(d, kLowestSample), high = hn::Set(d, kHighestSample);
  const auto neutral = hn::Set(d, kNeutralSample), part = hn::Set(d, slope.part),
             offset = hn::Set(d, slope.offset);
  for (; i + lanes <= count; i += lanes) {
    const auto distance = hn::SaturatedSub(hn::LoadU(d, row + i), neutral);
    auto sum = hn::MulFixedPoint15(distance, part);
    for (int k = 0; k < slope.whole; ++k) sum = hn::SaturatedAdd(sum, distance);
    sum = hn::SaturatedAdd(sum, offset);
    hn::StoreU(hn::Min(hn::Max(sum, low), high), d, row + i);
  }
#endif
  const auto saturated = [](int32_t value) { return std::min(std::max(value, -32768), 32767); };
  for (; i < count; ++i) {
    const int32_t distance = saturated(row[i] - kNeutralSample);
    int32_t sum = (distance * slope.part + (1 << 14)) >> 15;
    for (int k = 0; k < slope.whole; ++k) sum = saturated(sum + distance);
    sum = saturated(sum + slope.offset);
    row[i] = static_cast<int16_t>(std::min(std::max(sum, kLowestSample), kHighestSample));
  }
}

void CurveSamples(int16_t* __restrict row, const int32_t* __restrict points, size_t count) {
  size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<int32_t> d;
  const hn::Rebind<int16_t, decltype(d)> half;
  const size_t lanes = hn::Lanes(d);
  const auto last = hn::Set(d, 16 * kCurvePoints - 1), part = hn::Set(d, 15), rounding = hn::Set(d, 8);
  for (; i + lanes <= count; i += lanes) {
    const auto sample = hn::PromoteTo(d, hn::LoadU(half, row + i));
    const auto at = hn::Min(hn::Max(sample, hn::Zero(d)), last);
    const auto point = hn::GatherIndex(d, points, hn::ShiftRight<4>(at));
    const auto value = hn::ShiftRight<16>(hn::ShiftLeft<16>(point));
    const auto step = hn::Mul(hn::ShiftRight<16>(point), hn::And(at, part));
    hn::StoreU(hn::DemoteTo(half, hn::Add(value, hn::ShiftRight<4>(hn::Add(step, rounding)))), half, row + i);
  }
#endif
  for (; i < count; ++i) row[i] = curvedSample(row[i], points);
}

void ShadeSamples(int16_t* __restrict row, const uint16_t* __restrict brightness, int16_t neutral,
                  size_t count) {
  for (size_t i = 0; i < count; ++i) {
    // kFullWeight - 1 acts as 1.
    const auto share = static_cast<int16_t>(std::min<uint16_t>(brightness[i], 32767));
    const auto distance = static_cast<int16_t>(row[i] - neutral);
    row[i] = static_cast<int16_t>(
        neutral + static_cast<int16_t>(((static_cast<int32_t>(distance) * share >> 14) + 1) >> 1));
  }
}

void GrainSamples(int16_t* __restrict row, const int8_t* __restrict noise, int16_t strength, size_t count) {
  size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<int16_t> d;
  const hn::Rebind<int8_t, decltype(d)> bytes;
  const size_t lanes = hn::Lanes(d);
  const auto black = hn::Set(d, kBlackSample), white = hn::Set(d, kWhiteSample), share = hn::Set(d, strength);
  for (; i + lanes <= count; i += lanes) {
    const auto sample = hn::LoadU(d, row + i);
    const auto above = hn::Max(hn::Sub(sample, black), hn::Zero(d)),
               below = hn::Max(hn::Sub(white, sample), hn::Zero(d));
    const auto midtone = hn::MulFixedPoint15(hn::Add(above, above), hn::Add(below, below));
    const auto gain = hn::MulFixedPoint15(midtone, share);
    const auto unit = hn::ShiftLeft<8>(hn::PromoteTo(d, hn::LoadU(bytes, noise + i)));
    const auto changed = hn::Add(sample, hn::MulFixedPoint15(unit, gain));
    hn::StoreU(hn::Min(hn::Max(changed, hn::Min(sample, black)), hn::Max(sample, white)), d, row + i);
  }
#endif
  for (; i < count; ++i) row[i] = grainedSample(row[i], noise[i], strength);
}

void WeightsOfLuma(uint16_t* __restrict weights, const int16_t* __restrict luma, size_t count) {
  constexpr int32_t kRange = kWhiteSample - kBlackSample;
  constexpr auto kScale = static_cast<int32_t>((int64_t{1} << 30) / kRange);
  for (size_t i = 0; i < count; ++i) {
    const int32_t level = std::min(std::max<int32_t>(luma[i] - kBlackSample, 0), kRange);
    weights[i] = static_cast<uint16_t>(std::min((level * kScale + (1 << 14)) >> 15, 32767));
  }
}

void ChromaOfWeights(uint16_t* __restrict chroma, const uint16_t* __restrict top,
                     const uint16_t* __restrict bottom, size_t count) {
  const uint16_t* const left[2] = {top - 1, bottom - 1};
  size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<int32_t> d;
  const hn::Repartition<uint16_t, decltype(d)> pairs;
  const hn::Rebind<uint16_t, decltype(d)> half;
  const hn::RebindToUnsigned<decltype(d)> bits;
  const size_t lanes = hn::Lanes(d);
  const auto low = hn::Set(bits, 0xFFFF), rounding = hn::Set(bits, 4);
  for (; i + lanes <= count; i += lanes) {
    auto sum = rounding;
    for (int k = 0; k < 2; ++k) {
      const auto first = hn::BitCast(bits, hn::LoadU(pairs, left[k] + 2 * i)),
                 second = hn::BitCast(bits, hn::LoadU(pairs, left[k] + 2 * i + 1));
      // Columns 2i - 1 and 2i, then 2i and 2i + 1.
      sum = hn::Add(sum, hn::Add(hn::And(first, low), hn::ShiftRight<16>(second)));
      sum = hn::Add(sum, hn::ShiftLeft<1>(hn::And(second, low)));
    }
    hn::StoreU(hn::DemoteTo(half, hn::BitCast(d, hn::ShiftRight<3>(sum))), half, chroma + i);
  }
#endif
  for (; i < count; ++i) {
    uint32_t sum = 4;
    for (const uint16_t* const row : left) sum += row[2 * i] + 2u * row[2 * i + 1] + row[2 * i + 2];
    chroma[i] = static_cast<uint16_t>(sum >> 3);
  }
}

void MultiplyWeights(uint16_t* __restrict weights, const uint16_t* __restrict factors, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const uint32_t factor = factors[i] + (factors[i] >> 14u);  // 2^15 for kFullWeight
    weights[i] = static_cast<uint16_t>((weights[i] * factor + (1 << 14)) >> 15);
  }
}

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {
namespace {

HWY_EXPORT(ScaleSamples);
HWY_EXPORT(CurveSamples);
HWY_EXPORT(ShadeSamples);
HWY_EXPORT(GrainSamples);
HWY_EXPORT(WeightsOfLuma);
HWY_EXPORT(ChromaOfWeights);
HWY_EXPORT(MultiplyWeights);

}  // namespace

void scaleSamples(int16_t* row, const SampleLine& line, size_t count) {
  const double slope = std::clamp(line.slope, 0.0, kMaxSampleSlope);
  const double offset = std::clamp<double>(line.offset, -kHighestSample, kHighestSample);
  Slope steps;
  steps.whole = static_cast<int>(std::lround(slope));
  steps.part = static_cast<int16_t>(std::clamp(std::lround((slope - steps.whole) * 32768), -32768l, 32767l));
  steps.offset = static_cast<int16_t>(kNeutralSample + std::lround(offset));
  HWY_DYNAMIC_DISPATCH(ScaleSamples)(row, steps, count);
}

void curveSamples(int16_t* row, const SampleCurve& curve, size_t count) {
  HWY_DYNAMIC_DISPATCH(CurveSamples)(row, curve.data(), count);
}

void shadeSamples(int16_t* row, const uint16_t* brightness, int16_t neutral, size_t count) {
  HWY_DYNAMIC_DISPATCH(ShadeSamples)(row, brightness, neutral, count);
}

void grainSamples(int16_t* row, const int8_t* noise, int strength, size_t count) {
  // grainRow() adds noise * above * below * strength / 2^kGrainShift levels. Distances and the result are 64
  // times as large here; the midtone is 4 * above * below / 2^15.
  constexpr double kUnit = 8192.0 * (32768.0 / kNoiseUnit) / 64 / (1 << kGrainShift);
  const long share = std::lround(strength * kUnit * 32768);
  HWY_DYNAMIC_DISPATCH(GrainSamples)(row, noise, static_cast<int16_t>(std::min(share, 32767l)), count);
}

void weightsOfLuma(uint16_t* weights, const int16_t* luma, size_t count) {
  HWY_DYNAMIC_DISPATCH(WeightsOfLuma)(weights, luma, count);
}

void chromaOfWeights(uint16_t* chroma, const uint16_t* top, const uint16_t* bottom, size_t count) {
  HWY_DYNAMIC_DISPATCH(ChromaOfWeights)(chroma, top, bottom, count);
}

void multiplyWeights(uint16_t* weights, const uint16_t* factors, size_t count) {
  HWY_DYNAMIC_DISPATCH(MultiplyWeights)(weights, factors, count);
}

}  // namespace framewright::kernels
#endif  // HWY_ONCE
