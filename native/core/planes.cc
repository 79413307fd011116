#include "core/planes.h"

#include <cstring>

namespace framewright {

void copyPlane(const Plane& from, const Plane& to, int bytes) {
  const size_t row = static_cast<size_t>(from.width) * static_cast<size_t>(bytes);
  if (from.height > 0 && from.stride == to.stride) {
    // One copy, without the padding after the last row.
    std::memcpy(to.data, from.data,
                static_cast<size_t>(from.stride) * static_cast<size_t>(from.height - 1) + row);
    return;
  }
  for (int y = 0; y < from.height; ++y)
    std::memcpy(to.data + y * to.stride, from.data + y * from.stride, row);
}

void interleave(const Plane& cb, const Plane& cr, const Plane& pairs) {
  for (int y = 0; y < cb.height; ++y) {
    const uint8_t* b = cb.data + y * cb.stride;
    const uint8_t* r = cr.data + y * cr.stride;
    uint8_t* row = pairs.data + y * pairs.stride;
    for (int x = 0; x < cb.width; ++x) {
      row[2 * x] = b[x];
      row[2 * x + 1] = r[x];
    }
  }
}

}  // namespace framewright
