#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/resample.h"

// Bilinear sampling in perspective. Pure; any thread.
namespace framewright::kernels {

// Samples of a row between two exact positions; those between are interpolated.
inline constexpr int kProjectionShift = 3, kProjectionStep = 1 << kProjectionShift;

// 16.16 positions, x and y, of every kProjectionStep-th sample of a row and of the row below, up to one
// beyond the end. Sample centres are at integers; |position| <= 2^29.
struct ProjectedRow {
  const int32_t* here = nullptr;
  const int32_t* below = nullptr;
  // Positions per sample in each direction, whose mean it is: 1, 2 or 4.
  int across = 1, down = 1;
};

// The offset of position i of n of a sample, for a step to the next sample.
constexpr int32_t partOfStep(int32_t step, int i, int n) {
  const int shift = n == 1 ? 1 : n == 2 ? 2 : 3;
  return (step >> shift) * (2 * i + 1 - n);
}

// Samples of a row; 0 where all positions up to the next exact ones are on the same side of the plane.
void sampleProjected(uint8_t* dst, const SamplePlane& plane, const ProjectedRow& row, size_t count);

// Scalar version that defines the result bit for bit.
namespace reference {
void sampleProjected(uint8_t* dst, const SamplePlane& plane, const ProjectedRow& row, size_t count);
}  // namespace reference

// The part of a row from one exact position to the next.
struct ProjectedWalk {
  int32_t x, y, stepX, stepY;  // of the row
  int32_t downX, downY;        // to the row below
  bool isOutside;
};
inline ProjectedWalk projectedWalk(const SamplePlane& plane, const ProjectedRow& row, size_t entry) {
  const int32_t* const here = row.here + 2 * entry;
  const int32_t* const below = row.below + 2 * entry;
  const auto [left, right] = std::minmax({here[0], here[2], below[0], below[2]});
  const auto [top, bottom] = std::minmax({here[1], here[3], below[1], below[3]});
  const bool isOutside = right < plane.minX << 16 || left > plane.maxX << 16 || bottom < plane.minY << 16 ||
                         top > plane.maxY << 16;
  return {here[0],
          here[1],
          (here[2] - here[0]) >> kProjectionShift,
          (here[3] - here[1]) >> kProjectionShift,
          below[0] - here[0],
          below[1] - here[1],
          isOutside};
}

}  // namespace framewright::kernels
