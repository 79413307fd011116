#pragma once

#include <cstdint>
#include <vector>

#include "compositor/cpu/layers/draw_image.h"
#include "compositor/plan/transitions/transition_styles.h"

namespace framewright {

// Buffers kept from frame to frame, so that a running transition allocates nothing.
struct TransitionBuffers {
  std::vector<uint16_t> weights[3];  // of two luma rows and their chroma row
  std::vector<uint8_t> rows[3];
  std::vector<int32_t> columns;
  std::vector<uint16_t> response;  // weight of each pattern value
  std::vector<uint16_t> pattern;   // values of `patternOf` on a canvas of the size below
  PatternValue patternOf = nullptr;
  int patternWidth = 0, patternHeight = 0;
  RectCoverage coverage;
};

// One frame of a transition. Which sides are set, and what `frame` holds at first, follows from the style's
// TransitionInputs. Borrows everything; used by one thread.
struct TransitionFrame {
  Image& frame;
  double progress = 0;  // above 0, below 1
  const Image* from = nullptr;
  const Image* to = nullptr;
  const PlanarImage* fromPlanes = nullptr;  // the same sides, to draw scaled or moved
  const PlanarImage* toPlanes = nullptr;
  ImageDrawer& images;
  TransitionBuffers& buffers;

  CanvasSize canvas() const { return {frame.width(), frame.height()}; }
};

// Draws the style's transition into `transition.frame`.
void drawTransition(const TransitionFrame& transition, const TransitionStyle& style);

inline uint8_t* rowOf(const Plane& plane, int y) { return plane.data + y * plane.stride; }

}  // namespace framewright
