#pragma once

#include <span>
#include <string>
#include <string_view>

#include "compositor/plan/transitions/transition_masks.h"
#include "core/result.h"

namespace framewright {

// How a transition is drawn.
enum class TransitionKind {
  kFade,
  kFadeThroughBlack,
  kFadeThroughWhite,
  kFadeThroughGray,  // the sides' own luma, with their colours taken away
  kFadeFast,         // samples that differ much change first
  kFadeSlow,         // samples that differ much change last
  kDistance,         // pixels jump to the new side, those that differ most first
  kWipe,
  kSlide,
  kCover,   // the new side moves over the old one
  kReveal,  // the old side moves off the new one
  kSqueeze,
  kZoomIn,
  kMask,
  kPixelize,
  kHorizontalBlur,
};

// Which sides are drawn into the frame itself and which separately, before the transition is.
enum class TransitionInputs {
  kFromInFrame,  // the frame holds `from`; `to` is separate
  kToInFrame,    // the frame holds `to`; `from` is separate
  kSeparate,     // the frame holds nothing
  kHalfInFrame,  // the frame holds `from` before the middle and `to` after it; nothing is separate
};

// A transition style by its xfade name. Directions and timing are those of FFmpeg's xfade; edges that are
// hard there are antialiased, and black and white are those of limited-range video.
struct TransitionStyle {
  std::string_view name;
  TransitionKind kind;
  TransitionInputs inputs = TransitionInputs::kFromInFrame;
  Heading heading;              // of kinds that have a direction
  MaskFunction mask = nullptr;  // kMask
};

// Null when the style is unknown.
const TransitionStyle* findTransition(std::string_view name);
std::span<const TransitionStyle> transitionStyles();
// The names of all styles, separated by ", ".
std::string transitionNames();
// INVALID_TIMELINE for a name that findTransition() does not know.
Error unknownTransition(const std::string& name);

}  // namespace framewright
