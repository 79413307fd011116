#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "compositor/cpu/crossing.h"
#include "compositor/cpu/transition_motion.h"

// Transitions that lay a picture or black over another through a mask that changes with time.
namespace framewright {

enum class MaskShape { kColumns, kRows, kOutside, kPattern };

// How much of each pixel is covered. Whoever draws asks here, so that all compositors use the same weights.
struct TransitionMask {
  MaskShape shape = MaskShape::kColumns;
  // Of positions 0 … 1 along the axis, or of a pattern's values; answers 0 … 1. None of kOutside.
  std::function<double(double)> weightAt;
  PatternValue pattern = nullptr;
  Rect bare;             // kOutside: what is not covered
  bool isBlack = false;  // what is laid over: black, or else the other picture
};

// Q15 weights of `count` pixels along an axis, or of `count` values of a pattern.
void fillAxisWeights(std::vector<uint16_t>& weights, int count,
                     const std::function<double(double)>& weightAt);
// Of each pixel, row by row: 0 … kPatternSteps - 1.
void fillPattern(std::vector<uint16_t>& steps, PatternValue pattern, const CanvasSize& canvas);

void drawMask(const Crossing& crossing, const TransitionMask& mask);

enum class Doors { kOpen, kClose };

// Along an axis, with a soft edge as wide as the canvas. `heading` is -1 (left, up) or 1.
TransitionMask wipeSmoothly(double progress, Axis axis, int heading);
// From the middle line outwards (open) or from both sides to it.
TransitionMask moveDoors(double progress, Axis axis, Doors doors);
// Ten blinds, one after the other.
TransitionMask turnSlices(double progress, const CanvasSize& canvas, Axis axis, int heading);

// The old picture shrinks into a corner.
TransitionMask wipeCorner(double progress, const CanvasSize& canvas, Heading corner);
// The picture is cropped away to black, then the new one grows out of it.
TransitionMask cropRect(double progress, const CanvasSize& canvas);
TransitionMask cropCircle(double progress, const CanvasSize& canvas);

TransitionMask moveIris(double progress, Doors doors);
// Like the hand of a clock.
TransitionMask sweep(double progress);
// The corner named is the last to change.
TransitionMask wipeDiagonally(double progress, Heading corner);
// A soft wipe in which each row or column goes at its own time.
TransitionMask blow(double progress, Heading heading);
// Pixel by pixel, in an order that is always the same.
TransitionMask dissolve(double progress);

}  // namespace framewright
