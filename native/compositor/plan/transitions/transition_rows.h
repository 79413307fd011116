#pragma once

#include <cstdint>
#include <vector>

#include "compositor/plan/plane_mapping.h"
#include "compositor/plan/transitions/transition_masks.h"

// Transitions that shift rows or columns of their sides; 0 < progress < 1. Shared by both backends. Pure; any
// thread.
namespace framewright {

// A sample of one of two sides along an axis.
struct PanSample {
  bool isTo = false;
  int index = 0;
};

// A pan over both sides and their mirror images along an axis, averaged over a box. Sample k of the result is
// the mean of the strip's positions start + kPanUnit * k … + length, in steps.
struct PanBlur {
  int samples = 0;           // of the plane along the axis
  bool isBackwards = false;  // from the end of the strip, where the old side is, to its start
  int start = 0;             // steps
  int length = 0;            // steps; at least one sample

  // The sample at a position of the strip, in whole samples.
  PanSample at(int position) const;
  // The first position of the strip, and how many are read.
  int first() const;
  int count() const;
  // Fractions of the box at its start and at its end, in steps.
  int startFraction() const;
  int endFraction() const;
  // Whole samples between the first of the box and its last, fractional one.
  int span() const;
};
inline constexpr int kPanUnit = 64;  // steps per sample
PanBlur panBlur(double progress, Heading heading, int samples);

// Shows `from` or `to`, shifted to the right.
struct ShiftedSide {
  bool isTo = false;
  int shift = 0;  // samples; edges are mirrored
};
// A row of a plane during a glitch: columns blockStart … blockEnd - 1 differ from the others.
struct GlitchRow {
  ShiftedSide row, block;
  int blockStart = 0, blockEnd = 0;
};
// The rows of a plane: 0 luma, 1 and 2 chroma.
std::vector<GlitchRow> glitchRows(double progress, const CanvasSize& canvas, int plane);
// The index in 0 … count - 1 at which an index beyond the edges is mirrored.
int mirroredIndex(int index, int count);
// Whether samples descend at an index beyond the edges.
bool isMirrored(int index, int count);

}  // namespace framewright
