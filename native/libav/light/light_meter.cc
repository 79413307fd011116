#include "libav/light/light_meter.h"

#include <algorithm>
#include <cmath>

#include "core/light.h"
#include "core/planes.h"

namespace framewright {
namespace {

constexpr double kUnitsPerNit = 32;

double nitsOf(int code) {
  constexpr double kBlack = 64, kRange = 876;
  const double luma = static_cast<double>(code) / (1 << kernels::kLightFraction);
  return std::min(kMaxPqNits, pqNits((luma - kBlack) / kRange));
}

const kernels::LightTable& lightTable() {
  static const kernels::LightTable table = [] {
    kernels::LightTable light;
    for (size_t code = 0; code < light.size(); ++code)
      light[code] = static_cast<int32_t>(std::lround(nitsOf(static_cast<int>(code)) * kUnitsPerNit));
    return light;
  }();
  return table;
}

const uint16_t* samplesOf(const Image& image, int plane, int y) {
  return reinterpret_cast<const uint16_t*>(rowOf(image.plane(plane), y));
}

uint16_t wholeNits(double nits) {
  return static_cast<uint16_t>(std::clamp(std::lround(nits), 1L, static_cast<long>(kMaxPqNits)));
}

}  // namespace

void LightMeter::add(const Image& frame) {
  const int width = frame.width(), height = frame.height();
  const auto count = static_cast<size_t>(width);
  codes_.resize(2 * count);
  uint16_t *const top = codes_.data(), *const bottom = top + count;
  kernels::LightSum light;
  for (int y = 0; y < height; y += 2) {
    const bool hasBottom = y + 1 < height;
    kernels::lightCodes(top, bottom,
                        {samplesOf(frame, 0, y), samplesOf(frame, 0, hasBottom ? y + 1 : y),
                         samplesOf(frame, 1, y / 2), samplesOf(frame, 2, y / 2)},
                        count);
    kernels::addLight(light, top, lightTable(), hasBottom ? 2 * count : count);
  }
  peak_ = std::max(peak_, light.peak);
  const double pixels = static_cast<double>(width) * height;
  maxAverage_ = std::max(maxAverage_, static_cast<double>(light.sum) / (pixels * kUnitsPerNit));
}

ContentLight LightMeter::light() const { return {wholeNits(nitsOf(peak_)), wholeNits(maxAverage_)}; }

}  // namespace framewright
