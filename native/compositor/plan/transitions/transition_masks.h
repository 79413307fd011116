#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "compositor/plan/pixel_rect.h"

// Mask weights of transitions that composite a side, or black, over the frame. Shared by both backends for
// identical weights. Pure; any thread.
namespace framewright {

enum class Axis { kX, kY };

// Direction of a transition: -1, 0 or 1 per axis. For masks that open or close, 1 opens and -1 closes along
// the axis.
struct Heading {
  int x = 0, y = 0;

  Axis axis() const { return x != 0 ? Axis::kX : Axis::kY; }
  int sign() const { return x + y; }
};

// Quantisation of a pattern's values: 0 … kPatternSteps - 1.
inline constexpr int kPatternSteps = 1 << 13;
// A value 0 … 1 for the pixel whose centre is at (x, y).
using PatternValue = float (*)(float x, float y, float width, float height);

// Deterministic noise, uniform in 0 … 1.
float hashNoise(uint32_t x, uint32_t y);

enum class MaskShape { kColumns, kRows, kOutside, kPattern };

// A mask as a weight per pixel.
struct TransitionMask {
  MaskShape shape = MaskShape::kColumns;
  // Weight 0 … 1 by the position 0 … 1 along the axis, or by pattern value. Unset for kOutside.
  std::function<double(double)> weightAt;
  PatternValue pattern = nullptr;  // kPattern
  Rect uncovered;                  // kOutside: canvas pixels
  bool isBlack = false;            // composites black instead of the other side
};

// The mask of one frame of a transition; 0 < progress < 1.
using MaskFunction = TransitionMask (*)(double progress, const CanvasSize& canvas, Heading heading);

TransitionMask smoothWipeMask(double progress, const CanvasSize& canvas, Heading heading);
TransitionMask doorsMask(double progress, const CanvasSize& canvas, Heading heading);
TransitionMask slicesMask(double progress, const CanvasSize& canvas, Heading heading);
TransitionMask cornerWipeMask(double progress, const CanvasSize& canvas, Heading corner);
TransitionMask rectCropMask(double progress, const CanvasSize& canvas, Heading);
TransitionMask circleCropMask(double progress, const CanvasSize& canvas, Heading);
TransitionMask irisMask(double progress, const CanvasSize& canvas, Heading heading);
TransitionMask clockMask(double progress, const CanvasSize& canvas, Heading);
TransitionMask diagonalMask(double progress, const CanvasSize& canvas, Heading corner);
TransitionMask windMask(double progress, const CanvasSize& canvas, Heading heading);
TransitionMask dissolveMask(double progress, const CanvasSize& canvas, Heading);

// Q15 weights of `count` pixels along an axis, or of `count` pattern values.
void fillAxisWeights(std::vector<uint16_t>& weights, int count,
                     const std::function<double(double)>& weightAt);
// The pattern's quantised value of each pixel, row by row.
void fillPattern(std::vector<uint16_t>& steps, PatternValue pattern, const CanvasSize& canvas);

}  // namespace framewright
