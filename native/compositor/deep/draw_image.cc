#include "compositor/deep/draw_image.h"

#include <algorithm>
#include <cmath>

#include "kernels/deep/float_samples.h"
#include "kernels/resample.h"

namespace framewright {
namespace {

kernels::FloatRow rowOfChannels(std::array<std::vector<float>, 4>& channels, bool hasAlpha) {
  return {channels[0].data(), channels[1].data(), channels[2].data(),
          hasAlpha ? channels[3].data() : nullptr};
}

}  // namespace

void writeWeights(std::vector<float>& to, const std::vector<uint16_t>& from) {
  to.resize(from.size());
  for (size_t i = 0; i < from.size(); ++i) to[i] = static_cast<float>(from[i]) * kCoverageUnit;
}

Status DeepImageDrawer::draw(FloatImage& to, const DeepImage& image, const DeepPlacement& placement) {
  FW_RETURN_IF_ERROR(begin(to.size(), image, placement));
  for (int y = range_.first; y < range_.end; ++y) drawRow(y, to.at(0, y));
  return {};
}

Status DeepImageDrawer::begin(const CanvasSize& size, const DeepImage& image,
                              const DeepPlacement& placement) {
  range_ = {0, 0};
  const auto sampling = planSampling(placement.crop, placement.toSurface, image.width(), image.height());
  if (!sampling) return {};
  isAligned_ = sampling->isAxisAligned;
  levels_ = sampling->levels.count();
  towardsNext_ = static_cast<float>(sampling->levels.towardsNext) * kCoverageUnit;
  opacity_ = static_cast<float>(placement.opacity);
  const bool isWhole = placement.extendsEdges || !isAligned_;
  coverage_.cover(
      isWhole ? placement.window : intersection(axisAlignedRect(placement.toSurface), placement.window), size,
      PlaneGroup::kLuma);
  if (coverage_.empty()) return {};
  for (int i = 0; i < levels_; ++i) {
    int found = 0;
    Sampler& sampler = samplers_[i];
    FW_ASSIGN_OR_RETURN(sampler.image, image.level(sampling->levels.level + i, found));
    sampler.bounds = boundsOf(placement.crop, found, *sampler.image);
    sampler.map = planeMapping(PlaneGroup::kLuma, sampling->imageFromCanvas, 0, found);
    if (isAligned_)
      beginAligned(sampler, filterMapping(PlaneGroup::kLuma, sampling->imageFromCanvas, 0, found),
                   placement.kernel, coverage_);
  }
  range_ = {coverage_.rows.first, coverage_.rows.end};
  if (isAligned_) {
    writeWeights(weights_, coverage_.columns.weights);
    return {};
  }
  quad_ = QuadCoverage(placement.extendsEdges ? unitSquareTo(placement.window) : placement.toSurface,
                       PlaneGroup::kLuma);
  range_ = quad_.rows(coverage_.rows);
  return {};
}

void DeepImageDrawer::drawRow(int y, const kernels::FloatRow& to) {
  if (y < range_.first || y >= range_.end) return;
  (this->*(isAligned_ ? &DeepImageDrawer::drawAlignedRow : &DeepImageDrawer::drawRotatedRow))(y, to);
}

void DeepImageDrawer::beginAligned(Sampler& sampler, const Affine& map, FilterKernel kernel,
                                   const RectCoverage& coverage) {
  const AxisCoverage &columns = coverage.columns, &rows = coverage.rows;
  const SampleBounds& bounds = sampler.bounds;
  const auto x = copyOffset(map.xx, map.dx, columns.first, columns.count(), bounds.left, bounds.right);
  const auto y = copyOffset(map.yy, map.dy, rows.first, rows.count(), bounds.top, bounds.bottom);
  sampler.shift.reset();
  if (x && y) {
    sampler.shift = {*x, *y};
    return;
  }
  AxisFilter across;
  buildAxisFilter(across, {map.xx, map.dx}, columns.first, columns.count(), bounds.left, bounds.right,
                  kernel);
  buildAxisFilter(sampler.rows, {map.yy, map.dy}, rows.first, rows.count(), bounds.top, bounds.bottom,
                  kernel);
  const auto count = static_cast<size_t>(across.count), taps = static_cast<size_t>(across.taps);
  const auto [low, high] = std::minmax_element(across.firsts.begin(), across.firsts.end());
  sampler.taps = across.taps;
  sampler.lineLeft = *low;
  sampler.lineLength = *high - *low + across.taps;
  for (int channel = 0; channel < sampler.image->channels(); ++channel)
    sampler.lines[static_cast<size_t>(channel)].resize(static_cast<size_t>(sampler.lineLength) +
                                                       kernels::kFilterReach);
  sampler.firsts.resize(count);
  sampler.weights.resize(count * taps);
  for (size_t i = 0; i < count; ++i) {
    sampler.firsts[i] = across.firsts[i] - *low;
    for (size_t t = 0; t < taps; ++t)
      sampler.weights[count * t + i] =
          static_cast<float>(across.weights[i * taps + t]) / kernels::kUnitWeight;
  }
  for (int channel = 0; channel < sampler.image->channels(); ++channel)
    sampler.out[static_cast<size_t>(channel)].resize(count);
}

// The image's pixels under the covered columns of row y.
kernels::ConstFloatRow DeepImageDrawer::rowOf(Sampler& sampler, int y) const {
  const FloatImage& image = *sampler.image;
  if (sampler.shift) return image.at(coverage_.columns.first + (*sampler.shift)[0], y + (*sampler.shift)[1]);
  const SampleBounds& bounds = sampler.bounds;
  const auto output = static_cast<size_t>(y - coverage_.rows.first),
             taps = static_cast<size_t>(sampler.rows.taps);
  const int16_t* const weights = &sampler.rows.weights[output * taps];
  const int first = sampler.rows.firsts[output];
  // The columns of the line that are inside the image.
  const int left = std::clamp(sampler.lineLeft, bounds.left, bounds.right);
  const int right = std::clamp(sampler.lineLeft + sampler.lineLength - 1, bounds.left, bounds.right);
  const auto inside = static_cast<size_t>(right - left + 1);
  std::vector<const float*> tapRows(taps);
  std::vector<float> tapWeights(taps);
  for (size_t t = 0; t < taps; ++t) tapWeights[t] = static_cast<float>(weights[t]) / kernels::kUnitWeight;
  // A line beside the image has its edge only.
  const int firstInside = std::clamp(left - sampler.lineLeft, 0, sampler.lineLength - 1);
  for (int channel = 0; channel < image.channels(); ++channel) {
    std::vector<float>& whole = sampler.lines[static_cast<size_t>(channel)];
    float* const line = whole.data() + firstInside;
    for (size_t t = 0; t < taps; ++t)
      tapRows[t] =
          image.row(channel, std::clamp(first + static_cast<int>(t), bounds.top, bounds.bottom)) + left;
    kernels::sumFloats(line, tapRows.data(), tapWeights.data(), taps, inside);
    std::fill(whole.data(), line, line[0]);
    std::fill(line + inside, whole.data() + sampler.lineLength, line[inside - 1]);
    kernels::filterFloats(sampler.out[static_cast<size_t>(channel)].data(), whole.data(),
                          sampler.firsts.data(), sampler.weights.data(), static_cast<size_t>(sampler.taps),
                          sampler.firsts.size());
  }
  const kernels::FloatRow out = rowOfChannels(sampler.out, image.hasAlpha());
  if (image.hasAlpha()) kernels::limitPremultiplied(out, scale_, sampler.firsts.size());
  return out;
}

kernels::ConstFloatRow DeepImageDrawer::mixed(const kernels::ConstFloatRow& fine,
                                              const kernels::ConstFloatRow& coarse, size_t count) {
  const float* const from[4] = {fine.r, fine.g, fine.b, fine.a};
  const float* const next[4] = {coarse.r, coarse.g, coarse.b, coarse.a};
  for (size_t channel = 0; channel < (fine.a == nullptr ? 3u : 4u); ++channel) {
    rows_[channel].resize(count);
    std::copy_n(from[channel], count, rows_[channel].data());
    kernels::lerpFloats(rows_[channel].data(), next[channel], towardsNext_, count);
  }
  return rowOfChannels(rows_, fine.a != nullptr);
}

void DeepImageDrawer::drawAlignedRow(int y, const kernels::FloatRow& to) {
  const AxisCoverage& columns = coverage_.columns;
  const auto count = static_cast<size_t>(columns.count());
  kernels::ConstFloatRow row = rowOf(samplers_[0], y);
  if (levels_ > 1) row = mixed(row, rowOf(samplers_[1], y), count);
  kernels::overFloats(kernels::fromColumn(to, columns.first), row,
                      columns.isFull() ? nullptr : weights_.data(),
                      opacity_ * static_cast<float>(coverage_.rows.at(y)) * kCoverageUnit, count);
}

void DeepImageDrawer::drawRotatedRow(int y, const kernels::FloatRow& to) {
  const QuadCoverage::Span span = quad_.span(y, coverage_.columns, coverage_.columns.first);
  if (span.empty()) return;
  const auto count = static_cast<size_t>(span.end - span.first);
  const auto rowWeight = static_cast<float>(coverage_.rows.at(y)) * kCoverageUnit;
  weights_.resize(count);
  for (int x = span.first; x < span.end; ++x) {
    const bool isInside = x >= span.fullFirst && x < span.fullEnd;
    const auto covered = isInside ? 1.0f : static_cast<float>(quad_.covered(x, y));
    weights_[static_cast<size_t>(x - span.first)] =
        covered * rowWeight * static_cast<float>(coverage_.columns.at(x)) * kCoverageUnit;
  }
  const bool hasAlpha = samplers_[0].image->hasAlpha();
  for (int i = 0; i < levels_; ++i) {
    Sampler& sampler = samplers_[i];
    const FloatImage& image = *sampler.image;
    const Affine& m = sampler.map;
    const double left = span.first + 0.5, middle = y + 0.5;
    const kernels::FloatWalk walk{m.xx * left + m.xy * middle + m.dx - 0.5,
                                  m.yx * left + m.yy * middle + m.dy - 0.5, m.xx, m.yx};
    for (int channel = 0; channel < image.channels(); ++channel) {
      std::vector<float>& out = sampler.out[static_cast<size_t>(channel)];
      out.resize(count);
      kernels::sampleFloats(out.data(),
                            {image.row(channel, 0), image.stride(), sampler.bounds.left, sampler.bounds.top,
                             sampler.bounds.right, sampler.bounds.bottom},
                            walk, count);
    }
  }
  kernels::ConstFloatRow row = rowOfChannels(samplers_[0].out, hasAlpha);
  if (levels_ > 1) row = mixed(row, rowOfChannels(samplers_[1].out, hasAlpha), count);
  kernels::overFloats(kernels::fromColumn(to, span.first), row, weights_.data(), opacity_, count);
}

}  // namespace framewright
