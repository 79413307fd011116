#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "compositor/plan/pixel_rect.h"
#include "compositor/planar_image.h"

// A value per pixel that decides when it changes during a transition. Shared by both backends. Pure; any
// thread.
namespace framewright {

// Quantisation of a pattern's values: 0 … kPatternSteps - 1.
inline constexpr int kPatternSteps = 1 << 13;
// A value 0 … 1 for the pixel whose centre is at (x, y).
using PatternValue = float (*)(float x, float y, float width, float height);

// Computed by a function, or the luma of an image that is stretched to the canvas. Does not own the image,
// but tells it from others after it is gone.
class TransitionPattern {
 public:
  TransitionPattern(PatternValue value = nullptr) : value_(value) {}  // NOLINT: a function is a pattern
  explicit TransitionPattern(const std::shared_ptr<const PlanarImage>& image) : image_(image) {}

  bool operator==(const TransitionPattern& other) const;
  // The quantised value of each pixel, row by row. The image must exist.
  void fill(std::vector<uint16_t>& steps, const CanvasSize& canvas) const;

 private:
  PatternValue value_ = nullptr;
  std::weak_ptr<const PlanarImage> image_;
};

}  // namespace framewright
