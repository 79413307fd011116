#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "compositor/cpu/layers/draw_image.h"
#include "compositor/plan/transitions/transition_styles.h"
#include "core/planes.h"

namespace framewright {

// Buffers reused between frames.
struct TransitionBuffers {
  std::vector<uint16_t> weights[3];  // of two luma rows and one chroma row
  std::vector<uint8_t> rows[3];
  std::vector<int32_t> columns;
  std::vector<uint16_t> response;  // weights by pattern value
  std::vector<uint16_t> pattern;   // values of `patternOf` for the canvas size below
  TransitionPattern patternOf;
  int patternWidth = 0, patternHeight = 0;
  std::vector<uint32_t> sums;
  RectCoverage coverage;
  // Results of passes of a transition, in turn.
  struct Pass {
    std::shared_ptr<Image> image;
    std::shared_ptr<const PlanarImage> planes;
  } passes[2];
};

// One frame of a transition. The style's TransitionInputs determine which sides are set and the initial
// contents of `frame`. Borrows everything; used by one thread.
struct TransitionFrame {
  Image& frame;
  double progress = 0;  // between 0 and 1, exclusive
  const Image* from = nullptr;
  const Image* to = nullptr;
  const PlanarImage* fromPlanes = nullptr;  // the same sides, for scaled or shifted drawing
  const PlanarImage* toPlanes = nullptr;
  ImageDrawer& images;
  TransitionBuffers& buffers;
  bool isDithered = false;  // see DrawList::isDithered
  LumaWipe wipe{};          // kLuma, with its image
  std::shared_ptr<const PlanarImage> luma = nullptr;

  // Rounding of blends in a row of any plane of `frame`.
  kernels::RowRounding rounding(int y) const { return roundingOfRow(isDithered, y); }
  CanvasSize canvas() const { return {frame.width(), frame.height()}; }
};

// Draws the style's transition into `transition.frame`.
Status drawTransition(const TransitionFrame& transition, const TransitionStyle& style);

}  // namespace framewright
