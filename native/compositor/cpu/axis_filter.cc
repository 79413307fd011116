#include "compositor/cpu/axis_filter.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace framewright {
namespace {

constexpr double kPi = 3.14159265358979323846;
// Up to here minification is left to the unwidened filter: a little crisper, and nothing visible aliases.
constexpr double kUnwidened = 1.15;
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

// Rounds weights so that they sum to kUnitWeight exactly; the largest takes what is left over.
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
                     FilterShape shape) {
  const bool soft = shape == FilterShape::kSoft;
  const double stretch = std::max(1.0, std::abs(mapping.scale) / (soft ? kUnwidened : 1.0));
  const double radius = (soft ? 2 : 3) * stretch;
  const int taps = (static_cast<int>(std::ceil(2 * radius - 1e-6)) + 3) / 4 * 4;
  filter.count = count;
  filter.taps = taps;
  filter.firsts.resize(static_cast<size_t>(count));
  filter.weights.resize(static_cast<size_t>(count) * static_cast<size_t>(taps));
  const double lowest = low - taps, highest = high + taps;
  const bool tabled = soft && stretch == 1.0;
  double weights[64];
  for (int i = 0; i < count; ++i) {
    const double position = mapping.scale * (first + i + 0.5) + mapping.offset - 0.5;
    const double u = std::clamp(position, lowest, highest);
    const int whole = static_cast<int>(std::floor(u));
    const int start = whole - taps / 2 + 1;
    int16_t* out = &filter.weights[static_cast<size_t>(i) * static_cast<size_t>(taps)];
    filter.firsts[static_cast<size_t>(i)] = start;
    if (tabled) {
      const auto& phase = phaseTable()[static_cast<size_t>(std::lround((u - whole) * kPhases))];
      std::copy(phase.begin(), phase.end(), out);
      continue;
    }
    for (int t = 0; t < taps; ++t) {
      const double distance = (start + t - u) / stretch;
      weights[t] = soft ? catmullRom(distance) : lanczos3(distance);
    }
    quantize(out, weights, taps);
  }
}

namespace {

// Fills the tables for whole blocks if all taps of each lie near enough.
void packBlocks(ColumnTables& tables, const AxisFilter& filter) {
  constexpr int kBlock = kernels::kBlockColumns;
  const int blocks = tables.groups / kernels::kGroupAlignment;
  tables.blockBases.assign(static_cast<size_t>(blocks), 0);
  tables.blockTaps.assign(static_cast<size_t>(blocks) * kBlock * 2, 0);
  tables.hasBlocks = true;
  for (int block = 0; block < blocks; ++block) {
    const int first = block * kBlock, end = std::min(filter.count, first + kBlock);
    const auto [least, most] =
        std::minmax(filter.firsts[static_cast<size_t>(first)], filter.firsts[static_cast<size_t>(end - 1)]);
    if (most - least + 4 > kernels::kBlockReach) {
      tables.hasBlocks = false;
      return;
    }
    tables.blockBases[static_cast<size_t>(block)] = least - tables.origin;
    uint16_t* taps = &tables.blockTaps[static_cast<size_t>(block) * kBlock * 2];
    for (int i = first; i < end; ++i, taps += 2) {
      taps[0] = static_cast<uint16_t>(filter.firsts[static_cast<size_t>(i)] - least);
      taps[1] = static_cast<uint16_t>(taps[0] + 1);
    }
  }
}

}  // namespace

kernels::ColumnFilter ColumnTables::filter() const {
  return {groups,
          quads,
          bases.data(),
          shuffles.data(),
          weights.data(),
          hasBlocks ? blockBases.data() : nullptr,
          hasBlocks ? blockTaps.data() : nullptr};
}

void packColumns(ColumnTables& tables, const AxisFilter& filter) {
  constexpr int kGroup = kernels::kColumnGroup;
  constexpr int kAlign = kernels::kBlockColumns;
  tables.groups = (filter.count + kAlign - 1) / kAlign * kernels::kGroupAlignment;
  tables.quads = filter.taps / 4;
  const auto groups = static_cast<size_t>(tables.groups);
  tables.bases.assign(groups, 0);
  tables.shuffles.assign(groups * 16, 0);
  tables.weights.assign(groups * 16 * static_cast<size_t>(tables.quads), 0);
  tables.hasBlocks = false;
  if (filter.count == 0) return;
  const auto [least, most] = std::minmax(filter.firsts.front(), filter.firsts.back());
  tables.origin = least;
  tables.used = most - least + filter.taps;
  tables.lineLength = most - least + kernels::kBlockReach + filter.taps;
  packBlocks(tables, filter);
  for (int i = 0; i < filter.count; ++i) {
    const int group = i / kGroup, column = i % kGroup, inBlock = group % kernels::kGroupAlignment;
    const int lastOfGroup = std::min(filter.count - 1, group * kGroup + kGroup - 1);
    // Positions rise or fall along the whole axis, so the group's least first tap is at one of its ends.
    const int base = std::min(filter.firsts[static_cast<size_t>(group * kGroup)],
                              filter.firsts[static_cast<size_t>(lastOfGroup)]);
    tables.bases[static_cast<size_t>(group)] = base - least;
    const int shift = filter.firsts[static_cast<size_t>(i)] - base;
    uint8_t* shuffle = &tables.shuffles[static_cast<size_t>(group) * 16 + static_cast<size_t>(column) * 2];
    shuffle[0] = static_cast<uint8_t>(shift);
    shuffle[1] = static_cast<uint8_t>(shift + 1);
    shuffle[8] = static_cast<uint8_t>(shift + 2);
    shuffle[9] = static_cast<uint8_t>(shift + 3);
    const int16_t* from = &filter.weights[static_cast<size_t>(i) * static_cast<size_t>(filter.taps)];
    for (int quad = 0; quad < tables.quads; ++quad, from += 4) {
      int16_t* to =
          &tables.weights[(static_cast<size_t>(quad) * groups + static_cast<size_t>(group - inBlock)) * 16 +
                          static_cast<size_t>(inBlock * 8 + column * 2)];
      to[0] = from[0];
      to[1] = from[1];
      to[2 * kernels::kBlockColumns] = from[2];
      to[2 * kernels::kBlockColumns + 1] = from[3];
    }
  }
}

}  // namespace framewright
