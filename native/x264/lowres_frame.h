#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/image.h"

namespace framewright {

// A picture's luma at half its size, in blocks of 8 x 8 samples: one for each macroblock of 16 x 16. Around
// it its edges go on, so that blocks may be compared with what lies partly outside.
class SmallPicture {
 public:
  static constexpr int kBlock = 8;
  static constexpr int kMargin = 32;  // samples on each side

  using Memory = std::vector<uint8_t>;

  // Reads `luma` and keeps nothing of it. `memory`: of an earlier one, so that no pages are fetched anew.
  explicit SmallPicture(const Plane& luma, Memory memory = {});
  // Nothing else is done with the picture from here on.
  Memory takeMemory() { return std::move(samples_); }

  int columns() const { return columns_; }  // of blocks
  int rows() const { return rows_; }
  int blocks() const { return columns_ * rows_; }
  ptrdiff_t stride() const { return stride_; }
  // Of the sample at (x, y), which may lie in the margin.
  const uint8_t* at(int x, int y) const { return samples_.data() + (y + kMargin) * stride_ + x + kMargin; }
  // What coding each block from its neighbours in the picture would leave: sums of absolute differences.
  const std::vector<uint16_t>& ownCosts() const { return ownCosts_; }
  int64_t ownCost() const { return ownCost_; }  // of all

 private:
  uint8_t* row(int y) { return samples_.data() + (y + kMargin) * stride_ + kMargin; }
  void halve(const Plane& luma);
  void extend(int width, int height);
  int ownCostOf(int column, int row) const;

  int columns_;
  int rows_;
  ptrdiff_t stride_;
  Memory samples_;
  std::vector<uint16_t> ownCosts_;
  int64_t ownCost_ = 0;
};

}  // namespace framewright
