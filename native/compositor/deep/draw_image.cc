#include "compositor/deep/draw_image.h"

#include <algorithm>
#include <cmath>

#include "kernels/resample.h"

namespace framewright {
namespace {

kernels::ConstFloatRow rowOfChannels(const std::array<std::vector<float>, 4>& channels, bool hasAlpha) {
  return {channels[0].data(), channels[1].data(), channels[2].data(),
          hasAlpha ? channels[3].data() : nullptr};
}

// Reads an image between its samples. Positions have sample centres at integers.
class BilinearReader {
 public:
  BilinearReader(const FloatImage& image, const SampleBounds& bounds) : image_(image), bounds_(bounds) {}

  void read(double x, double y, float* pixel) const {
    const double left =
        std::clamp(std::floor(x), static_cast<double>(bounds_.left), static_cast<double>(bounds_.right));
    const double top =
        std::clamp(std::floor(y), static_cast<double>(bounds_.top), static_cast<double>(bounds_.bottom));
    const int x0 = static_cast<int>(left), y0 = static_cast<int>(top);
    const int x1 = std::min(x0 + 1, bounds_.right), y1 = std::min(y0 + 1, bounds_.bottom);
    const auto across = static_cast<float>(std::clamp(x - left, 0.0, 1.0)),
               down = static_cast<float>(std::clamp(y - top, 0.0, 1.0));
    for (int channel = 0; channel < image_.channels(); ++channel) {
      const float *const upper = image_.row(channel, y0), *const lower = image_.row(channel, y1);
      const float above = upper[x0] + (upper[x1] - upper[x0]) * across;
      const float below = lower[x0] + (lower[x1] - lower[x0]) * across;
      pixel[channel] = above + (below - above) * down;
    }
  }

 private:
  const FloatImage& image_;
  const SampleBounds bounds_;
};

}  // namespace

void writeWeights(std::vector<float>& to, const std::vector<uint16_t>& from) {
  to.resize(from.size());
  for (size_t i = 0; i < from.size(); ++i) to[i] = static_cast<float>(from[i]) * kCoverageUnit;
}

Status DeepImageDrawer::draw(FloatImage& to, const DeepImage& image, const DeepPlacement& placement) {
  const auto sampling = planSampling(placement.crop, placement.toSurface, image.width(), image.height());
  if (!sampling) return {};
  return sampling->isAxisAligned ? drawAligned(to, image, placement, *sampling)
                                 : drawRotated(to, image, placement, *sampling);
}

Status DeepImageDrawer::begin(Sampler& sampler, const DeepImage& image, const DeepPlacement& placement,
                              const Affine& imageFromCanvas, int level, const RectCoverage& coverage) {
  int found = level;
  FW_ASSIGN_OR_RETURN(sampler.image, image.level(level, found));
  sampler.bounds = boundsOf(placement.crop, found, *sampler.image);
  const Affine map = filterMapping(PlaneGroup::kLuma, imageFromCanvas, 0, found);
  const AxisCoverage &columns = coverage.columns, &rows = coverage.rows;
  const SampleBounds& bounds = sampler.bounds;
  const auto x = copyOffset(map.xx, map.dx, columns.first, columns.count(), bounds.left, bounds.right);
  const auto y = copyOffset(map.yy, map.dy, rows.first, rows.count(), bounds.top, bounds.bottom);
  sampler.shift.reset();
  if (x && y) {
    sampler.shift = {*x, *y};
    return {};
  }
  AxisFilter across;
  buildAxisFilter(across, {map.xx, map.dx}, columns.first, columns.count(), bounds.left, bounds.right,
                  FilterKernel::kCatmullRom);
  buildAxisFilter(sampler.rows, {map.yy, map.dy}, rows.first, rows.count(), bounds.top, bounds.bottom,
                  FilterKernel::kCatmullRom);
  const auto count = static_cast<size_t>(across.count), taps = static_cast<size_t>(across.taps);
  const auto [low, high] = std::minmax_element(across.firsts.begin(), across.firsts.end());
  sampler.taps = across.taps;
  sampler.lineLeft = *low;
  sampler.lineLength = *high - *low + across.taps;
  for (int channel = 0; channel < sampler.image->channels(); ++channel)
    sampler.lines[static_cast<size_t>(channel)].resize(static_cast<size_t>(sampler.lineLength));
  sampler.pixels.resize(4 * static_cast<size_t>(sampler.lineLength));
  sampler.firsts.resize(count);
  sampler.weights.resize(count * taps);
  for (size_t i = 0; i < count; ++i) {
    sampler.firsts[i] = across.firsts[i] - *low;
    for (size_t t = 0; t < taps; ++t)
      sampler.weights[taps * i + t] = static_cast<float>(across.weights[i * taps + t]) / kernels::kUnitWeight;
  }
  for (int channel = 0; channel < sampler.image->channels(); ++channel)
    sampler.out[static_cast<size_t>(channel)].resize(count);
  return {};
}

// The image's pixels under the covered columns of row y.
kernels::ConstFloatRow DeepImageDrawer::rowOf(Sampler& sampler, int y, const RectCoverage& coverage) {
  const FloatImage& image = *sampler.image;
  if (sampler.shift) return image.at(coverage.columns.first + (*sampler.shift)[0], y + (*sampler.shift)[1]);
  const SampleBounds& bounds = sampler.bounds;
  const auto output = static_cast<size_t>(y - coverage.rows.first),
             taps = static_cast<size_t>(sampler.rows.taps);
  const int16_t* const weights = &sampler.rows.weights[output * taps];
  const int first = sampler.rows.firsts[output];
  // The columns of the line that are inside the image.
  const int left = std::clamp(sampler.lineLeft, bounds.left, bounds.right);
  const int right = std::clamp(sampler.lineLeft + sampler.lineLength - 1, bounds.left, bounds.right);
  const auto inside = static_cast<size_t>(right - left + 1);
  for (int channel = 0; channel < image.channels(); ++channel) {
    std::vector<float>& whole = sampler.lines[static_cast<size_t>(channel)];
    float* const line = whole.data() + (left - sampler.lineLeft);
    bool isFirst = true;
    for (size_t t = 0; t < taps; ++t) {
      if (weights[t] == 0) continue;
      const int source = std::clamp(first + static_cast<int>(t), bounds.top, bounds.bottom);
      const float weight = static_cast<float>(weights[t]) / kernels::kUnitWeight;
      (isFirst ? kernels::scaleFloats : kernels::addScaledFloats)(line, image.row(channel, source) + left,
                                                                  weight, inside);
      isFirst = false;
    }
    std::fill(whole.data(), line, line[0]);
    std::fill(line + inside, whole.data() + whole.size(), line[inside - 1]);
  }
  kernels::interleaveFloats(sampler.pixels.data(), rowOfChannels(sampler.lines, image.hasAlpha()),
                            static_cast<size_t>(sampler.lineLength));
  const kernels::FloatRow out{sampler.out[0].data(), sampler.out[1].data(), sampler.out[2].data(),
                              image.hasAlpha() ? sampler.out[3].data() : nullptr};
  kernels::filterPixels(out, sampler.pixels.data(), sampler.firsts.data(), sampler.weights.data(),
                        sampler.taps, sampler.firsts.size());
  return rowOfChannels(sampler.out, image.hasAlpha());
}

Status DeepImageDrawer::drawAligned(FloatImage& to, const DeepImage& image, const DeepPlacement& placement,
                                    const ImageSampling& sampling) {
  const Rect drawn = placement.extendsEdges
                         ? placement.window
                         : intersection(axisAlignedRect(placement.toSurface), placement.window);
  coverage_.cover(drawn, to.size(), PlaneGroup::kLuma);
  if (coverage_.empty()) return {};
  const bool isMixed = sampling.levels.towardsNext > 0;
  FW_RETURN_IF_ERROR(
      begin(samplers_[0], image, placement, sampling.imageFromCanvas, sampling.levels.level, coverage_));
  if (isMixed) {
    FW_RETURN_IF_ERROR(begin(samplers_[1], image, placement, sampling.imageFromCanvas,
                             sampling.levels.level + 1, coverage_));
  }
  const AxisCoverage &columns = coverage_.columns, &rows = coverage_.rows;
  const auto count = static_cast<size_t>(columns.count());
  writeWeights(weights_, columns.weights);
  const float* const weights = columns.isFull() ? nullptr : weights_.data();
  for (int y = rows.first; y < rows.end; ++y) {
    const float weight =
        static_cast<float>(placement.opacity) * static_cast<float>(rows.at(y)) * kCoverageUnit;
    kernels::ConstFloatRow row = rowOf(samplers_[0], y, coverage_);
    if (isMixed) {
      const kernels::ConstFloatRow coarse = rowOf(samplers_[1], y, coverage_);
      const float* const fine[4] = {row.r, row.g, row.b, row.a};
      const float* const next[4] = {coarse.r, coarse.g, coarse.b, coarse.a};
      for (size_t channel = 0; channel < (row.a == nullptr ? 3u : 4u); ++channel) {
        rows_[channel].assign(fine[channel], fine[channel] + count);
        kernels::lerpFloats(rows_[channel].data(), next[channel],
                            static_cast<float>(sampling.levels.towardsNext) * kCoverageUnit, count);
      }
      row = {rows_[0].data(), rows_[1].data(), rows_[2].data(), row.a == nullptr ? nullptr : rows_[3].data()};
    }
    kernels::overFloats(to.at(columns.first, y), row, weights, weight, count);
  }
  return {};
}

Status DeepImageDrawer::drawRotated(FloatImage& to, const DeepImage& image, const DeepPlacement& placement,
                                    const ImageSampling& sampling) {
  coverage_.cover(placement.window, to.size(), PlaneGroup::kLuma);
  if (coverage_.empty()) return {};
  const Affine shape = placement.extendsEdges ? unitSquareTo(placement.window) : placement.toSurface;
  const QuadCoverage quad(shape, PlaneGroup::kLuma);
  const int levels = sampling.levels.count();
  const auto towardsNext = static_cast<float>(sampling.levels.towardsNext) * kCoverageUnit;
  std::optional<BilinearReader> readers[2];
  Affine maps[2];
  for (int i = 0; i < levels; ++i) {
    int found = 0;
    FW_ASSIGN_OR_RETURN(const FloatImage* const level, image.level(sampling.levels.level + i, found));
    readers[i].emplace(*level, boundsOf(placement.crop, found, *level));
    maps[i] = planeMapping(PlaneGroup::kLuma, sampling.imageFromCanvas, 0, found);
  }
  const int channels = image.isOpaque() ? 3 : 4;
  const SampleRange range = quad.rows(coverage_.rows);
  for (int y = range.first; y < range.end; ++y) {
    const QuadCoverage::Span span = quad.span(y, coverage_.columns, coverage_.columns.first);
    if (span.empty()) continue;
    const auto count = static_cast<size_t>(span.end - span.first);
    weights_.resize(count);
    for (int channel = 0; channel < channels; ++channel) rows_[static_cast<size_t>(channel)].resize(count);
    const auto rowWeight = static_cast<float>(coverage_.rows.at(y)) * kCoverageUnit;
    for (int x = span.first; x < span.end; ++x) {
      const auto i = static_cast<size_t>(x - span.first);
      const bool isInside = x >= span.fullFirst && x < span.fullEnd;
      const auto covered = isInside ? 1.0f : static_cast<float>(quad.covered(x, y));
      weights_[i] = covered * rowWeight * static_cast<float>(coverage_.columns.at(x)) * kCoverageUnit;
      float pixels[2][4];
      for (int k = 0; k < levels; ++k) {
        const Affine& m = maps[k];
        readers[k]->read(m.xx * (x + 0.5) + m.xy * (y + 0.5) + m.dx - 0.5,
                         m.yx * (x + 0.5) + m.yy * (y + 0.5) + m.dy - 0.5, pixels[k]);
      }
      for (int channel = 0; channel < channels; ++channel) {
        const float fine = pixels[0][channel];
        rows_[static_cast<size_t>(channel)][i] =
            levels == 1 ? fine : fine + (pixels[1][channel] - fine) * towardsNext;
      }
    }
    const kernels::ConstFloatRow row{rows_[0].data(), rows_[1].data(), rows_[2].data(),
                                     channels == 4 ? rows_[3].data() : nullptr};
    kernels::overFloats(to.at(span.first, y), row, weights_.data(), static_cast<float>(placement.opacity),
                        count);
  }
  return {};
}

}  // namespace framewright
