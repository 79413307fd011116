#include "compositor/deep/planes/effects/row_effects.h"

#include <algorithm>
#include <cmath>

#include "compositor/deep/finish_rows.h"

namespace framewright {
namespace {

// A curve through the points of kernels::SampleCurve.
template <class Function>
kernels::SampleCurve curveThrough(const Function& valueAt) {
  kernels::SampleCurve curve;
  const auto sampleAt = [&](int point) {
    const double value = std::clamp(valueAt(point * 16.0 / kernels::kHighestSample), 0.0, 1.0);
    return static_cast<int32_t>(std::lround(value * kernels::kHighestSample));
  };
  int32_t here = sampleAt(0);
  for (int i = 0; i < kernels::kCurvePoints; ++i) {
    const int32_t next = sampleAt(i + 1);
    curve[static_cast<size_t>(i)] =
        static_cast<int32_t>(static_cast<uint32_t>(next - here) << 16 | static_cast<uint32_t>(here));
    here = next;
  }
  return curve;
}

}  // namespace

bool hasSampleEffects(const Layer& layer) {
  if (!layer.effects) return false;
  const LayerEffects& effects = *layer.effects;
  const bool isContent = layer.kind == Layer::Kind::kImage ||
                         (layer.kind == Layer::Kind::kFill && layer.toCanvas.isAxisAligned());
  return isContent && !effects.chromaKey && effects.grade < 0 && effects.finish.sharpen <= 0 &&
         effects.blur == 0 && effects.motion.empty() && !effects.projection && effects.shadows.empty() &&
         effects.blend == BlendMode::kNormal;
}

Result<std::shared_ptr<RowEffects>> RowEffects::create(const LayerEffects& effects, const Rect& window,
                                                       std::span<const PreparedImagePtr> images,
                                                       const CanvasSize& canvas, const CanvasCurves& curves) {
  auto made = std::make_shared<RowEffects>();
  if (effects.correction) made->setCorrection(*effects.correction);
  if (effects.finish.vignette) {
    auto& plans = made->vignettes_.emplace();
    for (const PlaneGroup group : kPlaneGroups)
      plans[static_cast<size_t>(group)] = planVignette(*effects.finish.vignette, effects.vignetteBox, group);
    made->brightness_.resize(static_cast<size_t>(canvas.width));
  }
  if (effects.finish.grain > 0) {
    made->grain_ = planGrain(effects, 0, 0);
    made->tile_ = &grainTile(effects.grainSize);
    made->noise_.resize(static_cast<size_t>(canvas.width));
  }
  FW_RETURN_IF_ERROR(made->shape_.begin(effects, window, images, canvas, curves));
  return made;
}

// As FFmpeg's eq filter does on its codes, without rounding.
void RowEffects::setCorrection(const Correction& correction) {
  const double contrast = correction.contrast, brightness = correction.brightness;
  const bool isSteep = contrast < 0 || contrast > kernels::kMaxSampleSlope;
  if (correction.gamma != 1 || isSteep) {
    const double power = 1 / correction.gamma;
    lumaCurve_ = curveThrough([&](double code) {
      return std::pow(std::max((code - 0.5) * contrast + 0.5 + brightness, 0.0), power);
    });
  } else if (contrast != 1 || brightness != 0) {
    // The middle of the codes 0 to 255 is half a code below neutral chroma.
    constexpr double kHalf = kernels::kNeutralSample - kernels::kHighestSample / 2.0;
    lumaLine_ = {contrast, brightness * kernels::kHighestSample + (contrast - 1) * kHalf};
  }
  if (correction.saturation != 1) chromaLine_ = {correction.saturation, 0};
}

bool RowEffects::keepsSamples(PlaneGroup group) const {
  if (vignettes_) return false;
  return group == PlaneGroup::kLuma ? !lumaLine_ && !lumaCurve_ && !grain_ : !chromaLine_;
}

void RowEffects::apply(PlaneGroup group, size_t colour, int y, int first, int16_t* row, size_t count) {
  const bool isLuma = group == PlaneGroup::kLuma;
  if (const std::optional<kernels::SampleLine>& line = isLuma ? lumaLine_ : chromaLine_)
    kernels::scaleSamples(row, *line, count);
  if (isLuma && lumaCurve_) kernels::curveSamples(row, *lumaCurve_, count);
  if (vignettes_) {
    const VignettePlan& plan = (*vignettes_)[static_cast<size_t>(group)];
    // Both colours of a row of chroma have the same.
    if (colour == 0) kernels::vignetteRow(brightness_.data(), plan.row(y, first), plan.table.data(), count);
    kernels::shadeSamples(row, brightness_.data(), isLuma ? kernels::kBlackSample : kernels::kNeutralSample,
                          count);
  }
  if (isLuma && grain_) addGrain(y, first, row, count);
}

void RowEffects::addGrain(int y, int first, int16_t* row, size_t count) {
  writeNoise(noise_.data(), *tile_, *grain_, y, first, count);
  kernels::grainSamples(row, noise_.data(), grain_->strength, count);
}

}  // namespace framewright
