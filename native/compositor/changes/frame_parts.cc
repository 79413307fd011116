#include "compositor/changes/frame_parts.h"

#include <cstring>

#include "core/planes.h"

namespace framewright {

Plane partOf(const Plane& plane, const PixelRect& part, PlaneGroup group, int bytes) {
  const SampleRange across = samplesOf(part.left, part.right, group),
                    down = samplesOf(part.top, part.bottom, group);
  return {plane.data + down.first * plane.stride + across.first * bytes, plane.stride,
          across.end - across.first, down.end - down.first};
}

void copyPart(Image& to, const Image& from, const PixelRect& part) {
  const int bytes = from.format() == PixelFormat::kI010 ? 2 : 1;
  for (int i = 0; i < 3; ++i) {
    const PlaneGroup group = groupOfPlane(i);
    const Plane target = partOf(to.plane(i), part, group, bytes),
                source = partOf(from.plane(i), part, group, bytes);
    for (int y = 0; y < target.height; ++y)
      std::memcpy(rowOf(target, y), rowOf(source, y), static_cast<size_t>(target.width * bytes));
  }
}

}  // namespace framewright
