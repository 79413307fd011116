#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "compositor/plan/plane_mapping.h"
#include "compositor/plan/transitions/transition_masks.h"

// Numbers behind transitions that change colours or sample positions; 0 < progress < 1 in all of them. Pure;
// any thread.
namespace framewright {

// 0 up to `low`, 1 from `high` on, and a smooth cubic between.
inline double smoothStep(double low, double high, double x) {
  const double t = std::clamp((x - low) / (high - low), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

// A fade from one side through a colour to the other, as two blends: towards the second side, then towards
// the colour; each 0 … 1.
struct FadeThroughColor {
  double towardsNext = 0, towardsColor = 0;
};
FadeThroughColor fadeThroughColor(double progress);

// kFast: samples that differ much change first; kSlow: last.
enum class FadeOrder { kFast, kSlow };
// What is added to a sample, by its difference from the new one: entries for -255, -254 … 255.
std::array<int16_t, 511> differenceSteps(double progress, FadeOrder order);

// The largest squared distance in Y, Cb and Cr of pixels that still fade; farther ones show the new side.
int32_t maxFadingDistance(double progress);

// Side length of pixelize blocks in canvas pixels. Up to 1 there are no blocks, the sides fade.
double blockSize(double progress, const CanvasSize& canvas);

// Blocks of a plane along one axis.
struct Blocks {
  double size;  // canvas pixels
  int pixels;   // canvas pixels along the axis
  int pixelsPerSample;

  int blockOf(int sample) const;
  // The sample that gives a block its colour.
  int middle(int block) const;
};

// How many samples of a plane a horizontal blur averages.
int blurredSamples(double progress, int canvasWidth, PlaneGroup group, int planeWidth);

// What a squeezed side covers of the canvas.
Rect squeezedBand(double progress, const CanvasSize& canvas, Axis axis);

// Source samples of a side that is squeezed along an axis: each output is the mean of several.
struct SqueezedAxis {
  static constexpr int kMaxTaps = 4;
  int samples = 0;   // along the whole axis
  double share = 1;  // of the axis that the squeezed side covers
  int taps = 2;      // 2 … kMaxTaps

  SqueezedAxis(int count, double covered);
  // The source sample of a tap.
  int source(int sample, int tap) const;
};

}  // namespace framewright
