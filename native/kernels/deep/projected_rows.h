#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/deep/plane_filters.h"
#include "kernels/projection.h"

// Bilinear sampling of planes of 16 bits in perspective. The results do not depend on the instruction set.
// Pure; any thread.
namespace framewright::kernels {

// kernels::sampleProjected() for up to kMaxProjectedPlanes planes with kCodeFraction fraction bits, which all
// have the size and stride of `shape`.
inline constexpr size_t kMaxProjectedPlanes = 3;
void sampleProjectedCodes(int16_t* const* dst, const int16_t* const* planes, size_t planeCount,
                          const CodePlane& shape, const ProjectedRow& row, size_t count);

}  // namespace framewright::kernels
