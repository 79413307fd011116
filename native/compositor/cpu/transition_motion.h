#pragma once

#include "compositor/cpu/crossing.h"

// Transitions that move, stretch or uncover whole pictures.
namespace framewright {

// Where the change is heading: -1, 0 or 1 each.
struct Heading {
  int x = 0, y = 0;
};

void wipe(const Crossing& crossing, Heading heading);
void slide(const Crossing& crossing, Heading heading);
// The new picture moves over the old one.
void cover(const Crossing& crossing, Heading heading);
// The old picture moves off the new one.
void reveal(const Crossing& crossing, Heading heading);
// The old picture is pressed together along an axis, over the new one.
void squeeze(const Crossing& crossing, Axis axis);
// Into the middle of the old picture, then a fade to the new one.
void zoomIn(const Crossing& crossing);

}  // namespace framewright
