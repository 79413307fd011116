#include "compositor/vulkan/device/sample_format.h"

#include <cmath>

#include "compositor/plan/color.h"

namespace framewright::gpu {

SampleFormat::SampleFormat(std::shared_ptr<const CanvasCurves> curves) : curves_(std::move(curves)) {}

std::array<int, 3> SampleFormat::white() const {
  if (!isDeep()) return valuesOf(kWhite);
  return {940 << kFraction, 512 << kFraction, 512 << kFraction};
}

std::array<int, 3> SampleFormat::valuesOf(const Color& color) const {
  if (!isDeep()) {
    const std::array<uint8_t, 3> yuv = yuvOf(color);
    return {yuv[0], yuv[1], yuv[2]};
  }
  const kernels::FloatColor rgb = curves_->fromSdr(Color{color.r, color.g, color.b, 255});
  const kernels::YcbcrScale scale = kernels::ycbcrScale(10, curves_->color().isHdr());
  const float luma = rgb.r * scale.redShare + rgb.g * scale.greenShare + rgb.b * scale.blueShare;
  constexpr float kUnit = 1 << kFraction;
  const auto sample = [](float code) { return static_cast<int>(std::lround(code * kUnit)); };
  const auto chroma = [&](float value, float share) {
    return sample((value - luma) / (2 * (1 - share) * scale.chromaScale) + scale.chromaOffset);
  };
  return {sample(luma / scale.lumaScale + scale.lumaOffset), chroma(rgb.b, scale.blueShare),
          chroma(rgb.r, scale.redShare)};
}

}  // namespace framewright::gpu
