#pragma once

#include "compositor/cpu/crossing.h"

// Fades during which the picture becomes coarse.
namespace framewright {

void pixelize(const Crossing& crossing);
// In canvas pixels; up to 1 there are no blocks, the pictures fade.
double blockSize(double progress, const CanvasSize& canvas);

// Blocks of a plane along one axis.
struct Blocks {
  double size;  // canvas pixels
  int pixels;   // the canvas' size along the axis
  int pixelsPerSample;

  int blockOf(int sample) const;
  // The sample that gives a block its colour.
  int middle(int block) const;
};

// Smeared sideways, up to half the canvas wide.
void blurAcross(const Crossing& crossing);
// How many samples of a plane are made into one.
int smearedSamples(double progress, int canvasWidth, PlaneGroup group, int planeWidth);

}  // namespace framewright
