#pragma once

#include <cstddef>
#include <cstdint>

#include "core/blend_mode.h"

// W3C blend modes on full-width rows of BT.709 limited samples: both colours are converted to RGB and
// clipped, and the change is returned as differences, so that uncovered samples stay exact. Pure; any thread.
namespace framewright::kernels {

inline constexpr int kDeltaUnit = 32;  // per level

struct StraightRow {
  const uint8_t *y, *u, *v;
};

// The change under a source of full alpha times `weights` (Q15): the new luma of `backdrop` in `y`, chroma
// differences times kDeltaUnit. kNormal is source-over.
struct BlendedRow {
  uint8_t* y;
  int16_t *du, *dv;
};
void blendRow(BlendMode mode, const BlendedRow& dst, const StraightRow& backdrop, const StraightRow& source,
              const uint8_t* alpha, const uint16_t* weights, size_t count);

// Scalar version that defines the result bit for bit.
namespace reference {
void blendRow(BlendMode mode, const BlendedRow& dst, const StraightRow& backdrop, const StraightRow& source,
              const uint8_t* alpha, const uint16_t* weights, size_t count);
}  // namespace reference

}  // namespace framewright::kernels
