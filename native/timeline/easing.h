#pragma once

#include <optional>
#include <string_view>

namespace framewright {

enum class Easing {
  kLinear,
  kHold,
  kInQuad,
  kOutQuad,
  kInOutQuad,
  kInCubic,
  kOutCubic,
  kInOutCubic,
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
};

// Names as in schema/timeline.schema.json, e.g. "easeInOutCubic".
std::optional<Easing> easingFromName(std::string_view name);

// Progress 0..1 in, eased progress out; exactly 0 at 0 and 1 at 1 (kHold: 0 until 1).
double ease(Easing easing, double progress);

}  // namespace framewright
