#pragma once

#include <optional>

#include "compositor/plan/pixel_rect.h"
#include "core/image.h"

namespace framewright {

// A plane without columns and rows of its middle that are equal, for effects whose result is equal there.
class CutPlane {
 public:
  CutPlane(const PixelRect& removed, int width, int height)
      : removed_(removed), width_(width - removed.width()), height_(height - removed.height()) {}

  // Size without the removed columns and rows.
  int width() const { return width_; }
  int height() const { return height_; }
  void shrink(const Plane& whole, const Plane& small) const;
  // Repeats the sample at each cut.
  void expand(const Plane& small, const Plane& whole) const;

 private:
  PixelRect removed_;  // columns and rows
  int width_, height_;
};

// Cuts columns that are equal, and rows that are equal, at least `reach` samples away from others and by
// multiples of `unit`. Nothing if there are none, as in most planes but those of alpha.
std::optional<CutPlane> cutUniform(const Plane& plane, int reach, int unit);

}  // namespace framewright
