#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "compositor/plan/axis_filter.h"
#include "compositor/plan/plane_mapping.h"
#include "core/aligned_vector.h"
#include "kernels/deep/plane_filters.h"

namespace framewright {

// A horizontal AxisFilter in the layout of kernels::filterSampleColumns.
struct SampleColumnTables {
  int origin = 0;      // image column of the line's first sample
  int lineLength = 0;  // samples that may be read
  int used = 0;        // samples that affect the result
  int count = 0, taps = 0;
  bool hasBlocks = false;
  bool isCopy = false;  // output k is sample k of the line from `copiedFrom` on
  int copiedFrom = 0;
  std::vector<int32_t> firsts, blockBases;
  std::vector<int16_t> weights;
  AlignedVector<uint16_t> blockTaps;
  AlignedVector<int16_t> blockWeights;

  explicit SampleColumnTables(AxisFilter filter);
  kernels::SampleColumns columns() const;
};

// Scales a plane row by row, with a ring buffer of horizontally filtered rows. Used by one thread.
class SampleResampler {
 public:
  // `source` returns a row of samples, which have fraction bits. It, `tables` and `rows` must outlive the
  // drawing.
  SampleResampler(std::function<const int16_t*(int)> source, const SampleBounds& bounds, int fractionBits,
                  const SampleColumnTables& tables, const AxisFilter& rows);
  // Writes output row `index` of the row filter: as many samples as the tables have outputs.
  void write(int index, int16_t* dst);

 private:
  const int16_t* filteredRow(int row);

  const std::function<const int16_t*(int)> source_;
  const SampleBounds bounds_;
  const int fractionBits_;
  const SampleColumnTables& tables_;
  const AxisFilter& rows_;
  size_t rowLength_;
  AlignedVector<int16_t> line_, filtered_;  // `filtered_`: a ring of `taps` rows
  std::vector<int> cachedRows_;             // source row of each ring entry
  std::vector<const int16_t*> taps_;
};

}  // namespace framewright
