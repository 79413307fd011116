#pragma once

#include <cstddef>
#include <cstdint>

// RGBA <-> planar BT.709 limited 4:2:0, row by row. Between the steps colours are 16-bit and premultiplied:
// colour * alpha with both of 0..255, so 65025 is full. The matrix is affine and its offsets are multiplied
// by alpha too, which keeps source-over exact on YCbCr samples. Pure; any thread.
namespace framewright::kernels {

struct WideRow {
  uint16_t *r, *g, *b, *a;
};
struct ConstWideRow {
  const uint16_t *r, *g, *b, *a;
  ConstWideRow(const WideRow& row) : r(row.r), g(row.g), b(row.b), a(row.a) {}
};

// `alpha` gets the alpha bytes. Premultiplied colours above their alpha are cut down to it.
void unpackStraightRow(const WideRow& dst, uint8_t* alpha, const uint8_t* rgba, size_t count);
void unpackPremultipliedRow(const WideRow& dst, uint8_t* alpha, const uint8_t* rgba, size_t count);
void lumaRow(uint8_t* y, const ConstWideRow& src, size_t count);
// One chroma row's colours from two pixel rows: [1 2 1] around the even columns, where left-sited chroma
// lies, and the mean of both rows. Reads src[-1] to src[2 * count - 1].
void siteChromaRow(uint16_t* dst, const uint16_t* top, const uint16_t* bottom, size_t count);
void chromaRow(uint8_t* u, uint8_t* v, uint8_t* alpha, const ConstWideRow& src, size_t count);

// Chroma of a full-width row: 3/4 of the nearer chroma row, 1/4 of the farther, odd columns between their
// neighbours. Reads near[0] to near[count / 2], so a row needs one sample more than it has.
void doubleChromaRow(uint8_t* dst, const uint8_t* near, const uint8_t* far, size_t count);
// Opaque RGBA from full-width rows.
void rgbaRow(uint8_t* rgba, const uint8_t* y, const uint8_t* u, const uint8_t* v, size_t count);

// The plain versions that define the results, bit for bit.
namespace reference {
void unpackStraightRow(const WideRow& dst, uint8_t* alpha, const uint8_t* rgba, size_t count);
void unpackPremultipliedRow(const WideRow& dst, uint8_t* alpha, const uint8_t* rgba, size_t count);
void lumaRow(uint8_t* y, const ConstWideRow& src, size_t count);
void siteChromaRow(uint16_t* dst, const uint16_t* top, const uint16_t* bottom, size_t count);
void chromaRow(uint8_t* u, uint8_t* v, uint8_t* alpha, const ConstWideRow& src, size_t count);
void doubleChromaRow(uint8_t* dst, const uint8_t* near, const uint8_t* far, size_t count);
void rgbaRow(uint8_t* rgba, const uint8_t* y, const uint8_t* u, const uint8_t* v, size_t count);
}  // namespace reference

}  // namespace framewright::kernels
