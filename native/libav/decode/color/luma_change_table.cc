#include "libav/decode/color/luma_change_table.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <mutex>
#include <utility>

#include "kernels/color_matrix.h"

namespace framewright {
namespace {

// To saturated red, but not to saturated blue, whose luma is small.
constexpr double kMaxCb = 1.5;
constexpr int kBorderCells = 2;

}  // namespace

// Cells start where blue and red end.
LumaChangeTable::LumaChangeTable(AVColorPrimaries primaries, const LumaShares& shares)
    : light_(primariesMatrix(primaries, AVCOL_PRI_BT709)),
      shares_(shares),
      cb_(axis(-0.5 / (1 - shares.blue), kMaxCb)),
      cr_(axis(-0.5 / (1 - shares.red), 0.5 / shares.red)) {
  fromCb_ = (changeAt(1, 0).relative - changeAt(-1, 0).relative) / 2;
  fromCr_ = (changeAt(0, 1).relative - changeAt(0, -1).relative) / 2;
  std::vector<Change> corners;
  for (int y = 0; y <= kSide; ++y) {
    for (int x = 0; x <= kSide; ++x) corners.push_back(changeAt(x - 0.5 - cb_.origin, y - 0.5 - cr_.origin));
  }
  cells_.resize(size_t{kSide} * kSide);
  for (int y = 1; y < kSide - 1; ++y) {
    for (int x = 1; x < kSide - 1; ++x) {
      const auto corner = [&](int right, int below) {
        return corners[static_cast<size_t>((y + below) * (kSide + 1) + x + right)];
      };
      cells_[static_cast<size_t>(y * kSide + x)] =
          cellOf({corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)});
    }
  }
}

kernels::LumaChanges LumaChangeTable::changes(const ColorLayout& layout,
                                              const kernels::SignalMatrix& matrix) const {
  using kernels::LumaChanges, kernels::SignalMatrix;
  kernels::LumaChanges changes;
  changes.cells = cells_.data();
  constexpr double kUnit = 1 << LumaChanges::kLumaBits;
  const double bits = 1 << (av_pix_fmt_desc_get(layout.format)->comp[0].depth - 8);
  const double luma = static_cast<double>(matrix.y) / (1 << SignalMatrix::kShift) / kernels::kSignalRange;
  const auto set = [](float* to, double weight, double zero) {
    to[0] = static_cast<float>(weight);
    to[1] = static_cast<float>(-weight * zero);
  };
  set(changes.luma, kUnit * luma, layout.fullRange ? 0 : kernels::kLumaOffset * bits);
  const double range = layout.fullRange ? 256 * bits - 1 : kernels::kChromaRange * bits;
  const double one = 1 << SignalMatrix::kChromaBits, grey = kernels::kChromaOffset * bits * one;
  set(changes.cb, kUnit / (range * one * cb_.step), grey);
  set(changes.cr, kUnit / (range * one * cr_.step), grey);
  changes.originCb = static_cast<float>(cb_.origin);
  changes.originCr = static_cast<float>(cr_.origin);
  changes.unchanged = static_cast<float>(kernels::kLumaRange / kUnit);
  changes.fromCb = static_cast<float>(kernels::kLumaRange / kUnit * fromCb_);
  changes.fromCr = static_cast<float>(kernels::kLumaRange / kUnit * fromCr_);
  changes.offset = static_cast<float>(kernels::kLumaOffset);
  return changes;
}

// Grey is the centre of a cell.
LumaChangeTable::Axis LumaChangeTable::axis(double lowest, double highest) {
  const double step = (highest - lowest) / (kSide - 1 - 2 * kBorderCells);
  return {step, static_cast<int>(std::ceil(-lowest / step)) + kBorderCells};
}

// At a distance from grey in cells.
LumaChangeTable::Change LumaChangeTable::changeAt(double x, double y) const {
  const double cb = x * cb_.step, cr = y * cr_.step;
  const auto [red, blue] = shares_;
  const double r = 1 + 2 * (1 - red) * cr, b = 1 + 2 * (1 - blue) * cb;
  Vector3 light{r, (1 - red * r - blue * b) / (1 - red - blue), b};
  double highest = std::max({light[0], light[1], light[2]});
  for (double& value : light) value = std::pow(std::max(value, 0.0), kVideoGamma);
  Vector3 signals = light_ * light;
  for (double& value : signals) value = std::pow(std::max(value, 0.0), 1 / kVideoGamma);
  highest = std::max({highest, signals[0], signals[1], signals[2]});
  const double luma =
      kernels::kRedShare * signals[0] + kernels::kGreenShare * signals[1] + kernels::kBlueShare * signals[2];
  return {luma - 1 - fromCb_ * x - fromCr_ * y, 1 / highest};
}

int32_t LumaChangeTable::cellOf(const std::array<Change, 4>& corners) {
  using kernels::LumaChanges;
  constexpr double kTolerance = 0.4;  // levels between corners
  // Hardly anything is clipped slightly above.
  constexpr double kOver = 1.001;
  double low = corners[0].relative, high = low, maxLuma = corners[0].maxLuma;
  for (const Change& corner : corners) {
    low = std::min(low, corner.relative);
    high = std::max(high, corner.relative);
    maxLuma = std::min(maxLuma, corner.maxLuma);
  }
  const double change = std::round((low + high) / 2 * (1 << LumaChanges::kChangeBits));
  if ((high - low) * kernels::kLumaRange * maxLuma > kTolerance || std::abs(change) > INT16_MAX) return 0;
  return static_cast<int32_t>(change) * (1 << LumaChanges::kChangeBits) +
         static_cast<int32_t>(maxLuma * kOver * (1 << LumaChanges::kLumaBits));
}

std::shared_ptr<const LumaChangeTable> lumaChangeTableOf(AVColorPrimaries primaries,
                                                         const LumaShares& shares) {
  constexpr size_t kMaxTables = 4;
  using Key = std::pair<AVColorPrimaries, LumaShares>;
  static std::mutex mutex;
  static std::deque<std::pair<Key, std::shared_ptr<const LumaChangeTable>>> tables;
  const Key wanted{primaries, shares};
  // Held while a table is made: others usually wait for the same one.
  const std::lock_guard lock(mutex);
  for (const auto& [key, table] : tables) {
    if (key == wanted) return table;
  }
  if (tables.size() >= kMaxTables) tables.pop_back();
  tables.emplace_front(wanted, std::make_shared<const LumaChangeTable>(primaries, shares));
  return tables.front().second;
}

}  // namespace framewright
