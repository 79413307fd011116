#pragma once

#include <cstdint>

namespace framewright {

// A rectangle in continuous pixel coordinates: pixel k covers [k, k + 1).
struct Rect {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;

  double right() const { return x + width; }
  double bottom() const { return y + height; }
  bool operator==(const Rect&) const = default;
};

// Maps (x, y) to (xx * x + xy * y + dx, yx * x + yy * y + dy); continuous pixel coordinates.
struct Affine {
  double xx = 1, xy = 0, dx = 0;
  double yx = 0, yy = 1, dy = 0;

  bool operator==(const Affine&) const = default;
  bool isAxisAligned() const { return xy == 0 && yx == 0; }
};

// `a` after `b`: (a * b)(p) = a(b(p)).
inline Affine operator*(const Affine& a, const Affine& b) {
  return {a.xx * b.xx + a.xy * b.yx, a.xx * b.xy + a.xy * b.yy, a.xx * b.dx + a.xy * b.dy + a.dx,
          a.yx * b.xx + a.yy * b.yx, a.yx * b.xy + a.yy * b.yy, a.yx * b.dx + a.yy * b.dy + a.dy};
}

inline Affine translation(double x, double y) { return {1, 0, x, 0, 1, y}; }
inline Affine scaling(double x, double y) { return {x, 0, 0, 0, y, 0}; }
// Rotation clockwise on a canvas whose y axis points down.
Affine rotationDegrees(double degrees);
// Requires a non-zero determinant.
Affine inverse(const Affine& m);

// Frames per second or seconds per tick as an exact fraction; den > 0.
struct Rational {
  int64_t num = 0;
  int64_t den = 1;
  bool operator==(const Rational&) const = default;
};

// Straight (not premultiplied) sRGB.
struct Color {
  uint8_t r = 0, g = 0, b = 0, a = 255;
  bool operator==(const Color&) const = default;
};

}  // namespace framewright
