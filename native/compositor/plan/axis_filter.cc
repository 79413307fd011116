#include "compositor/plan/axis_filter.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/resample.h"

namespace framewright {
namespace {

constexpr double kPi = 3.14159265358979323846;
// Reductions up to this scale use the unwidened kernel: slightly crisper, without visible aliasing.
constexpr double kMaxUnwidenedScale = 1.15;
constexpr int kPhases = 4096;

double catmullRom(double x) {
  const double t = std::abs(x);
  if (t < 1) return (1.5 * t - 2.5) * t * t + 1;
  if (t < 2) return ((-0.5 * t + 2.5) * t - 4) * t + 2;
  return 0;
}

double lanczos3(double x) {
  const double t = std::abs(x) * kPi;
  if (t < 1e-9) return 1;
  return std::abs(x) < 3 ? 3 * std::sin(t) * std::sin(t / 3) / (t * t) : 0;
}

// Rounds weights so that they sum to kUnitWeight exactly; the largest weight absorbs the rounding error.
void quantize(int16_t* out, const double* weights, int taps) {
  double total = 0;
  for (int t = 0; t < taps; ++t) total += weights[t];
  int sum = 0, largest = 0;
  for (int t = 0; t < taps; ++t) {
    out[t] = static_cast<int16_t>(std::lround(weights[t] / total * kernels::kUnitWeight));
    sum += out[t];
    if (out[t] > out[largest]) largest = t;
  }
  out[largest] = static_cast<int16_t>(out[largest] + kernels::kUnitWeight - sum);
}

using PhaseTable = std::array<std::array<int16_t, 4>, kPhases + 1>;

const PhaseTable& phaseTable() {
  static const PhaseTable table = [] {
    PhaseTable made;
    for (int p = 0; p <= kPhases; ++p) {
      const double f = static_cast<double>(p) / kPhases;
      const double weights[4] = {catmullRom(f + 1), catmullRom(f), catmullRom(1 - f), catmullRom(2 - f)};
      quantize(made[static_cast<size_t>(p)].data(), weights, 4);
    }
    return made;
  }();
  return table;
}

}  // namespace

void buildAxisFilter(AxisFilter& filter, AxisMapping mapping, int first, int count, int low, int high,
                     FilterKernel kernel) {
  const bool isSoft = kernel == FilterKernel::kCatmullRom;
  const double stretch = std::max(1.0, std::abs(mapping.scale) / (isSoft ? kMaxUnwidenedScale : 1.0));
  const double radius = (isSoft ? 2 : 3) * stretch;
  const int taps = (static_cast<int>(std::ceil(2 * radius - 1e-6)) + 3) / 4 * 4;
  filter.count = count;
  filter.taps = taps;
  filter.firsts.resize(static_cast<size_t>(count));
  filter.weights.resize(static_cast<size_t>(count) * static_cast<size_t>(taps));
  const double minPosition = low - taps, maxPosition = high + taps;
  const bool hasTable = isSoft && stretch == 1.0;
  double weights[64];
  for (int i = 0; i < count; ++i) {
    const double position = mapping.scale * (first + i + 0.5) + mapping.offset - 0.5;
    const double u = std::clamp(position, minPosition, maxPosition);
    const int whole = static_cast<int>(std::floor(u));
    const int start = whole - taps / 2 + 1;
    int16_t* out = &filter.weights[static_cast<size_t>(i) * static_cast<size_t>(taps)];
    filter.firsts[static_cast<size_t>(i)] = start;
    if (hasTable) {
      const auto& phase = phaseTable()[static_cast<size_t>(std::lround((u - whole) * kPhases))];
      std::copy(phase.begin(), phase.end(), out);
      continue;
    }
    for (int t = 0; t < taps; ++t) {
      const double distance = (start + t - u) / stretch;
      weights[t] = isSoft ? catmullRom(distance) : lanczos3(distance);
    }
    quantize(out, weights, taps);
  }
}

}  // namespace framewright
