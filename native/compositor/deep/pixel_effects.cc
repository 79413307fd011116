#include "compositor/deep/pixel_effects.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "kernels/blend/blend_formulas.h"

namespace framewright {
namespace {

constexpr float kRed = 0.2126f, kGreen = 0.7152f, kBlue = 0.0722f;

float unit(float value) { return std::clamp(value, 0.0f, 1.0f); }
}  // namespace

Status applyMask(FloatImage& image, const DeepImage& mask, const Affine& box, DeepImageDrawer& images) {
  FloatImage drawn;
  FW_RETURN_IF_ERROR(drawn.resize(image.width(), image.height(), false));
  drawn.clear();
  const Rect whole{0, 0, static_cast<double>(mask.width()), static_cast<double>(mask.height())};
  // The box's edges are the layer's edges; antialiasing them in the mask too would attenuate them twice.
  FW_RETURN_IF_ERROR(images.draw(drawn, mask, {whole, box, image.size().rect(), 1, true}));
  const auto width = static_cast<size_t>(image.width());
  std::vector<float> shown(width);
  for (int y = 0; y < image.height(); ++y) {
    writeMaskWeights(shown.data(), drawn.at(0, y), width);
    for (int channel = 0; channel < image.channels(); ++channel)
      kernels::multiplyFloats(image.row(channel, y), shown.data(), width);
  }
  return {};
}

void correctColors(const kernels::FloatRow& row, size_t count, const Correction& correction,
                   const CanvasColor& color) {
  const kernels::YcbcrScale shares = kernels::ycbcrScale(10, color.isHdr());
  // eq works on the codes of limited range, in which black is 16 / 255 and white 235 / 255.
  constexpr float kBlack = 16 / 255.0f, kRange = 219 / 255.0f;
  const auto contrast = static_cast<float>(correction.contrast),
             brightness = static_cast<float>(correction.brightness),
             saturation = static_cast<float>(correction.saturation);
  const auto power = static_cast<float>(1 / correction.gamma);
  for (size_t x = 0; x < count; ++x) {
    const float alpha = row.a == nullptr ? 1 : row.a[x];
    if (alpha <= 0) continue;
    const float luma =
        (shares.redShare * row.r[x] + shares.greenShare * row.g[x] + shares.blueShare * row.b[x]) / alpha;
    float code = contrast * (luma * kRange + kBlack - 0.5f) + 0.5f + brightness;
    code = unit(code);
    if (power != 1) code = std::pow(code, power);
    const float corrected = (code - kBlack) / kRange;
    for (float* const value : {row.r + x, row.g + x, row.b + x})
      *value = (corrected + (*value / alpha - luma) * saturation) * alpha;
  }
}

void writeMaskWeights(float* weights, const kernels::ConstFloatRow& mask, size_t count) {
  for (size_t x = 0; x < count; ++x)
    weights[x] = unit(kRed * mask.r[x] + kGreen * mask.g[x] + kBlue * mask.b[x]);
}

namespace {

// Blends a row over what is below it.
void blendRow(const kernels::FloatRow& to, const kernels::ConstFloatRow& from, const float* weights,
              float rowWeight, size_t count, BlendMode mode) {
  for (size_t x = 0; x < count; ++x) {
    const float alpha = from.a == nullptr ? 1 : from.a[x], weight = alpha * weights[x] * rowWeight;
    if (weight <= 0) continue;
    // Where the frame is transparent, the layer shows as it is.
    const float under = to.a == nullptr ? 1 : to.a[x];
    const auto blend = [&](float& value, float sample) {
      const float s = unit(sample / alpha);
      if (under <= 0) {
        value = s * weight;
        return;
      }
      const float b = unit(value / under);
      if (mode == BlendMode::kAdd) {
        value = std::min(b + s * weight, 1.0f) * under;
        return;
      }
      const float both = kernels::mixedChannel(mode, b, s);
      value = value * (1 - weight) + (both * under + s * (1 - under)) * weight;
    };
    blend(to.r[x], from.r[x]);
    blend(to.g[x], from.g[x]);
    blend(to.b[x], from.b[x]);
    if (to.a != nullptr) to.a[x] += (1 - to.a[x]) * weight;
  }
}

}  // namespace

void blendOver(FloatImage& frame, const FloatImage& layer, int left, int top, const Rect& window,
               double opacity, BlendMode mode) {
  RectCoverage coverage;
  const Rect covered{static_cast<double>(left), static_cast<double>(top), static_cast<double>(layer.width()),
                     static_cast<double>(layer.height())};
  coverage.cover(intersection(window, covered), frame.size(), PlaneGroup::kLuma);
  if (coverage.empty()) return;
  std::vector<float> weights;
  writeWeights(weights, coverage.columns.weights);
  for (int y = coverage.rows.first; y < coverage.rows.end; ++y) {
    const float rowWeight =
        static_cast<float>(opacity) * static_cast<float>(coverage.rows.at(y)) / kernels::kFullWeight;
    const int first = coverage.columns.first;
    const kernels::FloatRow to = frame.at(first, y);
    const kernels::ConstFloatRow from = layer.at(first - left, y - top);
    if (mode == BlendMode::kNormal) {
      kernels::overFloats(to, from, weights.data(), rowWeight, weights.size());
    } else {
      blendRow(to, from, weights.data(), rowWeight, weights.size(), mode);
    }
  }
}

}  // namespace framewright
