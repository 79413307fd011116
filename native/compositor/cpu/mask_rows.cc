#include "compositor/cpu/mask_rows.h"

namespace framewright {

OverlayRows::OverlayRows(const Overlay& overlay, const Crossing& crossing) : image_(overlay.image) {
  if (image_ != nullptr) return;
  for (size_t p = 0; p < 3; ++p) {
    std::vector<uint8_t>& row = crossing.buffers.rows[p];
    row.assign(static_cast<size_t>(crossing.frame.plane(static_cast<int>(p)).width), overlay.values[p]);
    values_[p] = row.data();
  }
}

void halveWeights(uint16_t* chroma, const uint16_t* top, const uint16_t* bottom, int count) {
  for (int x = 0; x < count; ++x) {
    const uint32_t sum = uint32_t{top[2 * x]} + top[2 * x + 1] + bottom[2 * x] + bottom[2 * x + 1];
    chroma[x] = static_cast<uint16_t>((sum + 2) / 4);
  }
}

void fitWeights(const Crossing& crossing) {
  const auto width = static_cast<size_t>(crossing.frame.width());
  crossing.buffers.weights[0].resize(width + width % 2);
  crossing.buffers.weights[1].resize(width + width % 2);
  crossing.buffers.weights[2].resize(static_cast<size_t>(crossing.frame.plane(1).width));
}

}  // namespace framewright
