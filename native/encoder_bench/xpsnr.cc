#include "encoder_bench/xpsnr.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "encoder_bench/squared_error.h"

namespace framewright {
namespace {

constexpr double kUhdSamples = 3840.0 * 2160.0;
constexpr int kSamplesAboveHd = 2048 * 1152;
constexpr int kSamplesSmoothed = 640 * 480;
constexpr double kSecondOrderFps = 32;
constexpr double kTemporalShare = 2;
constexpr double kMinActivity = 4;       // 2^(bits - 6)
constexpr double kFrameActivity = 2048;  // 2^(2 bits - 9) for 8 bits, times 16 for the filter's gain of 4
constexpr double kSmallestRatio = 0.00001;

// One sample, or the sum of 2x2 samples.
int sampleAt(const Plane& plane, int x, int y, int side) {
  const uint8_t* at = plane.data + y * plane.stride + x;
  return side == 1 ? at[0] : at[0] + at[1] + at[plane.stride] + at[plane.stride + 1];
}

int highPass(const Plane& plane, int x, int y) {
  const uint8_t* at = plane.data + y * plane.stride + x;
  const uint8_t *above = at - plane.stride, *below = at + plane.stride;
  return 12 * at[0] - 2 * (at[-1] + at[1] + above[0] + below[0]) -
         (above[-1] + above[1] + below[-1] + below[1]);
}

// High-pass on 2x2 sums: 6x6 samples without the corners, with a coefficient sum of 0.
int highPassOfFour(const Plane& plane, int x, int y) {
  static constexpr int kFactors[6][6] = {{0, -1, -1, -1, -1, 0},   {-1, -2, -3, -3, -2, -1},
                                         {-1, -3, 12, 12, -3, -1}, {-1, -3, 12, 12, -3, -1},
                                         {-1, -2, -3, -3, -2, -1}, {0, -1, -1, -1, -1, 0}};
  int sum = 0;
  for (int row = 0; row < 6; ++row) {
    const uint8_t* at = plane.data + (y + row - 2) * plane.stride + x - 2;
    for (int column = 0; column < 6; ++column) sum += kFactors[row][column] * at[column];
  }
  return sum;
}

int blockSizeFor(int width, int height) {
  return 4 * static_cast<int>(32 * std::sqrt(double(width) * height / kUhdSamples) + 0.5);
}

}  // namespace

XpsnrMeter::XpsnrMeter(int width, int height, double framesPerSecond)
    : width_(width),
      height_(height),
      block_(blockSizeFor(width, height)),
      columns_(block_ > 0 ? (width + block_ - 1) / block_ : 0),
      rows_(block_ > 0 ? (height + block_ - 1) / block_ : 0),
      secondOrder_(framesPerSecond >= kSecondOrderFps) {
  const double ratio = std::max(kSmallestRatio, double(width) * height / kUhdSamples);
  frameWeight_ = std::sqrt(kFrameActivity / std::sqrt(ratio));
}

double XpsnrMeter::activity(const Plane& reference, const Plane* before, const Plane* beforeThat,
                            Block block) const {
  const int side = width_ * height_ > kSamplesAboveHd ? 2 : 1;
  const int left = block.x > 0 ? block.x : side, top = block.y > 0 ? block.y : side;
  const int right = std::min(block.x + block.width, width_ - side);
  const int bottom = std::min(block.y + block.height, height_ - side);
  if (right <= left || bottom <= top) return 1;
  int64_t spatial = 0, temporal = 0;
  for (int y = top; y < bottom; y += side)
    for (int x = left; x < right; x += side)
      spatial += std::abs(side == 1 ? highPass(reference, x, y) : highPassOfFour(reference, x, y));
  for (int y = block.y; y < block.y + block.height; y += side) {
    for (int x = block.x; x < block.x + block.width; x += side) {
      const int now = sampleAt(reference, x, y, side);
      const int then = before == nullptr ? 0 : sampleAt(*before, x, y, side);
      const int earlier = beforeThat == nullptr ? 0 : sampleAt(*beforeThat, x, y, side);
      temporal += std::abs(secondOrder_ ? now - 2 * then + earlier : now - then);
    }
  }
  const double found = double(spatial) / (double(right - left) * (bottom - top)) +
                       kTemporalShare * double(temporal) / (double(block.width) * block.height);
  return std::max(kMinActivity, found);
}

void XpsnrMeter::limitByNeighbours(std::vector<double>& weights) const {
  if (columns_ * rows_ < 2) return;
  for (int row = 0; row < rows_; ++row) {
    for (int column = 0; column < columns_; ++column) {
      const auto at = static_cast<size_t>(row * columns_ + column);
      double max = 0;
      if (column > 0) max = std::max(max, weights[at - 1]);
      if (column + 1 < columns_) max = std::max(max, weights[at + 1]);
      if (row > 0) max = std::max(max, weights[at - static_cast<size_t>(columns_)]);
      if (max > 0) weights[at] = std::min(weights[at], max);
    }
  }
}

std::vector<double> XpsnrMeter::weights(const Plane& reference, const Plane* before,
                                        const Plane* beforeThat) const {
  std::vector<double> weights;
  for (int y = 0; y < height_ && block_ > 0; y += block_) {
    for (int x = 0; x < width_; x += block_) {
      const Block block{x, y, std::min(block_, width_ - x), std::min(block_, height_ - y)};
      weights.push_back(1 / activity(reference, before, beforeThat, block));
    }
  }
  if (width_ * height_ <= kSamplesSmoothed) limitByNeighbours(weights);
  for (double& weight : weights) weight *= frameWeight_;
  return weights;
}

void XpsnrMeter::add(const ImagePtr& reference, const Image& decoded) {
  const auto luma = [](const ImagePtr& image) { return image == nullptr ? nullptr : &image->plane(0); };
  const std::vector<double> weight = weights(reference->plane(0), luma(before_), luma(beforeThat_));
  for (int i = 0; i < 3; ++i) {
    const Plane &original = reference->plane(i), &distorted = decoded.plane(i);
    const int side = i == 0 ? block_ : block_ / 2;
    double error = 0;
    size_t at = 0;
    for (int y = 0; y < original.height && side > 0; y += side)
      for (int x = 0; x < original.width; x += side)
        error += weight[at++] * static_cast<double>(squaredError(original, distorted, x, y,
                                                                 std::min(side, original.width - x),
                                                                 std::min(side, original.height - y)));
    // Too small for blocks: unweighted error.
    if (side == 0) error = static_cast<double>(squaredError(original, distorted));
    roots_[static_cast<size_t>(i)] += std::sqrt(error);
    samples_[static_cast<size_t>(i)] = double(original.width) * original.height;
  }
  ++frames_;
  beforeThat_ = before_;
  before_ = reference;
}

std::array<double, 3> XpsnrMeter::planes() const {
  std::array<double, 3> ratios{};
  for (size_t i = 0; i < 3; ++i) {
    const double root = frames_ > 0 ? roots_[i] / static_cast<double>(frames_) : 0;
    ratios[i] = peakRatio(samples_[i] > 0 ? root * root / samples_[i] : 0);
  }
  return ratios;
}

}  // namespace framewright
