#pragma once

#include <cstddef>
#include <cstdint>

// Interpolates the missing rows of a field as the bwdif filter does: the motion checks of yadif decide between the
// neighbouring fields and a vertical and temporal filter by Weston. Samples of 8 bit or, with higher depths, in 16
// bit. Pure; any thread.
namespace framewright::kernels {

// Rows around the missing row y, by distance. `same*` rows belong to the frame of the field and lie in the field.
// `before` and `after` are the two frames whose fields with row y precede and follow the field: the frame itself
// and the one before or after it. `previous` and `next` are the frames before and after.
template <typename Sample>
struct FieldRows {
  const Sample *same1Up, *same1Down, *same3Up, *same3Down;
  const Sample *before, *before2Up, *before2Down, *before4Up, *before4Down;
  const Sample *after, *after2Up, *after2Down, *after4Up, *after4Down;
  const Sample *previous1Up, *previous1Down, *next1Up, *next1Down;
};

// A row at least 4 rows from the upper and lower edge. `max` is the highest sample value.
void interpolateRow(uint8_t* dst, const FieldRows<uint8_t>& rows, size_t count, int max);
void interpolateRow(uint16_t* dst, const FieldRows<uint16_t>& rows, size_t count, int max);

// A row near an edge: averages its neighbours. Without `isChecked`, which needs rows at distance 2, the spatial
// check is left out; rows at distances 3 and 4 are not read.
template <typename Sample>
void interpolateEdgeRow(Sample* dst, const FieldRows<Sample>& rows, size_t count, bool isChecked);

// A row of a field without neighbours in time: reads only `same*` rows.
template <typename Sample>
void interpolateStillRow(Sample* dst, const FieldRows<Sample>& rows, size_t count, int max);

// Scalar versions that define the results bit for bit.
namespace reference {
void interpolateRow(uint8_t* dst, const FieldRows<uint8_t>& rows, size_t count, int max);
void interpolateRow(uint16_t* dst, const FieldRows<uint16_t>& rows, size_t count, int max);
}  // namespace reference

// Q13 coefficients of the filter's low and high frequencies, and of purely vertical interpolation.
inline constexpr int kLowNear = 4309, kLowFar = 213;
inline constexpr int kHighMiddle = 5570, kHighNear = 3801, kHighFar = 1016;
inline constexpr int kVerticalNear = 5077, kVerticalFar = 981;
inline constexpr int kFieldFilterBits = 13;

}  // namespace framewright::kernels
