#include "compositor/deep/mask_weights.h"

#include <algorithm>

namespace framewright {

void MaskWeights::begin(const TransitionMask& mask, const CanvasSize& canvas) {
  shape_ = mask.shape;
  canvas_ = canvas;
  if (shape_ == MaskShape::kOutside) inside_.cover(mask.uncovered, canvas, PlaneGroup::kLuma);
  if (shape_ == MaskShape::kColumns || shape_ == MaskShape::kRows) {
    fillAxisWeights(steps_, shape_ == MaskShape::kColumns ? canvas.width : canvas.height, mask.weightAt);
  } else if (shape_ == MaskShape::kPattern) {
    fillAxisWeights(steps_, kPatternSteps, mask.weightAt);
    if (patternOf_ == mask.pattern && patternSize_.width == canvas.width &&
        patternSize_.height == canvas.height)
      return;
    mask.pattern.fill(pattern_, canvas);
    patternOf_ = mask.pattern;
    patternSize_ = canvas;
  }
}

void MaskWeights::write(int y, uint16_t* weights) const {
  const int width = canvas_.width;
  switch (shape_) {
    case MaskShape::kColumns:
      std::copy_n(steps_.begin(), width, weights);
      return;
    case MaskShape::kRows:
      std::fill_n(weights, width, steps_[static_cast<size_t>(y)]);
      return;
    case MaskShape::kPattern: {
      const uint16_t* const row = &pattern_[static_cast<size_t>(y) * static_cast<size_t>(width)];
      for (int x = 0; x < width; ++x) weights[x] = steps_[row[x]];
      return;
    }
    case MaskShape::kOutside:
      std::fill_n(weights, width, kernels::kFullWeight);
      if (inside_.empty() || y < inside_.rows.first || y >= inside_.rows.end) return;
      for (int x = inside_.columns.first; x < inside_.columns.end; ++x) {
        weights[x] = static_cast<uint16_t>(kernels::kFullWeight -
                                           weightProduct(inside_.columns.at(x), inside_.rows.at(y)));
      }
  }
}

}  // namespace framewright
