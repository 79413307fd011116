#include "kernels/shadow.h"

#include <algorithm>

namespace framewright::kernels::reference {
namespace {

// x / 255, rounded; 0 <= x <= 255 * 255.
int divided(int x) { return (x + 128 + ((x + 128) >> 8)) >> 8; }

}  // namespace

void layUnder(uint8_t* row, const uint8_t* alpha, const uint16_t* cover, int value, int opacity,
              int intensity, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const int blurred = std::min((cover[i] + 2) >> 2, 255) * intensity;
    const int shape = std::min((blurred + kShadowIntensityUnit / 2) >> kShadowIntensityShift, 255);
    const int weight = divided(divided(shape * opacity) * (255 - alpha[i]));
    row[i] = static_cast<uint8_t>(std::min(row[i] + divided(value * weight), 255));
  }
}

}  // namespace framewright::kernels::reference
