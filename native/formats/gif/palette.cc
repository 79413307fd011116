#include "formats/gif/palette.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace framewright::gif {
namespace {

constexpr int kBinBits = 6;
constexpr int kBinShift = 8 - kBinBits;
constexpr int kRefinements = 6;

struct Sample {
  Perceived at{};
  float weight = 0;
  float red = 0, green = 0, blue = 0;
};

// A range of samples that becomes one color.
struct Cell {
  size_t first = 0, end = 0;
  double variance = 0;  // summed over the samples
  int axis = 0;         // of the largest variance
};

Cell measured(const std::vector<Sample>& samples, size_t first, size_t end) {
  double weight = 0, sum[3] = {}, squares[3] = {};
  for (size_t i = first; i < end; ++i) {
    const Sample& sample = samples[i];
    weight += sample.weight;
    for (size_t k = 0; k < 3; ++k) {
      sum[k] += sample.weight * sample.at[k];
      squares[k] += static_cast<double>(sample.weight) * sample.at[k] * sample.at[k];
    }
  }
  Cell cell{first, end};
  double largest = -1;
  for (int k = 0; k < 3; ++k) {
    const double variance = std::max(0.0, squares[k] - sum[k] * sum[k] / weight);
    cell.variance += variance;
    if (variance > largest) largest = variance, cell.axis = k;
  }
  return cell;
}

// Splits where the sum of both variances along the axis is least.
size_t splitPoint(std::vector<Sample>& samples, const Cell& cell) {
  const auto axis = static_cast<size_t>(cell.axis);
  const auto begin = samples.begin() + static_cast<ptrdiff_t>(cell.first),
             end = samples.begin() + static_cast<ptrdiff_t>(cell.end);
  std::sort(begin, end, [&](const Sample& a, const Sample& b) { return a.at[axis] < b.at[axis]; });
  double weight = 0, sum = 0;
  for (auto sample = begin; sample != end; ++sample) {
    weight += sample->weight;
    sum += sample->weight * sample->at[axis];
  }
  double best = -1, left = 0, leftSum = 0;
  size_t split = cell.first + 1;
  for (size_t i = cell.first; i + 1 < cell.end; ++i) {
    left += samples[i].weight;
    leftSum += samples[i].weight * samples[i].at[axis];
    const double gain = leftSum * leftSum / left + (sum - leftSum) * (sum - leftSum) / (weight - left);
    if (gain > best) best = gain, split = i + 1;
  }
  return split;
}

std::vector<Perceived> cutCenters(std::vector<Sample>& samples, size_t maxColors) {
  std::vector<Cell> cells{measured(samples, 0, samples.size())};
  while (cells.size() < maxColors) {
    const auto largest = std::max_element(
        cells.begin(), cells.end(), [](const Cell& a, const Cell& b) { return a.variance < b.variance; });
    if (largest->variance <= 0 || largest->end - largest->first < 2) break;
    const Cell cell = *largest;
    const size_t split = splitPoint(samples, cell);
    *largest = measured(samples, cell.first, split);
    cells.push_back(measured(samples, split, cell.end));
  }
  std::vector<Perceived> centers;
  for (const Cell& cell : cells) {
    Perceived center{};
    float weight = 0;
    for (size_t i = cell.first; i < cell.end; ++i) {
      weight += samples[i].weight;
      for (size_t k = 0; k < 3; ++k) center[k] += samples[i].weight * samples[i].at[k];
    }
    for (float& value : center) value /= weight;
    centers.push_back(center);
  }
  return centers;
}

struct CenterSum {
  Perceived at{};
  double weight = 0, red = 0, green = 0, blue = 0;
};

std::vector<CenterSum> assign(const std::vector<Sample>& samples, const std::vector<Perceived>& centers) {
  std::vector<CenterSum> sums(centers.size());
  for (const Sample& sample : samples) {
    CenterSum& sum = sums[nearestColor(centers, sample.at)];
    sum.weight += sample.weight;
    sum.red += sample.weight * sample.red;
    sum.green += sample.weight * sample.green;
    sum.blue += sample.weight * sample.blue;
    for (size_t k = 0; k < 3; ++k) sum.at[k] += sample.weight * sample.at[k];
  }
  return sums;
}

}  // namespace

size_t nearestColor(const std::vector<Perceived>& colors, const Perceived& at) {
  size_t best = 0;
  float distance = std::numeric_limits<float>::max();
  for (size_t i = 0; i < colors.size(); ++i) {
    const float d = squaredDistance(colors[i], at);
    if (d < distance) distance = d, best = i;
  }
  return best;
}

Perceived perceived(float red, float green, float blue) {
  const float luma = 0.299f * red + 0.587f * green + 0.114f * blue;
  constexpr float kLumaWeight = 1.2f, kBlueWeight = 0.6f, kRedWeight = 0.7f;
  return {kLumaWeight * luma, kBlueWeight * (blue - luma), kRedWeight * (red - luma)};
}

PaletteBuilder::PaletteBuilder() : bins_(size_t{1} << (3 * kBinBits)) {}

void PaletteBuilder::add(const Image& image) {
  const Plane& plane = image.plane(0);
  for (int y = 0; y < plane.height; ++y) {
    const uint8_t* pixel = plane.data + y * plane.stride;
    for (int x = 0; x < plane.width; ++x, pixel += 4) {
      if (pixel[3] < kOpaqueAlpha) continue;
      const size_t index = static_cast<size_t>(pixel[0] >> kBinShift) << (2 * kBinBits) |
                           static_cast<size_t>(pixel[1] >> kBinShift) << kBinBits |
                           static_cast<size_t>(pixel[2] >> kBinShift);
      Bin& bin = bins_[index];
      if (bin.count == std::numeric_limits<uint32_t>::max()) continue;
      ++bin.count;
      bin.red += pixel[0], bin.green += pixel[1], bin.blue += pixel[2];
    }
  }
}

std::vector<Color> PaletteBuilder::build(size_t maxColors) const {
  std::vector<Sample> samples;
  for (const Bin& bin : bins_) {
    if (bin.count == 0) continue;
    const auto count = static_cast<float>(bin.count);
    Sample sample;
    sample.red = static_cast<float>(bin.red) / count;
    sample.green = static_cast<float>(bin.green) / count;
    sample.blue = static_cast<float>(bin.blue) / count;
    sample.at = perceived(sample.red, sample.green, sample.blue);
    sample.weight = count;
    samples.push_back(sample);
  }
  if (samples.empty()) return {Color{}};
  std::vector<Perceived> centers = cutCenters(samples, maxColors);
  std::vector<CenterSum> sums = assign(samples, centers);
  for (int k = 0; k < kRefinements; ++k) {
    for (size_t i = 0; i < centers.size(); ++i) {
      if (sums[i].weight <= 0) continue;
      for (size_t axis = 0; axis < 3; ++axis)
        centers[i][axis] = sums[i].at[axis] / static_cast<float>(sums[i].weight);
    }
    sums = assign(samples, centers);
  }
  std::vector<Color> colors;
  for (const CenterSum& sum : sums) {
    if (sum.weight <= 0) continue;
    const auto byte = [&](double total) { return static_cast<uint8_t>(std::lround(total / sum.weight)); };
    colors.push_back({byte(sum.red), byte(sum.green), byte(sum.blue), 255});
  }
  return colors;
}

}  // namespace framewright::gif
