#include "kernels/difference_key.h"

#include <algorithm>
#include <cmath>

#include "kernels/blend/blend.h"

namespace framewright::kernels::reference {
namespace {

float mixOf(uint8_t u, uint8_t v, const DifferenceKey& key) {
  const float du = static_cast<float>(u) - 128.0f, dv = static_cast<float>(v) - 128.0f;
  const float along = du * key.unitU + dv * key.unitV, across = dv * key.unitU - du * key.unitV;
  return (along - key.wedge * std::abs(across)) * key.perChroma;
}

float visibleOf(float share, const DifferenceKey& key) {
  const float hidden = std::min(std::max((share - key.low) * key.steepness, 0.0f), 1.0f);
  return std::min(std::max((1.0f - hidden - key.choke) * key.chokeScale, 0.0f), 1.0f);
}

float takenOf(float share, const DifferenceKey& key) {
  return std::min(std::min(std::max(share, 0.0f), 1.0f) * key.despill, kMaxScreen);
}

// What is before the screen: `value` and `screen` from black or from neutral.
float before(float value, float screen, float taken, float level) {
  return (value - taken * level * screen) / (1.0f - taken);
}

uint8_t byteOf(float value, float lowest, float highest) {
  return static_cast<uint8_t>(std::lrint(std::min(std::max(value, lowest), highest)));
}

}  // namespace

void mixRow(float* mix, const uint8_t* u, const uint8_t* v, const DifferenceKey& key, size_t count) {
  for (size_t i = 0; i < count; ++i) mix[i] = mixOf(u[i], v[i], key);
}

void keyLumaRow(uint16_t* hidden, uint8_t* y, const uint8_t* u, const uint8_t* v, const float* level,
                const DifferenceKey& key, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const float share = mixOf(u[i], v[i], key) / level[i];
    const float visible = visibleOf(share, key), taken = takenOf(share, key);
    const float luma = static_cast<float>(y[i]);
    if (key.showsMatte || key.showsSpill) {
      hidden[i] = 0;
      y[i] = byteOf((key.showsMatte ? visible : taken) * 219.0f + 16.0f, 16.0f, 235.0f);
      continue;
    }
    hidden[i] = static_cast<uint16_t>(std::lrint((1.0f - visible) * kFullWeight));
    y[i] = byteOf(before(luma - 16.0f, key.luma, taken, level[i]) + 16.0f, std::min(luma, 16.0f),
                  std::max(luma, 235.0f));
  }
}

void keyChromaRow(uint8_t* u, uint8_t* v, const float* level, const DifferenceKey& key, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (key.showsMatte || key.showsSpill) {
      u[i] = v[i] = 128;
      continue;
    }
    const float taken = takenOf(mixOf(u[i], v[i], key) / level[i], key);
    u[i] = byteOf(before(static_cast<float>(u[i]) - 128.0f, key.u, taken, level[i]) + 128.0f, 0.0f, 255.0f);
    v[i] = byteOf(before(static_cast<float>(v[i]) - 128.0f, key.v, taken, level[i]) + 128.0f, 0.0f, 255.0f);
  }
}

}  // namespace framewright::kernels::reference
