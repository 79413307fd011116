#pragma once

#include <vector>

#include "timeline/easing.h"

namespace framewright {

struct Keyframe {
  double frame = 0;  // counted from the clip's start
  double value = 0;
  Easing easing = Easing::kLinear;  // towards the next keyframe
};

// A value over time: constant when there are no keyframes.
struct Curve {
  double constant = 0;
  std::vector<Keyframe> keyframes;

  double at(double frame) const;
  double minimum() const;
  double maximum() const;
};

}  // namespace framewright
