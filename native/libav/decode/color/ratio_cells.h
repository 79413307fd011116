#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/color_lut.h"
#include "kernels/ycbcr/primaries_rows.h"
#include "libav/decode/color/color_space.h"
#include "libav/decode/color_conversion.h"

namespace framewright {

// Gamma of the display that BT.709 video is made for.
inline constexpr double kVideoGamma = 2.4;

// The cells of a kernels::RatioTable from video with other primaries and another matrix to BT.709. Immutable.
class RatioCells {
 public:
  // `shares`: of the matrix of the samples.
  RatioCells(AVColorPrimaries primaries, const LumaShares& shares);

  // The table for samples with `layout`, which `matrix` converts to signals. Refers to these cells.
  kernels::RatioTable table(const ColorLayout& layout, const kernels::SignalMatrix& matrix) const;

 private:
  struct Axis {
    double step = 1;
    int origin = 0;
  };
  // Y, Cb and Cr for a Y of 1, and the largest Y for which they hold.
  struct Color {
    Vector3 ycbcr;
    double maxLuma;
  };
  using Corners = std::array<Color, 4>;

  static Axis axis(double lowest, double highest);
  Color colorAt(double x, double y) const;
  void addCells(size_t cell, const Corners& corners);

  const Matrix3 light_;
  const LumaShares shares_;
  const Axis cb_, cr_;
  Vector3 fromCb_{}, fromCr_{};  // change of Y, Cb and Cr for each cell
  std::vector<int32_t> luma_, chroma_;
};

// The cells of primaries and a matrix. The latest ones are cached, since making them takes some hundredths of
// a second. Any thread.
std::shared_ptr<const RatioCells> ratioCellsOf(AVColorPrimaries primaries, const LumaShares& shares);

}  // namespace framewright
