#include "compositor/cpu/layers/row_resampler.h"

#include <algorithm>
#include <cstring>

#include "kernels/resample.h"

namespace framewright {

void RowResampler::begin(const Plane& source, const SampleBounds& bounds, const ColumnTables& columns,
                         const AxisFilter& rows) {
  source_ = source;
  bounds_ = bounds;
  columns_ = &columns;
  rows_ = &rows;
  rowLength_ = static_cast<size_t>(columns.groups) * kernels::kColumnGroup;
  line_.resize(static_cast<size_t>(columns.lineLength));
  filtered_.resize(rowLength_ * static_cast<size_t>(rows.taps));
  cachedRows_.assign(static_cast<size_t>(rows.taps), -1);
  taps_.resize(static_cast<size_t>(rows.taps));
}

const int16_t* RowResampler::filteredRow(int row) {
  const int clamped = std::clamp(row, bounds_.top, bounds_.bottom);
  const size_t slot = static_cast<size_t>(clamped % rows_->taps);
  int16_t* const filtered = &filtered_[slot * rowLength_];
  if (cachedRows_[slot] == clamped) return filtered;
  cachedRows_[slot] = clamped;
  const uint8_t* const source = source_.data + clamped * source_.stride;
  if (columns_->origin >= bounds_.left && columns_->origin + columns_->lineLength <= bounds_.right + 1) {
    kernels::filterColumns(filtered, source + columns_->origin, columns_->filter());
    return filtered;
  }
  // Edge samples are repeated beyond the bounds, so the kernel does not check limits.
  const int begin = columns_->origin, end = begin + columns_->used;
  const int inner = std::clamp(bounds_.left, begin, end), outer = std::clamp(bounds_.right + 1, inner, end);
  if (inner > begin) std::memset(line_.data(), source[bounds_.left], static_cast<size_t>(inner - begin));
  if (outer > inner)
    std::memcpy(line_.data() + (inner - begin), source + inner, static_cast<size_t>(outer - inner));
  if (end > outer)
    std::memset(line_.data() + (outer - begin), source[bounds_.right], static_cast<size_t>(end - outer));
  kernels::filterColumns(filtered, line_.data(), columns_->filter());
  return filtered;
}

void RowResampler::write(int index, uint8_t* dst, int count) {
  const int first = rows_->firsts[static_cast<size_t>(index)];
  const int taps = rows_->taps;
  for (int t = 0; t < taps; ++t) taps_[static_cast<size_t>(t)] = filteredRow(first + t);
  kernels::filterRows(dst, taps_.data(),
                      &rows_->weights[static_cast<size_t>(index) * static_cast<size_t>(taps)], taps,
                      static_cast<size_t>(count));
}

}  // namespace framewright
