#include "compositor/cpu/transitions/overlay_rows.h"

namespace framewright {

OverlayRows::OverlayRows(const Overlay& overlay, const TransitionFrame& transition) : image_(overlay.image) {
  if (image_ != nullptr) return;
  for (size_t p = 0; p < 3; ++p) {
    std::vector<uint8_t>& row = transition.buffers.rows[p];
    row.assign(static_cast<size_t>(transition.frame.plane(static_cast<int>(p)).width), overlay.values[p]);
    values_[p] = row.data();
  }
}

void fitWeights(const TransitionFrame& transition) {
  const auto width = static_cast<size_t>(transition.frame.width());
  transition.buffers.weights[0].resize(width + width % 2);
  transition.buffers.weights[1].resize(width + width % 2);
  transition.buffers.weights[2].resize(static_cast<size_t>(transition.frame.plane(1).width));
}

}  // namespace framewright
