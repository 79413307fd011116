#include "encoder_bench/ssim.h"

#include <utility>

namespace framewright {
namespace {

constexpr int kStep = 4;         // a window is two blocks of this size wide and high
constexpr int kSamples = 8 * 8;  // per window
constexpr double kPeak = 255;
constexpr double kMeanConstant = (0.01 * kPeak) * (0.01 * kPeak) / kSamples;
constexpr double kVarianceConstant = (0.03 * kPeak) * (0.03 * kPeak);

// Sums over the samples a and b of a block.
struct Moments {
  int a = 0, b = 0, squares = 0, product = 0;

  Moments& operator+=(const Moments& other) {
    a += other.a;
    b += other.b;
    squares += other.squares;
    product += other.product;
    return *this;
  }
};

Moments blockMoments(const uint8_t* a, ptrdiff_t strideA, const uint8_t* b, ptrdiff_t strideB) {
  Moments sums;
  for (int y = 0; y < kStep; ++y) {
    for (int x = 0; x < kStep; ++x) {
      const int left = a[y * strideA + x], right = b[y * strideB + x];
      sums += Moments{left, right, left * left + right * right, left * right};
    }
  }
  return sums;
}

// SSIM of a window, with unbiased variances (divided by 63, not 64).
double similarity(const Moments& window) {
  const double meanA = double(window.a) / kSamples, meanB = double(window.b) / kSamples;
  constexpr double kUnbiased = 1.0 / (kSamples - 1);
  const double variances = (window.squares - kSamples * (meanA * meanA + meanB * meanB)) * kUnbiased;
  const double covariance = (window.product - kSamples * meanA * meanB) * kUnbiased;
  return (2 * meanA * meanB + kMeanConstant) * (2 * covariance + kVarianceConstant) /
         ((meanA * meanA + meanB * meanB + kMeanConstant) * (variances + kVarianceConstant));
}

std::vector<Moments> rowOfBlocks(const Plane& a, const Plane& b, int row, int columns) {
  std::vector<Moments> blocks(static_cast<size_t>(columns));
  for (int i = 0; i < columns; ++i) {
    blocks[static_cast<size_t>(i)] = blockMoments(a.data + row * kStep * a.stride + i * kStep, a.stride,
                                                  b.data + row * kStep * b.stride + i * kStep, b.stride);
  }
  return blocks;
}

}  // namespace

double ssimOf(const Plane& a, const Plane& b) {
  const int columns = a.width / kStep, rows = a.height / kStep;
  if (columns < 2 || rows < 2) return 1;
  double sum = 0;
  std::vector<Moments> above = rowOfBlocks(a, b, 0, columns);
  for (int row = 1; row < rows; ++row) {
    std::vector<Moments> here = rowOfBlocks(a, b, row, columns);
    for (size_t i = 1; i < here.size(); ++i) {
      Moments window = above[i - 1];
      window += above[i];
      window += here[i - 1];
      window += here[i];
      sum += similarity(window);
    }
    above = std::move(here);
  }
  return sum / (double(columns - 1) * (rows - 1));
}

void SsimMeter::add(const Image& reference, const Image& decoded) {
  for (int i = 0; i < 3; ++i) sums_[static_cast<size_t>(i)] += ssimOf(reference.plane(i), decoded.plane(i));
  ++frames_;
}

std::array<double, 3> SsimMeter::planes() const {
  std::array<double, 3> means{};
  for (size_t i = 0; i < 3; ++i) means[i] = frames_ > 0 ? sums_[i] / static_cast<double>(frames_) : 1;
  return means;
}

double SsimMeter::all() const {
  const auto [y, u, v] = planes();
  return (4 * y + u + v) / 6;
}

}  // namespace framewright
