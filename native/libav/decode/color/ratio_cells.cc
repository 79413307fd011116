#include "libav/decode/color/ratio_cells.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "kernels/color_matrix.h"

namespace framewright {
namespace {

using kernels::RatioTable;

constexpr int kSide = RatioTable::kSide, kBorderCells = 2;
// To saturated red, but not to saturated blue, whose luma is small.
constexpr double kMaxCb = 1.5;
// Levels for a Y, Cb and Cr of 1.
constexpr std::array<double, 3> kRanges{kernels::kLumaRange, kernels::kChromaRange, kernels::kChromaRange};

// Y, Cb and Cr of BT.709.
Vector3 ycbcrOf(const Vector3& signals) {
  const double luma =
      kernels::kRedShare * signals[0] + kernels::kGreenShare * signals[1] + kernels::kBlueShare * signals[2];
  return {luma, kernels::kBlueScale * (signals[2] - luma), kernels::kRedScale * (signals[0] - luma)};
}

}  // namespace

// Cells start where blue and red end.
RatioCells::RatioCells(AVColorPrimaries primaries, const LumaShares& shares)
    : light_(primariesMatrix(primaries, AVCOL_PRI_BT709)),
      shares_(shares),
      cb_(axis(-0.5 / (1 - shares.blue), kMaxCb)),
      cr_(axis(-0.5 / (1 - shares.red), 0.5 / shares.red)),
      luma_(size_t{kSide} * kSide),
      chroma_(2 * luma_.size()) {
  const Color left = colorAt(-1, 0), right = colorAt(1, 0), above = colorAt(0, -1), below = colorAt(0, 1);
  for (size_t i = 0; i < 3; ++i) {
    fromCb_[i] = (right.ycbcr[i] - left.ycbcr[i]) / 2;
    fromCr_[i] = (below.ycbcr[i] - above.ycbcr[i]) / 2;
  }
  std::array<std::vector<Color>, 2> rows;
  for (int y = 0; y < kSide; ++y) {
    std::swap(rows[0], rows[1]);
    rows[1].clear();
    for (int x = 0; x < kSide; ++x) rows[1].push_back(colorAt(x - 0.5 - cb_.origin, y - 0.5 - cr_.origin));
    // The border stays 0.
    for (size_t x = 1; y >= 2 && x < kSide - 1; ++x)
      addCells(static_cast<size_t>(y - 1) * kSide + x,
               {rows[0][x], rows[0][x + 1], rows[1][x], rows[1][x + 1]});
  }
}

kernels::RatioTable RatioCells::table(const ColorLayout& layout, const kernels::SignalMatrix& matrix) const {
  using kernels::SignalMatrix;
  RatioTable table;
  table.luma = luma_.data();
  table.chroma = chroma_.data();
  constexpr double kUnit = 1 << RatioTable::kLumaBits;
  const double bits = 1 << (av_pix_fmt_desc_get(layout.format)->comp[0].depth - 8);
  const double luma = static_cast<double>(matrix.y) / (1 << SignalMatrix::kShift) / kernels::kSignalRange;
  const auto set = [](float* to, double weight, double zero) {
    to[0] = static_cast<float>(weight);
    to[1] = static_cast<float>(-weight * zero);
  };
  set(table.y, kUnit * luma, layout.fullRange ? 0 : kernels::kLumaOffset * bits);
  const double range = layout.fullRange ? 256 * bits - 1 : kernels::kChromaRange * bits;
  const double one = 1 << SignalMatrix::kChromaBits, grey = kernels::kChromaOffset * bits * one;
  set(table.cb, kUnit / (range * one * cb_.step), grey);
  set(table.cr, kUnit / (range * one * cr_.step), grey);
  table.originCb = static_cast<float>(cb_.origin);
  table.originCr = static_cast<float>(cr_.origin);
  for (size_t i = 0; i < 3; ++i) {
    const double level = kRanges[i] / kUnit;
    table.results[i] = {static_cast<float>(level / (1 << RatioTable::kChangeBits)),
                        i == 0 ? static_cast<float>(level) : 0, static_cast<float>(level * fromCb_[i]),
                        static_cast<float>(level * fromCr_[i]),
                        static_cast<float>(i == 0 ? kernels::kLumaOffset : kernels::kChromaOffset)};
  }
  return table;
}

// Grey is the centre of a cell.
RatioCells::Axis RatioCells::axis(double lowest, double highest) {
  const double step = (highest - lowest) / (kSide - 1 - 2 * kBorderCells);
  return {step, static_cast<int>(std::ceil(-lowest / step)) + kBorderCells};
}

// At a distance from grey in cells.
RatioCells::Color RatioCells::colorAt(double x, double y) const {
  const auto [red, blue] = shares_;
  const double r = 1 + 2 * (1 - red) * y * cr_.step, b = 1 + 2 * (1 - blue) * x * cb_.step;
  Vector3 light{r, (1 - red * r - blue * b) / (1 - red - blue), b};
  const double highest = std::max({light[0], light[1], light[2]});
  for (double& value : light) value = std::pow(std::max(value, 0.0), kVideoGamma);
  Vector3 signals = light_ * light;
  for (double& value : signals) value = std::pow(std::max(value, 0.0), 1 / kVideoGamma);
  return {ycbcrOf(signals), 1 / std::max({highest, signals[0], signals[1], signals[2]})};
}

void RatioCells::addCells(size_t cell, const Corners& corners) {
  constexpr double kTolerance = 0.4;  // levels between corners
  // Hardly anything is clipped slightly above.
  constexpr double kOver = 1.001;
  double maxLuma = 1;
  for (const Color& corner : corners) maxLuma = std::min(maxLuma, corner.maxLuma);
  // The change beside the linear one, which differs by little between the corners.
  const auto changeOf = [&](size_t i) -> std::optional<int32_t> {
    double low = corners[0].ycbcr[i], high = low;
    for (size_t k = 0; k < corners.size(); ++k) {
      const double value = corners[k].ycbcr[i] - static_cast<double>(k % 2) * fromCb_[i] -
                           static_cast<double>(k / 2) * fromCr_[i];
      low = std::min(low, value);
      high = std::max(high, value);
    }
    const double x = static_cast<double>(cell % kSide) - 0.5 - cb_.origin,
                 y = static_cast<double>(cell / kSide) - 0.5 - cr_.origin;
    const double change = (low + high) / 2 - (i == 0 ? 1 : 0) - x * fromCb_[i] - y * fromCr_[i];
    const double rounded = std::round(change * (1 << RatioTable::kChangeBits));
    if ((high - low) * kRanges[i] * maxLuma > kTolerance || std::abs(rounded) > INT16_MAX)
      return std::nullopt;
    return static_cast<int32_t>(rounded) * (1 << RatioTable::kChangeBits) +
           static_cast<int32_t>(maxLuma * kOver * (1 << RatioTable::kLumaBits));
  };
  luma_[cell] = changeOf(0).value_or(0);
  const std::optional<int32_t> cb = changeOf(1), cr = changeOf(2);
  if (!cb || !cr) return;
  chroma_[2 * cell] = *cb;
  chroma_[2 * cell + 1] = *cr;
}

std::shared_ptr<const RatioCells> ratioCellsOf(AVColorPrimaries primaries, const LumaShares& shares) {
  constexpr size_t kMaxTables = 4;
  using Key = std::pair<AVColorPrimaries, LumaShares>;
  static std::mutex mutex;
  static std::deque<std::pair<Key, std::shared_ptr<const RatioCells>>> tables;
  const Key wanted{primaries, shares};
  // Held while a table is made: others usually wait for the same one.
  const std::lock_guard lock(mutex);
  for (const auto& [key, table] : tables) {
    if (key == wanted) return table;
  }
  if (tables.size() >= kMaxTables) tables.pop_back();
  tables.emplace_front(wanted, std::make_shared<const RatioCells>(primaries, shares));
  return tables.front().second;
}

}  // namespace framewright
