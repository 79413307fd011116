#pragma once

#include <string_view>

namespace framewright {

// Easing functions, in families of in, out and in-out.
enum class Easing {
  kLinear,
  kHold,
  kInQuad,
  kOutQuad,
  kInOutQuad,
  kInCubic,
  kOutCubic,
  kInOutCubic,
  kInQuart,
  kOutQuart,
  kInOutQuart,
  kInQuint,
  kOutQuint,
  kInOutQuint,
  kInSine,
  kOutSine,
  kInOutSine,
  kInExpo,
  kOutExpo,
  kInOutExpo,
  kInCirc,
  kOutCirc,
  kInOutCirc,
  kInBack,
  kOutBack,
  kInOutBack,
  kInElastic,
  kOutElastic,
  kInOutElastic,
  kInBounce,
  kOutBounce,
  kInOutBounce,
};

// Names in schema/timeline.schema.json, in the order of Easing.
inline constexpr std::string_view kEasingNames[] = {
    "linear",           "hold",           "easeInQuad",     "easeOutQuad",
    "easeInOutQuad",    "easeInCubic",    "easeOutCubic",   "easeInOutCubic",
    "easeInQuart",      "easeOutQuart",   "easeInOutQuart", "easeInQuint",
    "easeOutQuint",     "easeInOutQuint", "easeInSine",     "easeOutSine",
    "easeInOutSine",    "easeInExpo",     "easeOutExpo",    "easeInOutExpo",
    "easeInCirc",       "easeOutCirc",    "easeInOutCirc",  "easeInBack",
    "easeOutBack",      "easeInOutBack",  "easeInElastic",  "easeOutElastic",
    "easeInOutElastic", "easeInBounce",   "easeOutBounce",  "easeInOutBounce",
};

// Eased progress for a progress of 0..1; exactly 0 at 0 and 1 at 1 (kHold: 0 before 1).
double ease(Easing easing, double progress);

}  // namespace framewright
