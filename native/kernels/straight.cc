#include "kernels/straight.h"

#include <algorithm>
#include <cmath>

#include "kernels/blend/blend.h"

namespace framewright::kernels::reference {

void unpremultiplyRow(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const float straight = alpha[i] == 0 ? 0.0f : static_cast<float>(src[i]) * 255.0f / alpha[i];
    dst[i] = static_cast<uint8_t>(std::lrint(std::min(straight, 255.0f)));
  }
}

void keyRow(uint16_t* hidden, const uint8_t* y, const uint8_t* u, const uint8_t* v, const KeyRamp& ramp,
            size_t count) {
  const float steepness = 1.0f / (ramp.outer - ramp.inner);
  for (size_t i = 0; i < count; ++i) {
    const float dy = (static_cast<float>(y[i]) - ramp.y) * ramp.lumaShare;
    const float du = static_cast<float>(u[i]) - ramp.u, dv = static_cast<float>(v[i]) - ramp.v;
    const float distance = std::sqrt((du * du + dv * dv) + dy * dy);
    const float t = std::min(std::max((distance - ramp.inner) * steepness, 0.0f), 1.0f);
    const float visible = t * t * (3.0f - 2.0f * t);
    hidden[i] = static_cast<uint16_t>(std::lrint((1.0f - visible) * kFullWeight));
  }
}

}  // namespace framewright::kernels::reference
