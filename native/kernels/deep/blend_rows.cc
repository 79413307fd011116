#include "kernels/deep/blend_rows.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "kernels/blend/blend_formulas.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/deep/blend_rows.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// The loops are vectorized by the compiler, for each instruction set anew.
HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {
namespace {

constexpr size_t kBlendBlock = 256;

inline float limited(float value) { return std::min(std::max(value, 0.0f), 1.0f); }

// The formulas of blend_formulas.h, each as a loop of its own. Conditions choose between values, so that
// they need no branches.
template <BlendMode kMode>
inline float mixedBy(float b, float s) {
  if constexpr (kMode == BlendMode::kMultiply) {
    return b * s;
  } else if constexpr (kMode == BlendMode::kScreen) {
    return (b + s) - b * s;
  } else if constexpr (kMode == BlendMode::kOverlay) {
    const float twice = b + b, low = s * twice, up = twice - 1.0f;
    return b <= 0.5f ? low : (s + up) - s * up;
  } else if constexpr (kMode == BlendMode::kHardLight) {
    const float twice = s + s, low = b * twice, up = twice - 1.0f;
    return s <= 0.5f ? low : (b + up) - b * up;
  } else if constexpr (kMode == BlendMode::kDarken) {
    return std::min(b, s);
  } else if constexpr (kMode == BlendMode::kLighten) {
    return std::max(b, s);
  } else if constexpr (kMode == BlendMode::kDifference) {
    return std::max(b - s, s - b);
  } else if constexpr (kMode == BlendMode::kExclusion) {
    return (b + s) - 2.0f * b * s;
  } else {
    return mixedChannel(kMode, b, s);
  }
}

// Square roots, which compilers do not vectorize because of errno.
void rootsOf(float* roots, const float* values, size_t count) {
  size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<float> d;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto value = hn::Min(hn::Max(hn::LoadU(d, values + i), hn::Zero(d)), hn::Set(d, 1.0f));
    hn::StoreU(hn::Sqrt(value), d, roots + i);
  }
#endif
  for (; i < count; ++i) roots[i] = std::sqrt(limited(values[i]));
}

void blendSoftly(float* __restrict dst, const float* __restrict backdrop, const float* __restrict src,
                 const float* __restrict inverse, const float* __restrict weights, size_t count) {
  float roots[kBlendBlock];
  rootsOf(roots, backdrop, count);
  for (size_t i = 0; i < count; ++i) {
    const float s = limited(src[i] * inverse[i]), b = limited(backdrop[i]);
    const float twice = s + s, dark = b - (1.0f - twice) * b * (1.0f - b);
    const float curve = ((16.0f * b - 12.0f) * b + 4.0f) * b, lit = b <= 0.25f ? curve : roots[i];
    const float bright = b + (twice - 1.0f) * (lit - b);
    dst[i] = (s <= 0.5f ? dark : bright) * weights[i];
  }
}

template <BlendMode kMode>
void blendChannel(float* __restrict dst, const float* __restrict backdrop, const float* __restrict src,
                  const float* __restrict inverse, const float* __restrict weights, size_t count) {
  if constexpr (kMode == BlendMode::kSoftLight)
    return blendSoftly(dst, backdrop, src, inverse, weights, count);
  for (size_t i = 0; i < count; ++i) {
    const float s = limited(src[i] * inverse[i]), b = limited(backdrop[i]);
    if constexpr (kMode == BlendMode::kAdd) {
      dst[i] = std::min(s * weights[i], 1.0f - b);
    } else {
      dst[i] = mixedBy<kMode>(b, s) * weights[i];
    }
  }
}

template <BlendMode kMode>
void blendAll(const FloatRow& dst, const ConstFloatRow& backdrop, const ConstFloatRow& src,
              const float* weights, float rowWeight, size_t count) {
  float inverses[kBlendBlock], own[kBlendBlock];  // 1 / alpha, and the weight
  for (size_t first = 0; first < count; first += kBlendBlock) {
    const size_t block = std::min(kBlendBlock, count - first);
    const float* __restrict const w = weights + first;
    if (src.a == nullptr) {
      for (size_t i = 0; i < block; ++i) inverses[i] = 1, own[i] = w[i] * rowWeight;
    } else {
      const float* __restrict const a = src.a + first;
      // Where nothing is visible, colours are 0, too.
      for (size_t i = 0; i < block; ++i) {
        inverses[i] = 1 / std::max(a[i], 1e-9f);
        own[i] = std::max(a[i], 0.0f) * w[i] * rowWeight;
      }
    }
    blendChannel<kMode>(dst.r + first, backdrop.r + first, src.r + first, inverses, own, block);
    blendChannel<kMode>(dst.g + first, backdrop.g + first, src.g + first, inverses, own, block);
    blendChannel<kMode>(dst.b + first, backdrop.b + first, src.b + first, inverses, own, block);
    if constexpr (kMode == BlendMode::kAdd) {
      std::fill_n(dst.a + first, block, 0.0f);
    } else {
      std::copy_n(own, block, dst.a + first);
    }
  }
}

}  // namespace

void Blend(const FloatRow& dst, const ConstFloatRow& backdrop, const ConstFloatRow& src, const float* weights,
           float rowWeight, size_t count, BlendMode mode) {
  const auto by = [&](auto constant) {
    blendAll<decltype(constant)::value>(dst, backdrop, src, weights, rowWeight, count);
  };
  switch (mode) {
    case BlendMode::kNormal:
      return by(std::integral_constant<BlendMode, BlendMode::kNormal>());
    case BlendMode::kAdd:
      return by(std::integral_constant<BlendMode, BlendMode::kAdd>());
    case BlendMode::kMultiply:
      return by(std::integral_constant<BlendMode, BlendMode::kMultiply>());
    case BlendMode::kScreen:
      return by(std::integral_constant<BlendMode, BlendMode::kScreen>());
    case BlendMode::kOverlay:
      return by(std::integral_constant<BlendMode, BlendMode::kOverlay>());
    case BlendMode::kDarken:
      return by(std::integral_constant<BlendMode, BlendMode::kDarken>());
    case BlendMode::kLighten:
      return by(std::integral_constant<BlendMode, BlendMode::kLighten>());
    case BlendMode::kColorDodge:
      return by(std::integral_constant<BlendMode, BlendMode::kColorDodge>());
    case BlendMode::kColorBurn:
      return by(std::integral_constant<BlendMode, BlendMode::kColorBurn>());
    case BlendMode::kHardLight:
      return by(std::integral_constant<BlendMode, BlendMode::kHardLight>());
    case BlendMode::kSoftLight:
      return by(std::integral_constant<BlendMode, BlendMode::kSoftLight>());
    case BlendMode::kDifference:
      return by(std::integral_constant<BlendMode, BlendMode::kDifference>());
    case BlendMode::kExclusion:
      return by(std::integral_constant<BlendMode, BlendMode::kExclusion>());
  }
}

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {
namespace {

HWY_EXPORT(Blend);

}  // namespace

void blendFloats(const FloatRow& dst, const ConstFloatRow& backdrop, const ConstFloatRow& src,
                 const float* weights, float rowWeight, size_t count, BlendMode mode) {
  HWY_DYNAMIC_DISPATCH(Blend)(dst, backdrop, src, weights, rowWeight, count, mode);
}

}  // namespace framewright::kernels
#endif  // HWY_ONCE
