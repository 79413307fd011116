#include "core/geometry.h"

#include <cmath>

namespace framewright {

Affine rotationDegrees(double degrees) {
  // Right angles stay exact, so that rotated images keep the axis-aligned fast path.
  const double turn = std::fmod(std::fmod(degrees, 360.0) + 360.0, 360.0);
  double c = 0, s = 0;
  if (turn == 0) {
    c = 1;
  } else if (turn == 90) {
    s = 1;
  } else if (turn == 180) {
    c = -1;
  } else if (turn == 270) {
    s = -1;
  } else {
    const double radians = turn * 3.14159265358979323846 / 180.0;
    c = std::cos(radians);
    s = std::sin(radians);
  }
  return {c, -s, 0, s, c, 0};
}

Affine inverse(const Affine& m) {
  const double k = 1.0 / (m.xx * m.yy - m.xy * m.yx);
  const Affine linear{m.yy * k, -m.xy * k, 0, -m.yx * k, m.xx * k, 0};
  return {linear.xx, linear.xy, -(linear.xx * m.dx + linear.xy * m.dy),
          linear.yx, linear.yy, -(linear.yx * m.dx + linear.yy * m.dy)};
}

}  // namespace framewright
