#include "kernels/deinterlace.h"

#include <algorithm>
#include <cstdlib>

namespace framewright::kernels {
namespace {

// The range that motion allows around the mean of the fields before and after.
struct MotionRange {
  int middle = 0, radius = 0;
};

// How much the sample has changed, per frame.
template <typename Sample>
int motionAt(const FieldRows<Sample>& rows, size_t i) {
  const int up = rows.same1Up[i], down = rows.same1Down[i];
  const int across = std::abs(rows.before[i] - rows.after[i]) >> 1;
  const int past = (std::abs(rows.previous1Up[i] - up) + std::abs(rows.previous1Down[i] - down)) >> 1;
  const int future = (std::abs(rows.next1Up[i] - up) + std::abs(rows.next1Down[i] - down)) >> 1;
  return std::max({across, past, future});
}

template <typename Sample>
MotionRange rangeAt(const FieldRows<Sample>& rows, size_t i, bool isChecked) {
  const int middle = (rows.before[i] + rows.after[i]) >> 1;
  int radius = motionAt(rows, i);
  if (radius == 0 || !isChecked) return {middle, radius};
  const int up = rows.same1Up[i], down = rows.same1Down[i];
  const int above = ((rows.before2Up[i] + rows.after2Up[i]) >> 1) - up;
  const int below = ((rows.before2Down[i] + rows.after2Down[i]) >> 1) - down;
  const int highest = std::max({middle - down, middle - up, std::min(above, below)});
  const int lowest = std::min({middle - down, middle - up, std::max(above, below)});
  radius = std::max({radius, lowest, -highest});
  return {middle, radius};
}

int within(const MotionRange& range, int value) {
  return std::clamp(value, range.middle - range.radius, range.middle + range.radius);
}

template <typename Sample>
int verticalAt(const FieldRows<Sample>& rows, size_t i) {
  return (kVerticalNear * (rows.same1Up[i] + rows.same1Down[i]) -
          kVerticalFar * (rows.same3Up[i] + rows.same3Down[i])) >>
         kFieldFilterBits;
}

template <typename Sample>
int filteredAt(const FieldRows<Sample>& rows, size_t i) {
  const int near = rows.before2Up[i] + rows.after2Up[i] + rows.before2Down[i] + rows.after2Down[i];
  const int far = rows.before4Up[i] + rows.after4Up[i] + rows.before4Down[i] + rows.after4Down[i];
  const int high = (kHighMiddle * (rows.before[i] + rows.after[i]) - kHighNear * near + kHighFar * far) >> 2;
  return (high + kLowNear * (rows.same1Up[i] + rows.same1Down[i]) -
          kLowFar * (rows.same3Up[i] + rows.same3Down[i])) >>
         kFieldFilterBits;
}

template <typename Sample>
void interpolate(Sample* dst, const FieldRows<Sample>& rows, size_t count, int max) {
  for (size_t i = 0; i < count; ++i) {
    const MotionRange range = rangeAt(rows, i, true);
    const bool isEdge =
        std::abs(rows.same1Up[i] - rows.same1Down[i]) > std::abs(rows.before[i] - rows.after[i]);
    const int value = isEdge ? filteredAt(rows, i) : verticalAt(rows, i);
    dst[i] = static_cast<Sample>(std::clamp(within(range, value), 0, max));
  }
}

}  // namespace

namespace reference {

void interpolateRow(uint8_t* dst, const FieldRows<uint8_t>& rows, size_t count, int max) {
  interpolate(dst, rows, count, max);
}

void interpolateRow(uint16_t* dst, const FieldRows<uint16_t>& rows, size_t count, int max) {
  interpolate(dst, rows, count, max);
}

}  // namespace reference

template <typename Sample>
void interpolateEdgeRow(Sample* dst, const FieldRows<Sample>& rows, size_t count, bool isChecked) {
  for (size_t i = 0; i < count; ++i) {
    const MotionRange range = rangeAt(rows, i, isChecked);
    dst[i] = static_cast<Sample>(within(range, (rows.same1Up[i] + rows.same1Down[i]) >> 1));
  }
}

template <typename Sample>
void interpolateStillRow(Sample* dst, const FieldRows<Sample>& rows, size_t count, int max) {
  for (size_t i = 0; i < count; ++i) {
    dst[i] = static_cast<Sample>(std::clamp(verticalAt(rows, i), 0, max));
  }
}

template void interpolateEdgeRow(uint8_t*, const FieldRows<uint8_t>&, size_t, bool);
template void interpolateEdgeRow(uint16_t*, const FieldRows<uint16_t>&, size_t, bool);
template void interpolateStillRow(uint8_t*, const FieldRows<uint8_t>&, size_t, int);
template void interpolateStillRow(uint16_t*, const FieldRows<uint16_t>&, size_t, int);

}  // namespace framewright::kernels
