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
// What the squeezed picture covers of the canvas.
Rect squeezedBand(double progress, const CanvasSize& canvas, Axis axis);

// Which samples a squeezed picture takes: the mean of up to kMostTaps, since it has more of them than fit.
struct SqueezedAxis {
  static constexpr int kMostTaps = 4;
  int samples = 0;   // along the whole axis
  double share = 1;  // of the axis that the squeezed picture covers
  int taps = 2;

  SqueezedAxis(int count, double covered);
  // The source sample of a tap.
  int source(int sample, int tap) const;
};

// Into the middle of the old picture, then a fade to the new one.
void zoomIn(const Crossing& crossing);

}  // namespace framewright
