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

// The change of luma from video with other primaries and another matrix to BT.709, see kernels::LumaChanges.
// Immutable.
class LumaChangeTable {
 public:
  // `shares`: of the matrix of the samples.
  LumaChangeTable(AVColorPrimaries primaries, const LumaShares& shares);

  // For samples with `layout`, which `matrix` converts to signals. Refers to this table.
  kernels::LumaChanges changes(const ColorLayout& layout, const kernels::SignalMatrix& matrix) const;

 private:
  static constexpr int kSide = kernels::LumaChanges::kSide;
  struct Axis {
    double step = 1;
    int origin = 0;
  };
  struct Change {
    double relative, maxLuma;
  };

  static Axis axis(double lowest, double highest);
  static int32_t cellOf(const std::array<Change, 4>& corners);
  Change changeAt(double x, double y) const;

  const Matrix3 light_;
  const LumaShares shares_;
  const Axis cb_, cr_;
  double fromCb_ = 0, fromCr_ = 0;  // change of luma for each cell
  std::vector<int32_t> cells_;
};

// The table of primaries and a matrix. The latest ones are cached, since making one takes some hundredths of
// a second. Any thread.
std::shared_ptr<const LumaChangeTable> lumaChangeTableOf(AVColorPrimaries primaries,
                                                         const LumaShares& shares);

}  // namespace framewright
