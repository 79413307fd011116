#include "compositor/plan/waveform_bars.h"

#include <algorithm>
#include <cmath>

namespace framewright {
namespace {

constexpr double kBarShare = 0.52;       // bar width as a share of the pitch
constexpr double kMinHalfHeight = 0.75;  // minimum half height of a bar, pixels
constexpr double kSilentShare = 0.4;     // minimum half height as a share of half the bar's width
// Tolerance in pixels: a pixel exactly between two bars belongs to the later one, independent of rounding.
constexpr double kTie = 1.0 / 1024;

}  // namespace

int WaveformBars::barAt(double u) const {
  return std::clamp(static_cast<int>((u + kTie) / pitch), 0, static_cast<int>(halfHeights.size()) - 1);
}

void planWaveform(WaveformBars& bars, const Layer& layer, const Affine& toSurface, double opacity) {
  bars.halfHeights.clear();
  const double width = std::hypot(toSurface.xx, toSurface.yx),
               height = std::hypot(toSurface.xy, toSurface.yy);
  if (layer.bars.empty() || width <= 0 || height <= 0) return;
  bars.toBox = scaling(width, height) * inverse(toSurface);
  bars.width = width;
  bars.height = height;
  bars.pitch = width / static_cast<double>(layer.bars.size());
  bars.halfBarWidth = kBarShare * bars.pitch / 2;
  bars.opacity = opacity * layer.fill.a / 255.0;
  const double minimum = std::min(height / 2, std::max(kMinHalfHeight, kSilentShare * bars.halfBarWidth));
  for (const uint16_t bar : layer.bars)
    bars.halfHeights.push_back(std::max(minimum, bar * height / (2.0 * kWaveformSteps)));
}

}  // namespace framewright
