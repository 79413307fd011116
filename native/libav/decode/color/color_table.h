#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/color_lut.h"
#include "libav/decode/color/color_space.h"

namespace framewright {

// A conversion to BT.709, or to BT.2100 HDR. For BT.709, HDR is tone-mapped to SDR: BT.2390's curve on
// luminance as libplacebo applies it, shown on a BT.1886 display of 203 cd/m² and a contrast of 1000.
struct ColorMapping {
  ColorSpace from;
  Transfer to = Transfer::kVideo;  // kVideo or kSrgb, for SDR; kHlg or kPq with BT.2020 primaries
  bool toYcbcr = true;             // Y'CbCr in limited range, else R'G'B' in full range

  bool operator==(const ColorMapping&) const = default;
};

// Converts rows of R'G'B' signals.
struct ColorTable {
  // For kernels::mapRow(): channels Y', unused, Cb, Cr, or R', G', B', unused.
  std::vector<int16_t> vertices;
  // For kernels::mapLumaRow(); empty for R'G'B'.
  std::vector<int16_t> luma;
  // SDR is converted to BT.709 by curves first, since a table cannot follow where it clips; empty for HDR.
  std::vector<float> toLight;
  std::vector<int32_t> fromRoot;
  kernels::SignalCurves curves;

  // Converts a row in place to what the vertices are for.
  void prepare(const kernels::SignalRow& row, size_t count) const {
    if (!toLight.empty()) kernels::convertRow(row, curves, count);
  }
};

// The table of a mapping. The latest ones are kept, since making one takes some tenths of a second. Any
// thread.
std::shared_ptr<const ColorTable> colorTableOf(const ColorMapping& mapping);

}  // namespace framewright
