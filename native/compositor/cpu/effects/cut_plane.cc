#include "compositor/cpu/effects/cut_plane.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "core/planes.h"

namespace framewright {
namespace {

struct Range {
  int first = 0, end = 0;

  int count() const { return end - first; }
};

// The samples around the middle one that equal it.
Range uniformRange(const uint8_t* row, int width) {
  const uint8_t* const middle = row + width / 2;
  const auto differs = [middle](uint8_t value) { return value != *middle; };
  const auto left = std::find_if(std::reverse_iterator(middle), std::reverse_iterator(row), differs);
  return {static_cast<int>(left.base() - row),
          static_cast<int>(std::find_if(middle, row + width, differs) - row)};
}

bool areEqual(const Plane& plane, int y, int other) {
  return std::memcmp(rowOf(plane, y), rowOf(plane, other), static_cast<size_t>(plane.width)) == 0;
}

// Columns that are equal in all rows.
Range uniformColumns(const Plane& plane) {
  Range columns{0, plane.width};
  for (int y = 0; y < plane.height && columns.count() > 0; ++y) {
    if (y > 0 && areEqual(plane, y, y - 1)) continue;
    const Range range = uniformRange(rowOf(plane, y), plane.width);
    columns = {std::max(columns.first, range.first), std::min(columns.end, range.end)};
  }
  return columns;
}

// Rows around the middle one that equal it.
Range uniformRows(const Plane& plane) {
  const int middle = plane.height / 2;
  Range rows{middle, middle + 1};
  while (rows.first > 0 && areEqual(plane, rows.first - 1, middle)) --rows.first;
  while (rows.end < plane.height && areEqual(plane, rows.end, middle)) ++rows.end;
  return rows;
}

// What can be removed in one direction; one sample stays in the middle.
Range removable(const Range& uniform, int reach, int unit) {
  const int from = uniform.first + reach, count = (uniform.end - reach - 1 - from) / unit * unit;
  return count > 0 ? Range{from, from + count} : Range{};
}

}  // namespace

void CutPlane::shrink(const Plane& whole, const Plane& small) const {
  for (int y = 0; y < height_; ++y) {
    const uint8_t* const from = rowOf(whole, y < removed_.top ? y : y + removed_.height());
    uint8_t* const to = rowOf(small, y);
    std::memcpy(to, from, static_cast<size_t>(removed_.left));
    std::memcpy(to + removed_.left, from + removed_.right, static_cast<size_t>(width_ - removed_.left));
  }
}

void CutPlane::expand(const Plane& small, const Plane& whole) const {
  for (int y = 0; y < whole.height; ++y) {
    const int row = y < removed_.top ? y : std::max(removed_.top, y - removed_.height());
    const uint8_t* const from = rowOf(small, row);
    uint8_t* const to = rowOf(whole, y);
    std::memcpy(to, from, static_cast<size_t>(removed_.left));
    std::memset(to + removed_.left, from[removed_.left], static_cast<size_t>(removed_.width()));
    std::memcpy(to + removed_.right, from + removed_.left, static_cast<size_t>(width_ - removed_.left));
  }
}

std::optional<CutPlane> cutUniform(const Plane& plane, int reach, int unit) {
  const Range columns = removable(uniformColumns(plane), reach, unit),
              rows = removable(uniformRows(plane), reach, unit);
  if (columns.count() == 0 && rows.count() == 0) return std::nullopt;
  return CutPlane({columns.first, rows.first, columns.end, rows.end}, plane.width, plane.height);
}

}  // namespace framewright
