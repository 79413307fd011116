#pragma once

#include <cstdint>
#include <vector>

#include "compositor/cpu/axis_filter.h"
#include "core/image.h"

namespace framewright {

// Samples that may be read: first and last column and row, inclusive.
struct SampleBounds {
  int left = 0, top = 0, right = 0, bottom = 0;
};

// Scales one plane row by row. Horizontally filtered source rows are kept while output rows still need
// them. Buffers survive from one begin() to the next. Used by one thread.
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
  std::vector<int16_t> filtered_;  // a ring of `taps` rows
  std::vector<int> heldRows_;      // which source row each holds
  std::vector<const int16_t*> taps_;
  size_t rowLength_ = 0;
};

}  // namespace framewright
