#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "compositor/plan/effects/blur_plan.h"

namespace framewright {

// Gaussian blur of planes with transparent surroundings, in 16-bit samples. Wide blurs are computed at
// reduced size; the blur of down- and upsampling is accounted for. Rows pass through all steps of a level
// while they are in the CPU cache; only reduced levels are stored as a whole. Reuses its buffers; used by one
// thread.
class RowBlur {
 public:
  // Writes all samples of row y.
  using ReadRow = std::function<void(int y, int16_t* row)>;
  using WriteRow = std::function<void(int y, const int16_t* row)>;

  // Both get rows in ascending order. A row may be written where it was read. A plan with sigma 0 does
  // nothing.
  void apply(int width, int height, const BlurPlan& plan, const ReadRow& readRow, const WriteRow& writeRow);

 private:
  // Samples with zeros at both sides of each row.
  struct Field {
    int width = 0, height = 0;
    size_t step = 0;
    std::vector<int16_t> samples;

    void fit(int fieldWidth, int fieldHeight);
    int16_t* row(int y);
  };

  const int16_t* rowOrZero(Field& field, int y);
  // `rowAt(y)` returns row y with zeros beside it, `writeSums(y, rows, weights, taps)` gets what it is made
  // of.
  template <typename RowAt, typename WriteSums>
  void convolveRows(int width, int height, double sigma, const RowAt& rowAt, const WriteSums& writeSums);
  // `rowAt(y)` returns a row of the field that is halved, or zeros. Rows are read in ascending order.
  template <typename RowAt>
  void halve(int width, Field& to, const RowAt& rowAt);
  void doubleRow(int16_t* to, Field& from, int y);

  std::vector<Field> levels_;  // the reduced ones
  Field ring_, line_;          // rows between the steps of a level
  std::vector<int16_t> zeros_;
};

}  // namespace framewright
