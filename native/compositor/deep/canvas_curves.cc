#include "compositor/deep/canvas_curves.h"

#include <cmath>

#include "core/light.h"

namespace framewright {
namespace {

constexpr double kDisplayGamma = 2.4;  // BT.1886

}  // namespace

template <class Function>
CanvasCurves::Curve::Curve(Function function, int root) : root_(root) {
  values_.reserve(kSteps + 2);
  for (int i = 0; i <= kSteps + 1; ++i)
    values_.push_back(static_cast<float>(function(std::pow(static_cast<double>(i) / kSteps, root))));
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
    sceneLuminance_ = Curve([](double share) { return share * hlgSceneGain(share); }, 4);
  }
}

void CanvasCurves::applyCurve(const Curve& curve, const kernels::FloatRow& row, size_t count) {
  for (float* const channel : {row.r, row.g, row.b}) kernels::curveFloats(channel, curve.table(), count);
}

void CanvasCurves::fromSdr(const kernels::FloatRow& row, size_t count) const {
  if (keepsSdr()) return;
  kernels::unpremultiplyFloats(row, count);
  applyCurve(toLight_, row, count);
  if (color_.isHdr()) {
    kernels::lightOfBt2020(row, count);
    // The inverse OOTF: scene light of what the display shows.
    if (color_.transfer == CanvasTransfer::kHlg) {
      constexpr auto kWhite = static_cast<float>(kSdrWhiteNits / kHlgPeakNits);
      kernels::scaleByLuminance(row, sceneLuminance_.table(), kWhite, static_cast<float>(kSdrWhiteNits),
                                count);
    }
    applyCurve(toSignal_, row, count);
  }
  kernels::premultiplyFloats(row, count);
}

kernels::FloatColor CanvasCurves::fromSdr(const Color& color) const {
  float r = color.r / 255.0f, g = color.g / 255.0f, b = color.b / 255.0f;
  fromSdr({&r, &g, &b, nullptr}, 1);
  const float alpha = color.a / 255.0f;
  return {r * alpha, g * alpha, b * alpha, alpha};
}

void CanvasCurves::toSignals(const kernels::FloatRow& row, size_t count) const {
  if (color_.isLinear) mapStraight(toSignal_, row, count);
}

void CanvasCurves::fromSignals(const kernels::FloatRow& row, size_t count) const {
  if (color_.isLinear) mapStraight(toLight_, row, count);
}

void CanvasCurves::mapStraight(const Curve& curve, const kernels::FloatRow& row, size_t count) {
  kernels::unpremultiplyFloats(row, count);
  applyCurve(curve, row, count);
  kernels::premultiplyFloats(row, count);
}

}  // namespace framewright
