#pragma once

#include <cstdint>
#include <vector>

#include "kernels/resample.h"

namespace framewright {

// kSoft (Catmull-Rom) for drawing every frame and for pictures with alpha, kSharp (Lanczos 3) for opaque
// stills that are scaled down once.
enum class FilterShape { kSoft, kSharp };

// Samples of a plane along one axis: output k (continuous k + 0.5) comes from scale * (k + 0.5) + offset.
struct AxisMapping {
  double scale = 1;
  double offset = 0;
};

inline constexpr double kLargestFilterScale = 4;  // source samples per output

// For each output: which taps, with which weights. Taps may lie outside the source and repeat its edge.
struct AxisFilter {
  int count = 0;
  int taps = 0;                  // a multiple of 4
  std::vector<int32_t> firsts;   // per output
  std::vector<int16_t> weights;  // per output `taps` weights
};

// Outputs first … first + count - 1. The filter widens with |scale|, which is at most kLargestFilterScale,
// smoothly, so a zoom never shows a change of filter. Positions far beyond [low, high] stay near it.
void buildAxisFilter(AxisFilter& filter, AxisMapping mapping, int first, int count, int low, int high,
                     FilterShape shape);

// The same in the layout that kernels::filterColumns wants.
struct ColumnTables {
  int origin = 0;      // column of the line's first byte
  int lineLength = 0;  // bytes that are read at most
  int used = 0;        // of those, bytes that matter
  std::vector<int32_t> bases;
  std::vector<uint8_t> shuffles;
  std::vector<int16_t> weights;
  kernels::ColumnFilter filter() const;
  int groups = 0, quads = 0;
  std::vector<int32_t> blockBases;
  std::vector<uint16_t> blockTaps;
  bool hasBlocks = false;
};
void packColumns(ColumnTables& tables, const AxisFilter& filter);

}  // namespace framewright
