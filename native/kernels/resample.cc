#include "kernels/resample.h"

#include <algorithm>

namespace framewright::kernels::reference {

void filterColumns(int16_t* dst, const uint8_t* line, const ColumnFilter& filter) {
  for (int group = 0; group < filter.groups; ++group) {
    for (int column = 0; column < kColumnGroup; ++column) {
      int sum = 0;
      for (int quad = 0; quad < filter.quads; ++quad) {
        const uint8_t* from = line + filter.bases[group] + 4 * quad;
        const int inBlock = group % kGroupAlignment;
        const int16_t* weights = filter.weights +
                                 (static_cast<ptrdiff_t>(quad) * filter.groups + (group - inBlock)) * 16 +
                                 inBlock * 8;
        for (int tap = 0; tap < 4; ++tap) {
          const int at = (tap / 2) * 8 + column * 2 + tap % 2;
          const int weightAt = (tap / 2) * 2 * kBlockColumns + column * 2 + tap % 2;
          sum += from[filter.shuffles[group * 16 + at]] * weights[weightAt];
        }
      }
      dst[group * kColumnGroup + column] = static_cast<int16_t>(std::clamp((sum + 128) >> 8, -32768, 32767));
    }
  }
}

void filterRows(uint8_t* dst, const int16_t* const* rows, const int16_t* weights, int taps, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    int sum = 16;
    for (int t = 0; t < taps; ++t) sum += (rows[t][i] * weights[t] + 0x4000) >> 15;
    dst[i] = static_cast<uint8_t>(std::clamp(sum >> 5, 0, 255));
  }
}

void sampleRow(uint8_t* dst, const SamplePlane& plane, const SampleWalk& walk, size_t count) {
  int32_t u = walk.x, v = walk.y;
  for (size_t i = 0; i < count; ++i, u = advanced(u, walk.stepX, 1), v = advanced(v, walk.stepY, 1)) {
    const int cu = std::clamp(u, plane.minX << 16, plane.maxX << 16);
    const int cv = std::clamp(v, plane.minY << 16, plane.maxY << 16);
    const int x = std::max(std::min(cu >> 16, plane.maxX - 1), plane.minX);
    const int y = std::max(std::min(cv >> 16, plane.maxY - 1), plane.minY);
    const int fx = (cu - (x << 16)) >> 8, fy = (cv - (y << 16)) >> 8;
    // A weight of 0 ignores the neighbour, but its address must be in the plane.
    const int nextX = std::min(x + 1, plane.maxX), nextY = std::min(y + 1, plane.maxY);
    const uint8_t* row = plane.data + static_cast<ptrdiff_t>(y) * plane.stride;
    const uint8_t* below = plane.data + static_cast<ptrdiff_t>(nextY) * plane.stride;
    const int top = row[x] * 256 + (row[nextX] - row[x]) * fx;
    const int bottom = below[x] * 256 + (below[nextX] - below[x]) * fx;
    dst[i] = static_cast<uint8_t>((top * 256 + (bottom - top) * fy + 32768) >> 16);
  }
}

void halveRows(uint8_t* dst, const uint8_t* top, const uint8_t* bottom, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    dst[i] = static_cast<uint8_t>((top[2 * i] + top[2 * i + 1] + bottom[2 * i] + bottom[2 * i + 1] + 2) >> 2);
  }
}

}  // namespace framewright::kernels::reference
