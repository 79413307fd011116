#pragma once

#include <string>
#include <string_view>

#include "compositor/cpu/crossing.h"

namespace framewright {

// A style by its xfade name. Directions and timing are those of ffmpeg's xfade; edges that are hard there are
// smoothed over a pixel, and black and white are those of video.
struct TransitionStyle {
  std::string_view name;
  CrossingInputs inputs;
  void (*draw)(const Crossing& crossing);
};

// Null when the style is unknown.
const TransitionStyle* findTransition(std::string_view name);
// All names, for messages.
std::string transitionNames();

}  // namespace framewright
