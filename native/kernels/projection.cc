#include "kernels/projection.h"

#include <algorithm>
#include <array>

namespace framewright::kernels::reference {

void sampleProjected(uint8_t* dst, const SamplePlane& plane, const ProjectedRow& row, size_t count) {
  const int parts = row.across * row.down;
  for (size_t first = 0, entry = 0; first < count; first += kProjectionStep, ++entry) {
    const size_t width = std::min<size_t>(kProjectionStep, count - first);
    const ProjectedWalk walk = projectedWalk(plane, row, entry);
    std::array<int, kProjectionStep> sums{};
    for (int k = 0; k < row.down && !walk.isOutside; ++k) {
      for (int i = 0; i < row.across; ++i) {
        std::array<uint8_t, kProjectionStep> samples;
        const int32_t x =
            walk.x + partOfStep(walk.stepX, i, row.across) + partOfStep(walk.downX, k, row.down);
        const int32_t y =
            walk.y + partOfStep(walk.stepY, i, row.across) + partOfStep(walk.downY, k, row.down);
        reference::sampleRow(samples.data(), plane, {x, y, walk.stepX, walk.stepY}, width);
        for (size_t s = 0; s < width; ++s) sums[s] += samples[s];
      }
    }
    for (size_t s = 0; s < width; ++s) dst[first + s] = static_cast<uint8_t>((sums[s] + parts / 2) / parts);
  }
}

}  // namespace framewright::kernels::reference
