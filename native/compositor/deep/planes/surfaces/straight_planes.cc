#include "compositor/deep/planes/surfaces/straight_planes.h"

#include <algorithm>

#include "kernels/deep/surface_rows.h"
#include "kernels/straight.h"

namespace framewright {
void StraightPlanes::begin(const OverlaySamples& chroma) {
  // Interpolation reads one sample beyond the row.
  const auto width = static_cast<size_t>(chroma.width);
  step_ = width + 1;
  height_ = chroma.height;
  for (size_t p = 0; p < 2; ++p) {
    planes_[p].resize(step_ * static_cast<size_t>(height_));
    int16_t* const first = planes_[p].data();
    int seen = -1;  // last row with visible samples
    for (int y = 0; y < height_; ++y) {
      int16_t* const row = first + at(y);
      kernels::straightSamples(row, colourRow(chroma, p, y), alphaRow(chroma, y), width);
      const bool shows = kernels::extendVisible(row, alphaRow(chroma, y), chroma.width);
      row[width] = row[width - 1];
      if (shows && seen < 0) {
        for (int above = 0; above < y; ++above) std::copy_n(row, step_, first + at(above));
      }
      if (!shows && seen >= 0) std::copy_n(row - step_, step_, row);
      if (shows) seen = y;
    }
  }
}

void StraightPlanes::fillRow(int y, int16_t* cb, int16_t* cr, size_t count) const {
  const int near = y / 2, far = std::clamp(near + (y % 2 == 0 ? -1 : 1), 0, height_ - 1);
  kernels::doubleChromaSamples(cb, row(0, near), row(0, far), count);
  kernels::doubleChromaSamples(cr, row(1, near), row(1, far), count);
}

}  // namespace framewright
