#pragma once

#include <cstddef>
#include <cstdint>

// Steps of a Gaussian blur on rows of 16-bit samples with 7 fraction bits. Samples outside a plane count as
// zero; callers pad their rows. Pure; any thread.
namespace framewright::kernels {

// Sum of weighRows' weights; each weight is below it.
inline constexpr int kBlurUnit = 1 << 15;

void widenRow(int16_t* dst, const uint8_t* src, size_t count);
void narrowRow(uint8_t* dst, const int16_t* src, size_t count);
// dst[i] = sum over t of rows[t][i] * weights[t]. Works in both directions: horizontal neighbours are the
// same row with an offset. `dst` is none of the rows.
void weighRows(int16_t* dst, const int16_t* const* rows, const int16_t* weights, int taps, size_t count);
// [1 3 3 1] / 8 around each pair: `count` outputs from src[-1] to src[2 * count].
void halveColumns(int16_t* dst, const int16_t* src, size_t count);
// [3 1] / 4 towards the nearer neighbour: 2 * count outputs from src[-1] to src[count].
void doubleColumns(int16_t* dst, const int16_t* src, size_t count);

// Scalar versions that define the results bit for bit.
namespace reference {
void widenRow(int16_t* dst, const uint8_t* src, size_t count);
void narrowRow(uint8_t* dst, const int16_t* src, size_t count);
void weighRows(int16_t* dst, const int16_t* const* rows, const int16_t* weights, int taps, size_t count);
void halveColumns(int16_t* dst, const int16_t* src, size_t count);
void doubleColumns(int16_t* dst, const int16_t* src, size_t count);
}  // namespace reference

}  // namespace framewright::kernels
