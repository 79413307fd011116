#pragma once

#include <vector>

#include "timeline/easing.h"

namespace framewright {

// A value at a frame of a clip.
struct Keyframe {
  double frame = 0;  // from the clip's start
  double value = 0;
  Easing easing = Easing::kLinear;  // until the next keyframe
};

// A value over time; `constant` without keyframes. Keyframes ascend.
struct Curve {
  double constant = 0;
  std::vector<Keyframe> keyframes;

  double at(double frame) const;
  double maximum() const;
  double minimum() const;
};

}  // namespace framewright
