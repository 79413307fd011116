#include "compositor/plan/effects/key_ramp.h"

#include <algorithm>
#include <cmath>

#include "compositor/plan/color.h"

namespace framewright {
namespace {

constexpr float kColorful = 80;  // chroma of a key above which luma has its minimum weight
constexpr float kMinLumaShare = 0.25f;
constexpr float kSoftness = 0.18f;  // width of the soft edge, as a share of maxKeyDistance()
constexpr float kMinSoftness = 0.004f;
constexpr float kNeutral = 128;

float lengthOf(float x, float y, float z = 0) { return std::sqrt(x * x + y * y + z * z); }

float distance(const kernels::KeyRamp& ramp, float y, float u, float v) {
  return lengthOf((y - ramp.y) * ramp.lumaShare, u - ramp.u, v - ramp.v);
}

}  // namespace

float maxKeyDistance(const kernels::KeyRamp& ramp) {
  float widest = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const auto channel = [&](int bit) { return static_cast<uint8_t>((corner >> bit & 1) * 255); };
    const auto yuv = yuvOf(Color{channel(0), channel(1), channel(2), 255});
    widest = std::max(widest, distance(ramp, yuv[0], yuv[1], yuv[2]));
  }
  return widest;
}

kernels::KeyRamp keyRampOf(const ChromaKey& key) {
  const auto yuv = yuvOf(key.color);
  kernels::KeyRamp ramp;
  ramp.y = yuv[0];
  ramp.u = yuv[1];
  ramp.v = yuv[2];
  const float colorfulness = std::min(1.0f, lengthOf(ramp.u - kNeutral, ramp.v - kNeutral) / kColorful);
  ramp.lumaShare = 1 - colorfulness * (1 - kMinLumaShare);
  const float widest = maxKeyDistance(ramp), tolerance = static_cast<float>(key.tolerance / 100);
  // Starts below the tolerance, so that the soft edge is centred on it; a tolerance of 100 hides everything.
  ramp.inner = tolerance * (0.6f + 0.4f * tolerance) * widest;
  const float soft = std::min(tolerance, kSoftness) * 2 * static_cast<float>(key.softness);
  ramp.outer = ramp.inner + std::max(soft, kMinSoftness) * widest;
  ramp.inner += static_cast<float>(std::min(key.choke, 0.99)) * (ramp.outer - ramp.inner);
  return ramp;
}

}  // namespace framewright
