#pragma once

namespace framewright {

// As in W3C Compositing and Blending; kAdd is its plus-lighter.
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
