#include "compositor/cpu/effects/chroma_key.h"

#include <algorithm>
#include <cmath>

#include "compositor/plan/effects/key_ramp.h"

namespace framewright {
namespace {

constexpr float kSpillStrength = 0.7f;
constexpr float kNeutral = 128;

float lengthOf(float x, float y) { return std::sqrt(x * x + y * y); }

}  // namespace

void ChromaKeyer::apply(const Surface& surface, const ChromaKey& key) {
  const ImagePlanes& planes = surface.planes;
  const kernels::KeyRamp ramp = keyRampOf(key);
  const auto width = static_cast<size_t>(surface.width);
  for (auto* row : {&y_, &u_, &v_}) row->resize(width);
  chroma_.begin(planes.u, planes.v, planes.chromaAlpha);
  suppressSpill(surface, ramp, maxKeyDistance(ramp));
  eraseRows(surface, rows_, [&](int y, uint16_t* hidden) {
    kernels::unpremultiplyRow(y_.data(), planes.y.data + y * planes.y.stride,
                              planes.alpha.data + y * planes.alpha.stride, width);
    chroma_.fillRow(y, u_.data(), v_.data(), width);
    kernels::keyRow(hidden, y_.data(), u_.data(), v_.data(), ramp, width);
    return true;
  });
}

void ChromaKeyer::suppressSpill(const Surface& surface, const kernels::KeyRamp& ramp, float widest) const {
  const float hueU = ramp.u - kNeutral, hueV = ramp.v - kNeutral, coloured = lengthOf(hueU, hueV);
  if (coloured < kMinSpillChroma) return;
  const ImagePlanes& planes = surface.planes;
  const float unitU = hueU / coloured, unitV = hueV / coloured, reach = kSpillReach * widest;
  for (int y = 0; y < planes.u.height; ++y) {
    uint8_t *const rowU = planes.u.data + y * planes.u.stride, *const rowV =
                                                                   planes.v.data + y * planes.v.stride;
    const uint8_t* const alpha = planes.chromaAlpha.data + y * planes.chromaAlpha.stride;
    for (int x = 0; x < planes.u.width; ++x) {
      const float u = chroma_.u(x, y), v = chroma_.v(x, y);
      const float along = (u - kNeutral) * unitU + (v - kNeutral) * unitV;
      if (along <= 0 || alpha[x] == 0) continue;
      const float beyond = lengthOf(u - ramp.u, v - ramp.v) - ramp.outer;
      if (beyond >= reach) continue;
      const float nearness = 1 - std::max(0.0f, beyond) / reach;
      const float less = along * kSpillStrength * nearness * alpha[x] / 255;
      rowU[x] = static_cast<uint8_t>(std::clamp(rowU[x] - less * unitU, 0.0f, 254.5f) + 0.5f);
      rowV[x] = static_cast<uint8_t>(std::clamp(rowV[x] - less * unitV, 0.0f, 254.5f) + 0.5f);
    }
  }
}

}  // namespace framewright
