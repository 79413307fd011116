#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/image.h"

namespace framewright::x264 {

// Luma at half resolution, in blocks of 8x8 samples: one per 16x16 macroblock of the frame. The edges are
// extended by a margin, so that motion vectors may point partly outside.
class LowresFrame {
 public:
  static constexpr int kBlock = 8;    // block size in samples
  static constexpr int kMargin = 32;  // samples on each side

  using Memory = std::vector<uint8_t>;

  // Reads `luma` during the call only. `memory`: the buffer of an earlier frame, reused to avoid page faults.
  explicit LowresFrame(const Plane& luma, Memory memory = {});
  // Moves the buffer out; the frame must not be used afterwards.
  Memory takeMemory() { return std::move(samples_); }

  int columns() const { return columns_; }  // width in blocks
  int rows() const { return rows_; }        // height in blocks
  int blockCount() const { return columns_ * rows_; }
  ptrdiff_t stride() const { return stride_; }
  // Address of the sample at (x, y), which may lie in the margin.
  const uint8_t* at(int x, int y) const { return samples_.data() + (y + kMargin) * stride_ + x + kMargin; }
  // Intra cost of each block in raster order: SAD of the best intra prediction.
  const std::vector<uint16_t>& intraCosts() const { return intraCosts_; }
  // Sum of intraCosts().
  int64_t intraCost() const { return intraCost_; }

 private:
  uint8_t* row(int y) { return samples_.data() + (y + kMargin) * stride_ + kMargin; }
  void downscale(const Plane& luma);
  void extendEdges(int width, int height);
  int blockIntraCost(int column, int row) const;

  int columns_;
  int rows_;
  ptrdiff_t stride_;
  Memory samples_;
  std::vector<uint16_t> intraCosts_;
  int64_t intraCost_ = 0;
};

}  // namespace framewright::x264
