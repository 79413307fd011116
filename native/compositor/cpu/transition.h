#pragma once

#include <optional>
#include <string>

#include "compositor/cpu/shape.h"

namespace framewright {

// What a transition style does at one moment, with both pictures composed. Directions and timing are those
// of ffmpeg's xfade.
struct TransitionMoment {
  double fade = 0;                      // weight of `to` all over; 0: unused
  Rect revealed;                        // canvas area that shows `to`, where nothing fades
  double moveFromX = 0, moveFromY = 0;  // how far `from` has moved
  double moveToX = 0, moveToY = 0;      // where `to` stands
  bool moves = false;
};

// Nothing when the style is unknown.
std::optional<TransitionMoment> transitionAt(const std::string& style, double progress,
                                             const CanvasSize& canvas);

}  // namespace framewright
