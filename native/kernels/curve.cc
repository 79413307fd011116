#include "kernels/curve.h"

#include <algorithm>

namespace framewright::kernels::reference {

void curveRow(uint8_t* row, const uint8_t* alpha, const uint8_t* curve, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const unsigned a = alpha != nullptr ? alpha[i] : 255;
    if (a == 255) {
      row[i] = curve[row[i]];
    } else if (a != 0) {
      const unsigned straight = std::min(255u, (row[i] * 255u + a / 2) / a);
      row[i] = static_cast<uint8_t>((curve[straight] * a + 127) / 255);
    }
  }
}

}  // namespace framewright::kernels::reference
