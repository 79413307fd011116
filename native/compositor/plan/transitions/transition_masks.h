#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "compositor/plan/pixel_rect.h"
#include "compositor/plan/transitions/transition_pattern.h"
#include "timeline/effects.h"

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

// Deterministic noise, uniform in 0 … 1.
float hashNoise(uint32_t x, uint32_t y);

enum class MaskShape { kColumns, kRows, kOutside, kPattern };

// A mask as a weight per pixel.
struct TransitionMask {
  MaskShape shape = MaskShape::kColumns;
  // Weight 0 … 1 by the position 0 … 1 along the axis, or by pattern value. Unset for kOutside.
  std::function<double(double)> weightAt;
  TransitionPattern pattern;  // kPattern
  Rect uncovered;             // kOutside: canvas pixels
  bool isBlack = false;       // composites black instead of the other side
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
// Shows the new side by the luma of `image`, dark places first.
TransitionMask lumaMask(double progress, const LumaWipe& wipe,
                        const std::shared_ptr<const PlanarImage>& image);

// Q15 weights of `count` pixels along an axis, or of `count` pattern values.
void fillAxisWeights(std::vector<uint16_t>& weights, int count,
                     const std::function<double(double)>& weightAt);

}  // namespace framewright
