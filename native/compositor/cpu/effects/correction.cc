#include "compositor/cpu/effects/correction.h"

#include <algorithm>

#include "compositor/plan/effects/correction_curves.h"

namespace framewright {
namespace {

void applyCurve(const Plane& plane, const Plane& alphas, const Curve8& curve) {
  for (int y = 0; y < plane.height; ++y) {
    uint8_t* const row = plane.data + y * plane.stride;
    const uint8_t* const alpha = alphas.data + y * alphas.stride;
    for (int x = 0; x < plane.width; ++x) {
      const unsigned a = alpha[x];
      if (a == 255) {
        row[x] = curve[row[x]];
      } else if (a != 0) {
        const unsigned straight = std::min(255u, (row[x] * 255u + a / 2) / a);
        row[x] = static_cast<uint8_t>((curve[straight] * a + 127) / 255);
      }
    }
  }
}

}  // namespace

void correctColors(const Surface& surface, const Correction& correction) {
  const ImagePlanes& planes = surface.planes;
  if (changesLuma(correction)) applyCurve(planes.y, planes.alpha, lumaCurve(correction));
  if (correction.saturation == 1) return;
  const Curve8 curve = chromaCurve(correction);
  applyCurve(planes.u, planes.chromaAlpha, curve);
  applyCurve(planes.v, planes.chromaAlpha, curve);
}

}  // namespace framewright
