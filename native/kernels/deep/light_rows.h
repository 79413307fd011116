#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

// The light of PQ frames of 10 bits with BT.2020's matrix. The results do not depend on the instruction set.
// Pure; any thread.
namespace framewright::kernels {

// A pair of rows of 4:2:0 with left-sited chroma.
struct LightRows {
  const uint16_t *top, *bottom;  // luma
  const uint16_t *cb, *cr;
};

// The largest of R', G' and B' of each sample of both rows, as luma codes with kLightFraction fraction bits
// from 0 to kMaxLightCode. Light that only differences between luma and the chroma of four samples make up,
// as at the edge of a white text over a colour, does not count: a sample is not brighter than its own grey or
// than the colour around its chroma.
inline constexpr int kLightFraction = 2;
inline constexpr int kMaxLightCode = (1 << (10 + kLightFraction)) - 1;
void lightCodes(uint16_t* top, uint16_t* bottom, const LightRows& rows, size_t count);

// Units of light by code.
using LightTable = std::array<int32_t, kMaxLightCode + 1>;
// Light of a row of codes; adds to `sum` and raises `peak`, which is a code.
struct LightSum {
  int64_t sum = 0;
  uint16_t peak = 0;
};
void addLight(LightSum& light, const uint16_t* codes, const LightTable& table, size_t count);

}  // namespace framewright::kernels
