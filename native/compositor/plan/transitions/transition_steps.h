#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "compositor/plan/plane_mapping.h"
#include "compositor/plan/transitions/transition_masks.h"

// Parameters of transitions that change colours or sample positions; 0 < progress < 1. Pure; any thread.
namespace framewright {

// 0 up to `low`, 1 from `high` on, and a smooth cubic between.
inline double smoothStep(double low, double high, double x) {
  const double t = std::clamp((x - low) / (high - low), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

// A fade through a colour as two blends (0 … 1 each): towards the second side, then towards the colour.
struct FadeThroughColor {
  double towardsNext = 0, towardsColor = 0;
};
FadeThroughColor fadeThroughColor(double progress);

// kFast: samples that differ much change first; kSlow: last.
enum class FadeOrder { kFast, kSlow };
// Increments by difference from the new sample: entries for -255 … 255.
std::array<int16_t, 511> differenceSteps(double progress, FadeOrder order);

// Maximum squared Y, Cb, Cr distance of pixels that still fade; farther pixels show the new side.
int32_t maxFadingDistance(double progress);

// Side length of pixelize blocks in canvas pixels; up to 1 the sides are faded without blocks.
double blockSize(double progress, const CanvasSize& canvas);

// Blocks of a plane along one axis.
struct Blocks {
  double size;  // canvas pixels
  int pixels;   // canvas pixels along the axis
  int pixelsPerSample;

  int blockOf(int sample) const;
  // The sample whose colour fills the block.
  int middle(int block) const;
};

// Number of plane samples that the horizontal blur averages.
int blurredSamples(double progress, int canvasWidth, PlaneGroup group, int planeWidth);

// The canvas area of a squeezed side.
Rect squeezedBand(double progress, const CanvasSize& canvas, Axis axis);

// Source samples of a side squeezed along an axis: each output averages several taps.
struct SqueezedAxis {
  static constexpr int kMaxTaps = 4;
  int samples = 0;   // plane samples along the axis
  double share = 1;  // share of the axis that the squeezed side covers
  int taps = 2;      // 2 … kMaxTaps

  SqueezedAxis(int count, double covered);
  // The source sample of a tap.
  int source(int sample, int tap) const;
};

}  // namespace framewright
