#include "compositor/cpu/effects/chroma_key.h"

#include <algorithm>
#include <cmath>

#include "compositor/cpu/draw_fill.h"

namespace framewright {
namespace {

constexpr float kColoured = 80;  // chroma of a key whose luma matters least
constexpr float kLeastLumaShare = 0.25f;
constexpr float kSoftness = 0.18f;  // width of the edge, of the farthest colour's distance
constexpr float kSpillStrength = 0.7f;
constexpr float kNeutral = 128;

float lengthOf(float x, float y, float z = 0) { return std::sqrt(x * x + y * y + z * z); }

float distance(const kernels::KeyRamp& ramp, float y, float u, float v) {
  return lengthOf((y - ramp.y) * ramp.lumaShare, u - ramp.u, v - ramp.v);
}

}  // namespace

float widestDistance(const kernels::KeyRamp& ramp) {
  float widest = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const auto channel = [&](int bit) { return static_cast<uint8_t>((corner >> bit & 1) * 255); };
    const auto yuv = yuvOf(Color{channel(0), channel(1), channel(2), 255});
    widest = std::max(widest, distance(ramp, yuv[0], yuv[1], yuv[2]));
  }
  return widest;
}

kernels::KeyRamp rampOf(const ChromaKey& key) {
  const auto yuv = yuvOf(key.color);
  kernels::KeyRamp ramp;
  ramp.y = yuv[0];
  ramp.u = yuv[1];
  ramp.v = yuv[2];
  const float coloured = std::min(1.0f, lengthOf(ramp.u - kNeutral, ramp.v - kNeutral) / kColoured);
  ramp.lumaShare = 1 - coloured * (1 - kLeastLumaShare);
  const float widest = widestDistance(ramp), tolerance = static_cast<float>(key.tolerance / 100);
  // Below the tolerance itself, so that the soft edge lies around it; at the end it is all.
  ramp.inner = tolerance * (0.6f + 0.4f * tolerance) * widest;
  ramp.outer = ramp.inner + std::min(tolerance, kSoftness) * widest;
  return ramp;
}

void ChromaKeyer::apply(const Surface& surface, const ChromaKey& key) {
  const PictureLevel& planes = surface.planes;
  const kernels::KeyRamp ramp = rampOf(key);
  const auto width = static_cast<size_t>(surface.width);
  for (auto* row : {&y_, &u_, &v_}) row->resize(width);
  chroma_.begin(planes.u, planes.v, planes.chromaAlpha);
  suppressSpill(surface, ramp, widestDistance(ramp));
  hideRows(surface, rows_, [&](int y, uint16_t* hidden) {
    kernels::unpremultiplyRow(y_.data(), planes.y.data + y * planes.y.stride,
                              planes.alpha.data + y * planes.alpha.stride, width);
    chroma_.fillRow(y, u_.data(), v_.data(), width);
    kernels::keyRow(hidden, y_.data(), u_.data(), v_.data(), ramp, width);
    return true;
  });
}

void ChromaKeyer::suppressSpill(const Surface& surface, const kernels::KeyRamp& ramp, float widest) const {
  const float hueU = ramp.u - kNeutral, hueV = ramp.v - kNeutral, coloured = lengthOf(hueU, hueV);
  if (coloured < kLeastSpillHue) return;
  const PictureLevel& planes = surface.planes;
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
