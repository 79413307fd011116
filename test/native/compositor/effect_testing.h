#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "compositor/compose_testing.h"

namespace framewright {

// Returns the layer with effects whose box is that of its content.
inline Layer withEffects(Layer layer, const LayerEffects& effects, double width, double height) {
  layer.effects = effects;
  layer.effects->box = layer.toCanvas;
  if (effects.mask >= 0) layer.effects->maskBox = layer.toCanvas;
  layer.effects->boxWidth = width;
  layer.effects->boxHeight = height;
  return layer;
}

struct Rgb {
  double r = 0, g = 0, b = 0;  // 0..255
};

// The colour of a pixel; chroma is not interpolated (for flat areas).
inline Rgb rgbAt(const Image& frame, int x, int y) {
  const double luma = (sampleAt(frame, 0, x, y) - 16) / 219.0;
  const double cb = (sampleAt(frame, 1, x / 2, y / 2) - 128) / 224.0;
  const double cr = (sampleAt(frame, 2, x / 2, y / 2) - 128) / 224.0;
  const auto cut = [](double value) { return std::clamp(value * 255, 0.0, 255.0); };
  return {cut(luma + 1.5748 * cr), cut(luma - 0.187324 * cb - 0.468124 * cr), cut(luma + 1.8556 * cb)};
}

inline double difference(const Rgb& a, const Rgb& b) {
  return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)});
}

inline Rgb rgbOf(const Color& color) {
  return {static_cast<double>(color.r), static_cast<double>(color.g), static_cast<double>(color.b)};
}

inline const Color kWhiteColor{255, 255, 255, 255}, kBlackColor{0, 0, 0, 255};

}  // namespace framewright
