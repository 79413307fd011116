#pragma once

#include <cstddef>
#include <cstdint>

// Drop shadows on premultiplied samples. Pure; any thread.
namespace framewright::kernels {

inline constexpr int kShadowIntensityShift = 6, kShadowIntensityUnit = 1 << kShadowIntensityShift;

// Lays a colour under a row. `alpha` is that of the row; `cover` has the shadow's shape in units of
// kSumUnit a level, see shifted_mean.h, and is multiplied by `intensity`, which is up to 4 *
// kShadowIntensityUnit; `opacity` is 0..255. For the row of the alpha itself, `value` is 255
// and `alpha` may be `row`.
void layUnder(uint8_t* row, const uint8_t* alpha, const uint16_t* cover, int value, int opacity,
              int intensity, size_t count);

// Scalar version that defines the result bit for bit.
namespace reference {
void layUnder(uint8_t* row, const uint8_t* alpha, const uint16_t* cover, int value, int opacity,
              int intensity, size_t count);
}  // namespace reference

}  // namespace framewright::kernels
