#pragma once

namespace framewright {

// Blend modes of W3C Compositing and Blending; kAdd is plus-lighter.
enum class BlendMode {
  kNormal,
  kMultiply,
  kScreen,
  kOverlay,
  kDarken,
  kLighten,
  kColorDodge,
  kColorBurn,
  kHardLight,
  kSoftLight,
  kDifference,
  kExclusion,
  kAdd,
};

}  // namespace framewright
