#pragma once

#include <span>
#include <string>
#include <string_view>

#include "compositor/plan/transitions/transition_light.h"
#include "compositor/plan/transitions/transition_masks.h"
#include "core/result.h"

namespace framewright {

// Drawing method of a transition.
enum class TransitionKind {
  kFade,
  kFadeThroughBlack,
  kFadeThroughWhite,
  kFadeThroughGray,  // through the sides' luma without colours
  kFadeFast,         // samples with large differences change first
  kFadeSlow,         // samples with large differences change last
  kDistance,         // pixels switch to the new side, large differences first
  kWipe,
  kSlide,
  kCover,   // the new side moves over the old one
  kReveal,  // the old side moves off the new one
  kSqueeze,
  kZoomIn,
  kPush,      // the new side pushes the old one, which moves slower and darkens
  kWhipPan,   // a fast pan over both sides, blurred along it
  kZoomBlur,  // through the old side into the new one, blurred from the middle
  kPageCurl,  // the old side is rolled off
  kGlitch,    // shifted rows and chroma
  kLight,     // coloured light by a pattern, under which the side changes
  kMask,
  kLuma,  // a mask by a grey image
  kPixelize,
  kHorizontalBlur,
};

// The sides that are composed into the frame or separately before the transition is drawn.
enum class TransitionInputs {
  kFromInFrame,  // the frame holds `from`; `to` is separate
  kToInFrame,    // the frame holds `to`; `from` is separate
  kSeparate,     // both sides are separate
  kHalfInFrame,  // the frame holds `from` in the first half and `to` in the second
};

// A transition style by name. Names of xfade have the direction and timing of FFmpeg's xfade; hard edges are
// antialiased, and black and white are limited-range.
struct TransitionStyle {
  std::string_view name;
  TransitionKind kind;
  TransitionInputs inputs = TransitionInputs::kFromInFrame;
  Heading heading;                // for kinds with a direction
  MaskFunction mask = nullptr;    // kMask
  LightFunction light = nullptr;  // kLight
};

// Null when the style is unknown.
const TransitionStyle* findTransition(std::string_view name);
std::span<const TransitionStyle> transitionStyles();
// The names of all styles, separated by ", ".
std::string transitionNames();
// The INVALID_TIMELINE error for an unknown style name.
Error unknownTransition(const std::string& name);

}  // namespace framewright
