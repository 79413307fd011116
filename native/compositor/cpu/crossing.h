#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compositor/cpu/draw_picture.h"

namespace framewright {

// Where in time or space a change is: one value per pixel, 0 … kPatternSteps - 1.
inline constexpr int kPatternSteps = 1 << 13;
// `x` and `y` of a pixel's middle; answers 0 … 1.
using PatternValue = float (*)(float x, float y, float width, float height);

// What transitions keep from frame to frame, so that a running one allocates nothing.
struct CrossingBuffers {
  std::vector<uint16_t> weights[3];  // of two luma rows and their chroma row
  std::vector<uint8_t> rows[3];
  std::vector<int32_t> columns;
  std::vector<uint16_t> response;  // of each pattern step
  std::vector<uint16_t> pattern;   // of `patternOf` on a canvas of the size below
  PatternValue patternOf = nullptr;
  int patternWidth = 0, patternHeight = 0;
  RectCoverage coverage[2];
};

// One frame of a transition: `progress` of the way from one picture to the other. Which of the pictures are
// there, and what the frame holds before, is said by the style's CrossingInputs.
struct Crossing {
  Image& frame;
  double progress = 0;  // above 0, below 1
  const Image* from = nullptr;
  const Image* to = nullptr;
  const PlanarPicture* fromPicture = nullptr;
  const PlanarPicture* toPicture = nullptr;
  PictureDrawer& pictures;
  CrossingBuffers& buffers;

  CanvasSize canvas() const { return {frame.width(), frame.height()}; }
};

enum class CrossingInputs {
  kFromInFrame,  // the frame holds `from`; `to` is apart
  kToInFrame,    // the frame holds `to`; `from` is apart
  kApart,        // the frame holds nothing
  kHalfInFrame,  // the frame holds `from` before the middle, `to` after it; nothing is apart
};

enum class Axis { kX, kY };

inline double smoothStep(double low, double high, double x) {
  const double t = std::clamp((x - low) / (high - low), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

inline uint8_t* rowOf(const Plane& plane, int y) { return plane.data + y * plane.stride; }

}  // namespace framewright
