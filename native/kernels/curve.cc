#include "kernels/curve.h"

#include <algorithm>

namespace framewright::kernels::reference {
namespace {

template <class Curve>
void bendRow(uint8_t* row, const uint8_t* alpha, const Curve& valueAt, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const unsigned a = alpha != nullptr ? alpha[i] : 255;
    if (a == 255) {
      row[i] = valueAt(row[i]);
    } else if (a != 0) {
      const unsigned straight = std::min(255u, (row[i] * 255u + a / 2) / a);
      row[i] = static_cast<uint8_t>((valueAt(straight) * a + 127) / 255);
    }
  }
}

}  // namespace

void curveRow(uint8_t* row, const uint8_t* alpha, const uint8_t* curve, size_t count) {
  bendRow(
      row, alpha, [curve](unsigned sample) { return curve[sample]; }, count);
}

void linearCurveRow(uint8_t* row, const uint8_t* alpha, const LinearCurve& curve, size_t count) {
  bendRow(
      row, alpha, [&curve](unsigned sample) { return curve.at(static_cast<int>(sample)); }, count);
}

}  // namespace framewright::kernels::reference
