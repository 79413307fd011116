#pragma once

#include <cstdint>
#include <vector>

#include "compositor/cpu/effects/layer_buffer.h"
#include "compositor/plan/effects/projection_plan.h"

namespace framewright {

// Draws a layer in perspective. Used by one thread.
class Projector {
 public:
  // `projected` is transparent; both buffers are at their places of the map from one to the other.
  void apply(const LayerBuffer& flat, const LayerBuffer& projected, const Homography& toCanvas);

 private:
  // Finds the columns of each band of rows that are opaque in all of them.
  void findOpaque(const Plane& alpha);
  // Whether a row shows only opaque samples from one exact position to the next.
  bool isOpaque(size_t entry) const;
  void drawAlpha(const Plane& from, uint8_t* to, const kernels::ProjectedRow& row, int width) const;

  struct Span {
    int first, end;
  };
  std::vector<Span> opaque_;
  std::vector<int32_t> positions_, below_;
};

}  // namespace framewright
