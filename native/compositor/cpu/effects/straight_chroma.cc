#include "compositor/cpu/effects/straight_chroma.h"

#include <algorithm>
#include <cstring>

#include "kernels/convert.h"
#include "kernels/straight.h"

namespace framewright {
void StraightChroma::begin(const Plane& u, const Plane& v, const Plane& alpha) {
  // Upsampling reads one sample beyond the row.
  const auto width = static_cast<size_t>(u.width);
  step_ = width + 1;
  height_ = u.height;
  const Plane* const from[2] = {&u, &v};
  for (size_t p = 0; p < 2; ++p) {
    planes_[p].resize(step_ * static_cast<size_t>(height_));
    uint8_t* const first = planes_[p].data();
    int seen = -1;  // last row with visible samples
    for (int y = 0; y < height_; ++y) {
      uint8_t* const row = first + step_ * static_cast<size_t>(y);
      const uint8_t* const source = from[p]->data + y * from[p]->stride;
      bool shows = true;
      if (alpha.data == nullptr) {
        std::memcpy(row, source, width);
      } else {
        const uint8_t* const alphas = alpha.data + y * alpha.stride;
        kernels::unpremultiplyRow(row, source, alphas, width);
        shows = kernels::extendVisible(row, alphas, u.width);
      }
      row[width] = row[width - 1];
      if (shows && seen < 0) {
        for (int above = 0; above < y; ++above)
          std::memcpy(first + step_ * static_cast<size_t>(above), row, step_);
      }
      if (!shows && seen >= 0) std::memcpy(row, row - step_, step_);
      if (shows) seen = y;
    }
  }
}

void StraightChroma::fillRow(int y, uint8_t* u, uint8_t* v, size_t count) const {
  const int near = y / 2, far = std::clamp(near + (y % 2 == 0 ? -1 : 1), 0, height_ - 1);
  kernels::doubleChromaRow(u, &planes_[0][at(0, near)], &planes_[0][at(0, far)], count);
  kernels::doubleChromaRow(v, &planes_[1][at(0, near)], &planes_[1][at(0, far)], count);
}

}  // namespace framewright
