#include "compositor/plan/waveform_bars.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace framewright {
namespace {

constexpr double kBarShare = 0.52;       // bar width as a share of the pitch
constexpr double kMinHalfHeight = 0.75;  // minimum half height of a bar, pixels
constexpr double kSilentShare = 0.4;     // minimum half height as a share of half the bar's width
// Tolerance in pixels, or in bars of a circle: a pixel exactly between two bars belongs to the later one,
// independent of rounding.
constexpr double kTie = 1.0 / 1024;

constexpr double kFar = 1e6;
constexpr double kLineShare = 0.12;  // half width of a line as a share of the distance between bars
constexpr double kMinHalfLine = 0.75;
constexpr int kLinePoints = 8;         // between two bars
constexpr double kRadiusShare = 0.55;  // inner radius of a circle as a share of the outer one
constexpr double kCircleBarShare = 0.6;

// Signed distance of a point from the outline of a bar about the origin; negative inside.
double distanceTo(double x, double y, double halfWidth, double halfHeight) {
  const double radius = std::min(halfWidth, halfHeight);
  const double dx = x - (halfWidth - radius), dy = y - (halfHeight - radius);
  const double outside = std::hypot(std::max(dx, 0.0), std::max(dy, 0.0));
  return outside + std::min(std::max(dx, dy), 0.0) - radius;
}

// Levels alternate above and below the middle, so that the line is a wave.
void planLine(WaveformBars& bars, const std::vector<uint16_t>& levels) {
  const double barPitch = bars.pitch;
  bars.halfBarWidth = std::max(kMinHalfLine, std::min(kLineShare * barPitch, bars.height / 4));
  bars.pitch = barPitch / kLinePoints;
  const double room = std::max(0.0, bars.height / 2 - bars.halfBarWidth - 1);
  const auto last = static_cast<double>(levels.size() - 1);
  for (size_t i = 0; i <= levels.size() * kLinePoints; ++i) {
    const double at = static_cast<double>(i) / kLinePoints - 0.5;  // in bars from the middle of the first
    const double within = std::clamp(at, 0.0, last);
    const auto low = static_cast<size_t>(within), high = std::min(low + 1, levels.size() - 1);
    const double level = std::lerp(levels[low], levels[high], within - std::floor(within)) / kWaveformSteps;
    bars.halfHeights.push_back(bars.height / 2 - room * level * std::cos(at * std::numbers::pi));
  }
}

void planCircle(WaveformBars& bars, const std::vector<uint16_t>& levels) {
  const double outer = std::min(bars.width, bars.height) / 2;
  bars.radius = kRadiusShare * outer;
  const double angle = 2 * std::numbers::pi / static_cast<double>(levels.size());
  bars.halfBarWidth = std::min(kCircleBarShare * bars.radius * angle / 2, (outer - bars.radius) / 4);
  const double room = std::max(0.0, (outer - bars.radius - 1) / 2 - bars.halfBarWidth);
  for (size_t i = 0; i < levels.size(); ++i) {
    bars.halfHeights.push_back(bars.halfBarWidth + room * levels[i] / kWaveformSteps);
    bars.directions.push_back(std::sin(angle * static_cast<double>(i)));
    bars.directions.push_back(-std::cos(angle * static_cast<double>(i)));
  }
}

}  // namespace

double WaveformBars::outside(double u, double v) const {
  if (shape == Shape::kLine) return outsideOfLine(u, v);
  if (shape == Shape::kCircle) return outsideOfCircle(u, v);
  const int bar = barAt(u);
  const double below = v - baseline;
  const double outline = distanceTo(std::abs(u - (bar + 0.5) * pitch), std::abs(below), halfBarWidth,
                                    halfHeights[static_cast<size_t>(bar)]);
  return std::max(outline, below - cut);
}

int WaveformBars::lineReach() const { return static_cast<int>(std::ceil((halfBarWidth + 1) / pitch)); }

double WaveformBars::outsideOfLine(double u, double v) const {
  const int middle = static_cast<int>(std::floor(u / pitch)), reach = lineReach();
  const int first = std::max(0, middle - reach);
  const int last = std::min(static_cast<int>(halfHeights.size()) - 2, middle + reach);
  double nearest = kFar;
  for (int i = first; i <= last; ++i) {
    const double startY = halfHeights[static_cast<size_t>(i)],
                 rise = halfHeights[static_cast<size_t>(i) + 1] - startY;
    const double x = u - i * pitch, y = v - startY;
    const double along = std::clamp((x * pitch + y * rise) / (pitch * pitch + rise * rise), 0.0, 1.0);
    const double dx = x - along * pitch, dy = y - along * rise;
    nearest = std::min(nearest, dx * dx + dy * dy);
  }
  // Cut at the box, beyond which its round ends would reach.
  return std::max({std::sqrt(nearest) - halfBarWidth, -u, u - width, -v, v - height});
}

double WaveformBars::outsideOfCircle(double u, double v) const {
  const double x = u - width / 2, y = v - height / 2;
  if (x * x + y * y < (radius - 1) * (radius - 1)) return kFar;
  const auto count = static_cast<double>(halfHeights.size());
  const double turn = std::atan2(x, -y) / (2 * std::numbers::pi) * count + count + 0.5 + kTie;
  const size_t bar = static_cast<size_t>(turn) % halfHeights.size();
  const double directionX = directions[2 * bar], directionY = directions[2 * bar + 1];
  const double along = x * directionX + y * directionY, across = x * directionY - y * directionX;
  return distanceTo(std::abs(across), std::abs(along - radius - halfHeights[bar]), halfBarWidth,
                    halfHeights[bar]);
}

int WaveformBars::barAt(double u) const {
  return std::clamp(static_cast<int>((u + kTie) / pitch), 0, static_cast<int>(halfHeights.size()) - 1);
}

void planWaveform(WaveformBars& bars, const Layer& layer, const Affine& toSurface, double opacity) {
  bars.halfHeights.clear();
  bars.directions.clear();
  const double width = std::hypot(toSurface.xx, toSurface.yx),
               height = std::hypot(toSurface.xy, toSurface.yy);
  if (layer.bars.empty() || width <= 0 || height <= 0) return;
  bars.toBox = scaling(width, height) * inverse(toSurface);
  bars.width = width;
  bars.height = height;
  bars.pitch = width / static_cast<double>(layer.bars.size());
  bars.opacity = opacity * layer.fill.a / 255.0;
  if (layer.waveform == WaveformStyle::kLine) {
    bars.shape = WaveformBars::Shape::kLine;
    planLine(bars, layer.bars);
    return;
  }
  if (layer.waveform == WaveformStyle::kCircle) {
    bars.shape = WaveformBars::Shape::kCircle;
    planCircle(bars, layer.bars);
    return;
  }
  bars.shape = WaveformBars::Shape::kRow;
  bars.halfBarWidth = kBarShare * bars.pitch / 2;
  const bool onBottom = layer.waveform == WaveformStyle::kSpectrum;
  bars.baseline = onBottom ? height : height / 2;
  bars.cut = onBottom ? 0 : kFar;
  const double room = onBottom ? height : height / 2;
  const double minimum = std::min(room, std::max(kMinHalfHeight, kSilentShare * bars.halfBarWidth));
  for (const uint16_t bar : layer.bars)
    bars.halfHeights.push_back(std::max(minimum, bar * room / kWaveformSteps));
}

}  // namespace framewright
