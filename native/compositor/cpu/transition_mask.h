#pragma once

#include "compositor/cpu/crossing.h"
#include "compositor/cpu/transition_motion.h"

// Transitions that show the new picture through a growing mask.
namespace framewright {

enum class Doors { kOpen, kClose };

// Along an axis, with a soft edge as wide as the canvas. `heading` is -1 (left, up) or 1.
void wipeSmoothly(const Crossing& crossing, Axis axis, int heading);
// From the middle line outwards (open) or from both sides to it.
void moveDoors(const Crossing& crossing, Axis axis, Doors doors);
// Ten blinds, one after the other.
void turnSlices(const Crossing& crossing, Axis axis, int heading);

// The old picture shrinks into a corner.
void wipeCorner(const Crossing& crossing, Heading corner);
// The picture is cropped away to black, then the new one grows out of it.
void cropRect(const Crossing& crossing);
void cropCircle(const Crossing& crossing);

void moveIris(const Crossing& crossing, Doors doors);
// Like the hand of a clock.
void sweep(const Crossing& crossing);
// The corner named is the last to change.
void wipeDiagonally(const Crossing& crossing, Heading corner);
// A soft wipe in which each row or column goes at its own time.
void blow(const Crossing& crossing, Heading heading);
// Pixel by pixel, in an order that is always the same.
void dissolve(const Crossing& crossing);

}  // namespace framewright
