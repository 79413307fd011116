#pragma once

#include <cstdint>
#include <vector>

#include "compositor/plan/axis_filter.h"
#include "kernels/resample.h"

namespace framewright {

// A horizontal AxisFilter in the layout of kernels::filterColumns.
struct ColumnTables {
  int origin = 0;      // image column of the line's first byte
  int lineLength = 0;  // maximum number of bytes read
  int used = 0;        // number of bytes that affect the result
  int groups = 0, quads = 0;
  std::vector<int32_t> bases;
  std::vector<uint8_t> shuffles;
  std::vector<int16_t> weights;
  std::vector<int32_t> blockBases;
  std::vector<uint16_t> blockTaps;
  bool hasBlocks = false;

  // View into the tables.
  kernels::ColumnFilter filter() const;
};
void packColumns(ColumnTables& tables, const AxisFilter& filter);

}  // namespace framewright
