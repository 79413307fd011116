#include "compositor/plan/effects/finish_plan.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace framewright {
namespace {

constexpr double kStrongestSharpening = 2;  // how often the difference from the surroundings is added
constexpr double kStrongestGrain = 20;      // standard deviation in levels, of a mid grey
constexpr double kGrainDeviation = 32;      // of a tile
constexpr double kMidtone = 109.5 * 109.5;  // of kernels::grainRow() at mid grey

uint32_t fixedPosition(double value) {
  return static_cast<uint32_t>(std::llround(value * (1 << kernels::kVignetteBits)));
}

double smoothed(double t) {
  const double x = std::clamp(t, 0.0, 1.0);
  return x * x * (3 - 2 * x);
}

// Integer arithmetic but for the scale, so that all hosts make the same tile.
GrainTile makeTile(int size) {
  constexpr int kSide = GrainTile::kSide;
  std::vector<int32_t> values(kSide * kSide), rows(values.size());
  uint32_t state = 0x2545f491u;
  for (int32_t& value : values) {
    state = state * 1664525u + 1013904223u;
    uint32_t bits = (state ^ state >> 16) * 0x7feb352du;
    bits = (bits ^ bits >> 15) * 0x846ca68bu;
    bits ^= bits >> 16;
    // The sum of four uniform values is nearly normal.
    value = 0;
    for (int i = 0; i < 4; ++i) value += static_cast<int32_t>(bits >> (8 * i) & 255);
    value = (value - 510) * 256;
  }
  const auto at = [](int x, int y) {
    return static_cast<size_t>((y & (kSide - 1)) * kSide + (x & (kSide - 1)));
  };
  for (int pass = 0; pass < size * size; ++pass) {
    for (int y = 0; y < kSide; ++y) {
      for (int x = 0; x < kSide; ++x)
        rows[at(x, y)] = (values[at(x - 1, y)] + 2 * values[at(x, y)] + values[at(x + 1, y)]) / 4;
    }
    for (int y = 0; y < kSide; ++y) {
      for (int x = 0; x < kSide; ++x)
        values[at(x, y)] = (rows[at(x, y - 1)] + 2 * rows[at(x, y)] + rows[at(x, y + 1)]) / 4;
    }
  }
  int64_t sum = 0, squares = 0;
  for (const int64_t value : values) sum += value;
  const int64_t mean = sum / static_cast<int64_t>(values.size());
  for (const int64_t value : values) squares += (value - mean) * (value - mean);
  const double deviation = std::sqrt(static_cast<double>(squares) / static_cast<double>(values.size()));
  GrainTile tile;
  for (size_t i = 0; i < values.size(); ++i) {
    const double scaled = static_cast<double>(values[i] - mean) * kGrainDeviation / deviation;
    tile.noise[i] = static_cast<int8_t>(std::clamp(std::lround(scaled), -127l, 127l));
  }
  return tile;
}

}  // namespace

int sharpenStrength(double amount) {
  return static_cast<int>(std::lround(amount * kStrongestSharpening * kernels::kSharpenUnit));
}

VignettePlan planVignette(const Vignette& vignette, const Affine& box, PlaneGroup group) {
  VignettePlan plan{};
  const double softness = std::max(vignette.softness, 0.01);
  for (size_t i = 0; i < plan.table.size(); ++i) {
    const double distance = std::sqrt(static_cast<double>(i) / kernels::kVignetteSteps);  // 1: the corners
    const double dark = vignette.amount * smoothed((distance - vignette.size) / softness);
    plan.table[i] = static_cast<int32_t>(std::lround((1 - dark) * (1 << kernels::kBrightnessBits)));
  }
  // From the index of a sample to the box at -1 to 1.
  const Affine m =
      translation(-1, -1) * scaling(2, 2) * inverse(box) * canvasFromPlane(group) * translation(0.5, 0.5);
  plan.xx = fixedPosition(m.xx);
  plan.xy = fixedPosition(m.xy);
  plan.x0 = fixedPosition(m.dx);
  plan.yx = fixedPosition(m.yx);
  plan.yy = fixedPosition(m.yy);
  plan.y0 = fixedPosition(m.dy);
  return plan;
}

const GrainTile& grainTile(int size) {
  static const std::vector<GrainTile> tiles = [] {
    std::vector<GrainTile> made;
    for (int i = 1; i <= kMaxGrainSize; ++i) made.push_back(makeTile(i));
    return made;
  }();
  return tiles[static_cast<size_t>(size - 1)];
}

GrainPlan planGrain(const LayerEffects& effects, int left, int top) {
  const double levels = effects.finish.grain * kStrongestGrain;
  const double unit = kGrainDeviation * kMidtone / (1 << kernels::kGrainShift);
  constexpr uint32_t kMask = GrainTile::kSide - 1;
  return {static_cast<int>(std::lround(levels / unit)),
          static_cast<int>((effects.grainSeed + static_cast<uint32_t>(left)) & kMask),
          static_cast<int>(((effects.grainSeed >> 8) + static_cast<uint32_t>(top)) & kMask)};
}

}  // namespace framewright
