#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/rounding.h"

// RGBA to planar BT.709 limited 4:2:0, row by row. Intermediate colours are 16-bit and premultiplied: colour
// * alpha, full scale 65025. The matrix's offsets are multiplied by alpha too, so that source-over is exact
// on YCbCr samples. Pure; any thread.
namespace framewright::kernels {

struct WideRow {
  uint16_t *r, *g, *b, *a;
};
struct ConstWideRow {
  const uint16_t *r, *g, *b, *a;
  ConstWideRow(const WideRow& row) : r(row.r), g(row.g), b(row.b), a(row.a) {}
};

// Writes the alpha bytes to `alpha`. Premultiplied colours above their alpha are clipped.
void unpackStraightRow(const WideRow& dst, uint8_t* alpha, const uint8_t* rgba, size_t count);
void unpackPremultipliedRow(const WideRow& dst, uint8_t* alpha, const uint8_t* rgba, size_t count);
void lumaRow(uint8_t* y, const ConstWideRow& src, size_t count, const RowRounding& rounding = {});
// Colours of one chroma row from two pixel rows: [1 2 1] around the even columns, where left-sited chroma
// lies, averaged over both rows. Reads src[-1] to src[2 * count - 1].
void siteChromaRow(uint16_t* dst, const uint16_t* top, const uint16_t* bottom, size_t count);
void chromaRow(uint8_t* u, uint8_t* v, uint8_t* alpha, const ConstWideRow& src, size_t count,
               const RowRounding& rounding = {});

// Upsamples chroma to a full-width row: 3/4 of the nearer and 1/4 of the farther chroma row; odd columns are
// interpolated. Reads near[0] to near[count / 2], one sample more than the row has.
void doubleChromaRow(uint8_t* dst, const uint8_t* near, const uint8_t* far, size_t count);

// Scalar versions that define the results bit for bit.
namespace reference {
void unpackStraightRow(const WideRow& dst, uint8_t* alpha, const uint8_t* rgba, size_t count);
void unpackPremultipliedRow(const WideRow& dst, uint8_t* alpha, const uint8_t* rgba, size_t count);
void lumaRow(uint8_t* y, const ConstWideRow& src, size_t count, const RowRounding& rounding = {});
void siteChromaRow(uint16_t* dst, const uint16_t* top, const uint16_t* bottom, size_t count);
void chromaRow(uint8_t* u, uint8_t* v, uint8_t* alpha, const ConstWideRow& src, size_t count,
               const RowRounding& rounding = {});
void doubleChromaRow(uint8_t* dst, const uint8_t* near, const uint8_t* far, size_t count);
}  // namespace reference

}  // namespace framewright::kernels
