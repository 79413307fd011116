#pragma once

#include <span>
#include <string>
#include <string_view>

#include "compositor/cpu/crossing.h"
#include "compositor/cpu/transition_mask.h"
#include "core/result.h"

namespace framewright {

// A style by its xfade name. Directions and timing are those of ffmpeg's xfade; edges that are hard there are
// smoothed over a pixel, and black and white are those of video.
struct TransitionStyle {
  std::string_view name;
  CrossingInputs inputs;
  void (*draw)(const Crossing& crossing);  // null: the mask is drawn
  TransitionMask (*mask)(double progress, const CanvasSize& canvas) = nullptr;
};

// Null when the style is unknown.
const TransitionStyle* findTransition(std::string_view name);
std::span<const TransitionStyle> transitionStyles();
// All names, for messages.
std::string transitionNames();
// For styles that are not in the table.
Error unknownTransition(const std::string& name);

}  // namespace framewright
