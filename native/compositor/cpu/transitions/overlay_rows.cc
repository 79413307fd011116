#include "compositor/cpu/transitions/overlay_rows.h"

namespace framewright {

OverlayRows::OverlayRows(const Overlay& overlay, const TransitionFrame& crossing) : image_(overlay.image) {
  if (image_ != nullptr) return;
  for (size_t p = 0; p < 3; ++p) {
    std::vector<uint8_t>& row = crossing.buffers.rows[p];
    row.assign(static_cast<size_t>(crossing.frame.plane(static_cast<int>(p)).width), overlay.values[p]);
    values_[p] = row.data();
  }
}

void fitWeights(const TransitionFrame& crossing) {
  const auto width = static_cast<size_t>(crossing.frame.width());
  crossing.buffers.weights[0].resize(width + width % 2);
  crossing.buffers.weights[1].resize(width + width % 2);
  crossing.buffers.weights[2].resize(static_cast<size_t>(crossing.frame.plane(1).width));
}

}  // namespace framewright
