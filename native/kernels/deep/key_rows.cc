#include "kernels/deep/key_rows.h"

#include <algorithm>
#include <cmath>

#include "kernels/blend/blend.h"
#include "kernels/deep/sample_effects.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/deep/key_rows.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// The loops are vectorized by the compiler, for each instruction set anew. Levels are those of 8 bits.
HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {
namespace {

constexpr float kLevel = 1.0f / 64, kNeutralLevel = 128;

inline float levelOf(int16_t sample) { return static_cast<float>(sample) * kLevel; }
inline int16_t sampleOf(float level) { return static_cast<int16_t>(static_cast<int32_t>(level * 64 + 0.5f)); }
inline uint16_t weightOf(float share) {
  return static_cast<uint16_t>(static_cast<int32_t>(share * kFullWeight + 0.5f));
}

inline float mixOf(float du, float dv, const DifferenceKey& key) {
  const float along = du * key.unitU + dv * key.unitV, across = dv * key.unitU - du * key.unitV;
  return (along - key.wedge * std::abs(across)) * key.perChroma;
}
inline float visibleOf(float share, const DifferenceKey& key) {
  const float hidden = std::min(std::max((share - key.low) * key.steepness, 0.0f), 1.0f);
  return std::min(std::max((1.0f - hidden - key.choke) * key.chokeScale, 0.0f), 1.0f);
}
inline float takenOf(float share, const DifferenceKey& key) {
  return std::min(std::min(std::max(share, 0.0f), 1.0f) * key.despill, kMaxScreen);
}
// What is before the screen: `value` and `screen` from black or from neutral.
inline float before(float value, float screen, float taken, float level) {
  return (value - taken * level * screen) / (1.0f - taken);
}

}  // namespace

void MixSamples(float* __restrict mix, const int16_t* __restrict cb, const int16_t* __restrict cr,
                const DifferenceKey& from, size_t count) {
  const DifferenceKey key = from;
  for (size_t i = 0; i < count; ++i)
    mix[i] = mixOf(levelOf(cb[i]) - kNeutralLevel, levelOf(cr[i]) - kNeutralLevel, key);
}

void KeyLuma(uint16_t* __restrict visible, int16_t* __restrict luma, const int16_t* __restrict cb,
             const int16_t* __restrict cr, const float* __restrict level, const DifferenceKey& from,
             size_t count) {
  const DifferenceKey key = from;
  const bool showsMask = key.showsMatte || key.showsSpill;
  if (showsMask) {
    for (size_t i = 0; i < count; ++i) {
      const float share =
          mixOf(levelOf(cb[i]) - kNeutralLevel, levelOf(cr[i]) - kNeutralLevel, key) / level[i];
      visible[i] = kFullWeight;
      luma[i] = sampleOf((key.showsMatte ? visibleOf(share, key) : takenOf(share, key)) * 219.0f + 16.0f);
    }
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    const float share = mixOf(levelOf(cb[i]) - kNeutralLevel, levelOf(cr[i]) - kNeutralLevel, key) / level[i];
    const float own = levelOf(luma[i]);
    const float remaining = before(own - 16.0f, key.luma, takenOf(share, key), level[i]) + 16.0f;
    visible[i] = weightOf(visibleOf(share, key));
    luma[i] =
        sampleOf(std::max(std::min(std::max(remaining, std::min(own, 16.0f)), std::max(own, 235.0f)), 0.0f));
  }
}

void KeyChroma(int16_t* __restrict cb, int16_t* __restrict cr, const float* __restrict level,
               const DifferenceKey& from, size_t count) {
  const DifferenceKey key = from;
  if (key.showsMatte || key.showsSpill) {
    std::fill_n(cb, count, int16_t{kNeutralSample});
    std::fill_n(cr, count, int16_t{kNeutralSample});
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    const float du = levelOf(cb[i]) - kNeutralLevel, dv = levelOf(cr[i]) - kNeutralLevel;
    const float taken = takenOf(mixOf(du, dv, key) / level[i], key);
    const float u = before(du, key.u, taken, level[i]) + kNeutralLevel,
                v = before(dv, key.v, taken, level[i]) + kNeutralLevel;
    cb[i] = sampleOf(std::min(std::max(u, 0.0f), 255.0f));
    cr[i] = sampleOf(std::min(std::max(v, 0.0f), 255.0f));
  }
}

void KeyByDistance(uint16_t* __restrict visible, const int16_t* __restrict luma, const int16_t* __restrict cb,
                   const int16_t* __restrict cr, const KeyRamp& from, size_t count) {
  const KeyRamp ramp = from;
  const float steepness = 1.0f / (ramp.outer - ramp.inner);
  for (size_t i = 0; i < count; ++i) {
    const float dy = (levelOf(luma[i]) - ramp.y) * ramp.lumaShare;
    const float du = levelOf(cb[i]) - ramp.u, dv = levelOf(cr[i]) - ramp.v;
    const float distance = std::sqrt((du * du + dv * dv) + dy * dy);
    const float t = std::min(std::max((distance - ramp.inner) * steepness, 0.0f), 1.0f);
    visible[i] = weightOf(t * t * (3.0f - 2.0f * t));
  }
}

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {
namespace {

HWY_EXPORT(MixSamples);
HWY_EXPORT(KeyLuma);
HWY_EXPORT(KeyChroma);
HWY_EXPORT(KeyByDistance);

}  // namespace

void mixSampleRow(float* mix, const int16_t* cb, const int16_t* cr, const DifferenceKey& key, size_t count) {
  HWY_DYNAMIC_DISPATCH(MixSamples)(mix, cb, cr, key, count);
}

void keyLumaSamples(uint16_t* visible, int16_t* luma, const int16_t* cb, const int16_t* cr,
                    const float* level, const DifferenceKey& key, size_t count) {
  HWY_DYNAMIC_DISPATCH(KeyLuma)(visible, luma, cb, cr, level, key, count);
}

void keyChromaSamples(int16_t* cb, int16_t* cr, const float* level, const DifferenceKey& key, size_t count) {
  HWY_DYNAMIC_DISPATCH(KeyChroma)(cb, cr, level, key, count);
}

void keyByDistance(uint16_t* visible, const int16_t* luma, const int16_t* cb, const int16_t* cr,
                   const KeyRamp& ramp, size_t count) {
  HWY_DYNAMIC_DISPATCH(KeyByDistance)(visible, luma, cb, cr, ramp, count);
}

}  // namespace framewright::kernels
#endif  // HWY_ONCE
