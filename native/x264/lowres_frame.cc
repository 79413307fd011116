#include "x264/lowres_frame.h"

#include <algorithm>
#include <cstring>

#include "kernels/block_difference.h"
#include "kernels/resample.h"

namespace framewright::x264 {
namespace {

constexpr int kMacroblock = 2 * LowresFrame::kBlock;

// Cost of signalling the block mode, in SAD units.
constexpr int kModeCost = 5;

int blocksOf(int samples) { return (samples + kMacroblock - 1) / kMacroblock; }

}  // namespace

LowresFrame::LowresFrame(const Plane& luma, Memory memory)
    : columns_(blocksOf(luma.width)),
      rows_(blocksOf(luma.height)),
      stride_(ptrdiff_t{columns_} * kBlock + 2 * kMargin),
      samples_(std::move(memory)),
      intraCosts_(static_cast<size_t>(blockCount())) {
  samples_.resize(static_cast<size_t>(stride_) * static_cast<size_t>(rows_ * kBlock + 2 * kMargin));
  downscale(luma);
  size_t index = 0;
  for (int y = 0; y < rows_; ++y)
    for (int x = 0; x < columns_; ++x) {
      const int cost = blockIntraCost(x, y);
      intraCosts_[index++] = static_cast<uint16_t>(cost);
      intraCost_ += cost;
    }
}

void LowresFrame::downscale(const Plane& luma) {
  const int width = std::max(1, luma.width / 2);
  const int height = (luma.height + 1) / 2;
  for (int y = 0; y < height; ++y) {
    const uint8_t* top = luma.data + ptrdiff_t{2} * y * luma.stride;
    const uint8_t* bottom = 2 * y + 1 < luma.height ? top + luma.stride : top;
    if (luma.width > 1) {
      kernels::halveRows(row(y), top, bottom, static_cast<size_t>(width));
    } else {
      *row(y) = *top;
    }
  }
  extendEdges(width, height);
}

void LowresFrame::extendEdges(int width, int height) {
  for (int y = 0; y < height; ++y) {
    std::memset(row(y) - kMargin, *row(y), kMargin);
    std::memset(row(y) + width, row(y)[width - 1], static_cast<size_t>(stride_ - kMargin - width));
  }
  const auto bytes = static_cast<size_t>(stride_);
  for (int y = -kMargin; y < 0; ++y) std::memcpy(row(y) - kMargin, row(0) - kMargin, bytes);
  for (int y = height; y < rows_ * kBlock + kMargin; ++y)
    std::memcpy(row(y) - kMargin, row(height - 1) - kMargin, bytes);
}

// The best of four predictions from the neighbouring samples: DC, vertical, horizontal, and the mean of the
// last two.
int LowresFrame::blockIntraCost(int column, int row) const {
  const uint8_t* first = at(column * kBlock, row * kBlock);
  const uint8_t* above = first - stride_;
  uint8_t mean[kBlock * kBlock], left[kBlock * kBlock];
  int sum = kBlock;
  for (int i = 0; i < kBlock; ++i) {
    const uint8_t sample = first[i * stride_ - 1];
    std::memset(left + i * kBlock, sample, kBlock);
    sum += above[i] + sample;
  }
  std::memset(mean, sum / (2 * kBlock), sizeof(mean));
  uint8_t down[kBlock * kBlock];
  for (int i = 0; i < kBlock; ++i) std::memcpy(down + i * kBlock, above, kBlock);
  const kernels::BlockRows block{first, stride_};
  const int best = std::min({kernels::blockDifference(block, kernels::BlockRows{mean, kBlock}),
                             kernels::blockDifference(block, kernels::BlockRows{down, kBlock}),
                             kernels::blockDifference(block, kernels::BlockRows{left, kBlock}),
                             kernels::blockDifference(block, kernels::BlockPair{down, left, kBlock})});
  return best + kModeCost;
}

}  // namespace framewright::x264
