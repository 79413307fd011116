#include "compositor/row_blur.h"

#include <algorithm>

#include "kernels/blur.h"

namespace framewright {
namespace {

constexpr int kZeroMargin = kMaxBlurReach;  // zero columns at each side of a field
constexpr int kTapsOfHalving = 4;

}  // namespace

void RowBlur::Field::fit(int fieldWidth, int fieldHeight) {
  // The contents are overwritten, and the zero margins are intact.
  if (width == fieldWidth && height == fieldHeight) return;
  width = fieldWidth;
  height = fieldHeight;
  step = static_cast<size_t>(width) + 2 * kZeroMargin;
  samples.resize(step * static_cast<size_t>(height));
  for (int y = 0; y < height; ++y) {
    std::fill_n(row(y) - kZeroMargin, kZeroMargin, int16_t{0});
    std::fill_n(row(y) + width, kZeroMargin, int16_t{0});
  }
}

int16_t* RowBlur::Field::row(int y) { return &samples[static_cast<size_t>(y) * step + kZeroMargin]; }

const int16_t* RowBlur::rowOrZero(Field& field, int y) {
  return y < 0 || y >= field.height ? &zeros_[kZeroMargin] : field.row(y);
}

void RowBlur::apply(int width, int height, const BlurPlan& plan, const ReadRow& readRow,
                    const WriteRow& writeRow) {
  if (plan.sigma <= 0) return;
  const auto count = static_cast<size_t>(width);
  zeros_.assign(count + 2 * kZeroMargin, 0);
  if (plan.halvings == 0) {
    line_.fit(width, 1);
    convolveRows(
        width, height, plan.sigma,
        [&](int y) {
          readRow(y, line_.row(0));
          return line_.row(0);
        },
        [&](int y, const int16_t* const* rows, const int16_t* weights, int taps) {
          kernels::weighRows(line_.row(0), rows, weights, taps, count);
          writeRow(y, line_.row(0));
        });
    return;
  }
  levels_.resize(std::max(levels_.size(), plan.halvings));
  for (size_t i = 0; i < plan.halvings; ++i) {
    const int unit = 2 << i;
    levels_[i].fit((width + unit - 1) / unit, (height + unit - 1) / unit);
  }
  ring_.fit(width, kTapsOfHalving);
  int read = 0;
  halve(width, levels_[0], [&](int y) -> const int16_t* {
    if (y < 0 || y >= height) return &zeros_[kZeroMargin];
    for (; read <= y; ++read) readRow(read, ring_.row(read % kTapsOfHalving));
    return ring_.row(y % kTapsOfHalving);
  });
  for (size_t i = 1; i < plan.halvings; ++i)
    halve(levels_[i - 1].width, levels_[i], [&](int y) { return rowOrZero(levels_[i - 1], y); });
  Field& last = levels_[plan.halvings - 1];
  convolveRows(
      last.width, last.height, plan.sigma, [&](int y) { return last.row(y); },
      [&](int y, const int16_t* const* rows, const int16_t* weights, int taps) {
        kernels::weighRows(last.row(y), rows, weights, taps, static_cast<size_t>(last.width));
      });
  for (size_t i = plan.halvings - 1; i > 0; --i) {
    Field &from = levels_[i], &to = levels_[i - 1];
    for (int y = 0; y < to.height; ++y) {
      doubleRow(to.row(y), from, y);
      // A column of an odd width may be in the margin, which others expect to be zero.
      to.row(y)[to.width] = 0;
    }
  }
  ring_.fit(width, 1);
  for (int y = 0; y < height; ++y) {
    doubleRow(ring_.row(0), levels_[0], y);
    ring_.row(0)[width] = 0;
    writeRow(y, ring_.row(0));
  }
}

template <typename RowAt, typename WriteSums>
void RowBlur::convolveRows(int width, int height, double sigma, const RowAt& rowAt,
                           const WriteSums& writeSums) {
  int16_t weights[kMaxBlurTaps];
  const int taps = makeBlurFilter(weights, sigma), reach = taps / 2;
  const int16_t* from[kMaxBlurTaps];
  const auto count = static_cast<size_t>(width);
  ring_.fit(width, taps);
  for (int y = 0; y < height + reach; ++y) {
    if (y < height) {
      const int16_t* const row = rowAt(y);
      for (int t = 0; t < taps; ++t) from[t] = row + t - reach;
      kernels::weighRows(ring_.row(y % taps), from, weights, taps, count);
    }
    const int done = y - reach;
    if (done < 0) continue;
    for (int t = 0; t < taps; ++t) {
      const int above = done + t - reach;
      from[t] = above < 0 || above >= height ? &zeros_[kZeroMargin] : ring_.row(above % taps);
    }
    writeSums(done, from, weights, taps);
  }
}

template <typename RowAt>
void RowBlur::halve(int width, Field& to, const RowAt& rowAt) {
  constexpr int16_t kWeights[kTapsOfHalving] = {4096, 12288, 12288, 4096};
  line_.fit(width, 1);
  for (int y = 0; y < to.height; ++y) {
    const int16_t* taps[kTapsOfHalving];
    for (int t = 0; t < kTapsOfHalving; ++t) taps[t] = rowAt(2 * y + t - 1);
    kernels::weighRows(line_.row(0), taps, kWeights, kTapsOfHalving, static_cast<size_t>(width));
    kernels::halveColumns(to.row(y), line_.row(0), static_cast<size_t>(to.width));
  }
}

void RowBlur::doubleRow(int16_t* to, Field& from, int y) {
  constexpr int16_t kWeights[] = {8192, 24576};
  line_.fit(from.width, 1);
  const int16_t* const taps[2] = {rowOrZero(from, y / 2 + (y % 2 == 0 ? -1 : 1)), rowOrZero(from, y / 2)};
  kernels::weighRows(line_.row(0), taps, kWeights, 2, static_cast<size_t>(from.width));
  kernels::doubleColumns(to, line_.row(0), static_cast<size_t>(from.width));
}

}  // namespace framewright
