#include "compositor/deep/canvas_curves.h"

#include <algorithm>
#include <cmath>

#include "core/light.h"

namespace framewright {
namespace {

// Linear BT.709 to BT.2020 (BT.2087).
constexpr float kToBt2020[3][3] = {
    {0.6274f, 0.3293f, 0.0433f}, {0.0691f, 0.9195f, 0.0114f}, {0.0164f, 0.0880f, 0.8956f}};
constexpr float kRedLuma = 0.2627f, kGreenLuma = 0.6780f, kBlueLuma = 0.0593f;
constexpr double kDisplayGamma = 2.4;  // BT.1886

}  // namespace

template <class Function>
CanvasCurves::Curve::Curve(Function function, int root) : root_(root) {
  values_.reserve(kSteps + 2);
  for (int i = 0; i <= kSteps + 1; ++i)
    values_.push_back(static_cast<float>(function(std::pow(static_cast<double>(i) / kSteps, root))));
}

float CanvasCurves::Curve::operator()(float x) const {
  float at = std::clamp(x, 0.0f, 1.0f);
  if (root_ >= 2) at = std::sqrt(at);
  if (root_ == 4) at = std::sqrt(at);
  at *= kSteps;
  const auto step = static_cast<size_t>(at);
  const float part = at - static_cast<float>(step);
  return values_[step] + (values_[step + 1] - values_[step]) * part;
}

CanvasCurves::CanvasCurves(const CanvasColor& color) : color_(color) {
  if (color.transfer == CanvasTransfer::kSdr) {
    toLight_ = Curve(srgbLight, 1);
    toSignal_ = Curve(srgbSignal, 2);
    return;
  }
  toLight_ = Curve([](double signal) { return std::pow(signal, kDisplayGamma); }, 1);
  // Both take the light of the display, where 1 is SDR white.
  if (color.transfer == CanvasTransfer::kPq) {
    toSignal_ = Curve([](double light) { return pqSignal(light * kSdrWhiteNits); }, 4);
  } else {
    toSignal_ = Curve([](double scene) { return hlgSignal(scene); }, 2);
  }
}

template <class Map>
void CanvasCurves::mapPixels(const kernels::FloatRow& row, size_t count, const Map& map) {
  for (size_t i = 0; i < count; ++i) {
    const float alpha = row.a == nullptr ? 1 : row.a[i];
    if (alpha <= 0) {
      row.r[i] = row.g[i] = row.b[i] = 0;
      continue;
    }
    float r = row.r[i] / alpha, g = row.g[i] / alpha, b = row.b[i] / alpha;
    map(r, g, b);
    row.r[i] = r * alpha;
    row.g[i] = g * alpha;
    row.b[i] = b * alpha;
  }
}

void CanvasCurves::convertSdr(float& r, float& g, float& b) const {
  const float red = toLight_(r), green = toLight_(g), blue = toLight_(b);
  if (!color_.isHdr()) {
    r = red, g = green, b = blue;
    return;
  }
  const auto wide = [&](int i) {
    return kToBt2020[i][0] * red + kToBt2020[i][1] * green + kToBt2020[i][2] * blue;
  };
  float light[3] = {wide(0), wide(1), wide(2)};
  if (color_.transfer == CanvasTransfer::kHlg) {
    // The inverse OOTF: scene light of what the display shows.
    constexpr auto kWhite = static_cast<float>(kSdrWhiteNits / kHlgPeakNits);
    const float luminance = kWhite * (kRedLuma * light[0] + kGreenLuma * light[1] + kBlueLuma * light[2]);
    const auto gain = static_cast<float>(kSdrWhiteNits * hlgSceneGain(luminance));
    for (float& value : light) value *= gain;
  }
  r = toSignal_(light[0]), g = toSignal_(light[1]), b = toSignal_(light[2]);
}

void CanvasCurves::fromSdr(const kernels::FloatRow& row, size_t count) const {
  if (keepsSdr()) return;
  mapPixels(row, count, [&](float& r, float& g, float& b) { convertSdr(r, g, b); });
}

kernels::FloatColor CanvasCurves::fromSdr(const Color& color) const {
  float r = color.r / 255.0f, g = color.g / 255.0f, b = color.b / 255.0f;
  if (!keepsSdr()) convertSdr(r, g, b);
  const float alpha = color.a / 255.0f;
  return {r * alpha, g * alpha, b * alpha, alpha};
}

void CanvasCurves::toSignals(const kernels::FloatRow& row, size_t count) const {
  if (!color_.isLinear) return;
  mapPixels(row, count,
            [&](float& r, float& g, float& b) { r = toSignal_(r), g = toSignal_(g), b = toSignal_(b); });
}

void CanvasCurves::fromSignals(const kernels::FloatRow& row, size_t count) const {
  if (!color_.isLinear) return;
  mapPixels(row, count,
            [&](float& r, float& g, float& b) { r = toLight_(r), g = toLight_(g), b = toLight_(b); });
}

}  // namespace framewright
