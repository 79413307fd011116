#pragma once

#include <cstdint>
#include <vector>

#include "compositor/cpu/layers/column_tables.h"
#include "compositor/plan/axis_filter.h"
#include "compositor/plan/plane_mapping.h"
#include "core/image.h"

namespace framewright {

// Scales one plane row by row, with a ring buffer of horizontally filtered rows. begin() reuses the buffers.
// Used by one thread.
class RowResampler {
 public:
  // `columns` and `rows` must outlive the drawing.
  void begin(const Plane& source, const SampleBounds& bounds, const ColumnTables& columns,
             const AxisFilter& rows);
  // Writes output row `index` of the row filter, `count` samples.
  void write(int index, uint8_t* dst, int count);

 private:
  const int16_t* filteredRow(int row);

  Plane source_;
  SampleBounds bounds_;
  const ColumnTables* columns_ = nullptr;
  const AxisFilter* rows_ = nullptr;
  std::vector<uint8_t> line_;
  std::vector<int16_t> filtered_;  // ring buffer of `taps` rows
  std::vector<int> cachedRows_;    // source row of each ring entry
  std::vector<const int16_t*> taps_;
  size_t rowLength_ = 0;
};

}  // namespace framewright
