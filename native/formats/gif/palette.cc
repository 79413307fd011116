#include "formats/gif/palette.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace framewright::gif {
namespace {

constexpr int kUpperBits = 7;
// More colors than this are merged: the time to choose some grows with them.
constexpr size_t kMaxSamples = 200'000;
// A color that makes up this share of the pixels that one of the palette stands for is shown exactly.
constexpr double kDominantShare = 0.3;
constexpr int kRefinements = 6;

struct Sample {
  Sample(float r, float g, float b, float pixels)
      : at(perceived(r, g, b)), weight(pixels), red(r), green(g), blue(b) {}

  Perceived at;
  float weight;
  float red, green, blue;
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
  const Sample* heaviest = nullptr;
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
    if (sum.heaviest == nullptr || sample.weight > sum.heaviest->weight) sum.heaviest = &sample;
  }
  return sums;
}

Color colorOf(const CenterSum& sum) {
  const auto byte = [](double value) { return static_cast<uint8_t>(std::lround(value)); };
  const Sample& heaviest = *sum.heaviest;
  if (heaviest.weight >= kDominantShare * sum.weight)
    return {byte(heaviest.red), byte(heaviest.green), byte(heaviest.blue), 255};
  return {byte(sum.red / sum.weight), byte(sum.green / sum.weight), byte(sum.blue / sum.weight), 255};
}

// Merges samples whose channels have the same upper `bits` into one of their mean color.
std::vector<Sample> merged(const std::vector<Sample>& samples, int bits) {
  std::vector<CenterSum> cells(size_t{1} << (3 * bits));
  for (const Sample& sample : samples) {
    size_t cell = 0;
    for (const float value : {sample.red, sample.green, sample.blue})
      cell = cell << bits | static_cast<size_t>(value) >> (8 - bits);
    CenterSum& sum = cells[cell];
    sum.weight += sample.weight;
    sum.red += sample.weight * sample.red;
    sum.green += sample.weight * sample.green;
    sum.blue += sample.weight * sample.blue;
  }
  std::vector<Sample> result;
  for (const CenterSum& sum : cells) {
    if (sum.weight <= 0) continue;
    const auto mean = [&](double total) { return static_cast<float>(total / sum.weight); };
    result.emplace_back(mean(sum.red), mean(sum.green), mean(sum.blue), static_cast<float>(sum.weight));
  }
  return result;
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
  constexpr float kLumaWeight = 1.6f, kBlueWeight = 0.6f, kRedWeight = 0.7f;
  return {kLumaWeight * luma, kBlueWeight * (blue - luma), kRedWeight * (red - luma)};
}

PaletteBuilder::PaletteBuilder() : placeOf_(size_t{1} << (3 * kUpperBits)) {}

void PaletteBuilder::add(const Image& image) {
  const Plane& plane = image.plane(0);
  for (int y = 0; y < plane.height; ++y) {
    const uint8_t* pixel = plane.data + y * plane.stride;
    for (int x = 0; x < plane.width; ++x, pixel += 4) {
      if (pixel[3] < kOpaqueAlpha) continue;
      const uint32_t upper = static_cast<uint32_t>(pixel[0] >> 1) << (2 * kUpperBits) |
                             static_cast<uint32_t>(pixel[1] >> 1) << kUpperBits | pixel[2] >> 1;
      uint32_t& place = placeOf_[upper];
      if (place == 0) {
        counts_.push_back({});
        upperBits_.push_back(upper);
        place = static_cast<uint32_t>(counts_.size());
      }
      const size_t lower = static_cast<size_t>((pixel[0] & 1) << 2 | (pixel[1] & 1) << 1 | (pixel[2] & 1));
      uint32_t& count = counts_[place - 1][lower];
      if (count != std::numeric_limits<uint32_t>::max()) ++count;
    }
  }
}

std::vector<Color> PaletteBuilder::build(size_t maxColors) const {
  constexpr uint32_t kMask = (1 << kUpperBits) - 1;
  std::vector<Sample> samples;
  for (size_t place = 0; place < counts_.size(); ++place) {
    const uint32_t upper = upperBits_[place];
    for (uint32_t lower = 0; lower < 8; ++lower) {
      if (counts_[place][lower] == 0) continue;
      samples.emplace_back(static_cast<float>((upper >> (2 * kUpperBits)) << 1 | lower >> 2),
                           static_cast<float>((upper >> kUpperBits & kMask) << 1 | (lower >> 1 & 1)),
                           static_cast<float>((upper & kMask) << 1 | (lower & 1)),
                           static_cast<float>(counts_[place][lower]));
    }
  }
  for (int bits = kUpperBits; samples.size() > kMaxSamples; --bits) samples = merged(samples, bits);
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
    if (sum.weight > 0) colors.push_back(colorOf(sum));
  }
  return colors;
}

}  // namespace framewright::gif
