#include "compositor/deep/planes/transitions/row_transitions.h"

#include <algorithm>
#include <cmath>

#include "compositor/deep/planes/transitions/two_lists.h"
#include "compositor/plan/transitions/transition_rows.h"
#include "kernels/deep/plane_rows.h"
#include "kernels/deep/sample_effects.h"
#include "kernels/deep/transition_kernels.h"

namespace framewright {
namespace {

class GrayFade final : public TwoLists {
 public:
  GrayFade(PlaneList from, PlaneList to, double progress)
      : TwoLists(std::move(from), std::move(to)),
        luma_(toWeight(progress)),
        towardsNext_(toWeight(fadeThroughColor(progress).towardsNext)),
        towardsGray_(toWeight(fadeThroughColor(progress).towardsColor)) {}

  void draw(PlaneGroup group, int y, const SampleRow& row) override {
    const SampleRow next = drawBoth(group, y, row);
    const bool isLuma = group == PlaneGroup::kLuma;
    for (size_t i = 0; i < coloursOf(group); ++i) {
      kernels::overSamples(row[i], next[i], nullptr, nullptr, isLuma ? luma_ : towardsNext_, columns(group));
      if (!isLuma)
        kernels::fillSamples(row[i], kernels::kNeutralSample, kernels::kFullSampleWeight, nullptr,
                             towardsGray_, columns(group));
    }
  }

 private:
  const uint16_t luma_, towardsNext_, towardsGray_;
};

// As differenceSteps(), without rounding.
class DifferenceFade final : public TwoLists {
 public:
  DifferenceFade(PlaneList from, PlaneList to, double progress, FadeOrder order)
      : TwoLists(std::move(from), std::move(to)) {
    using kernels::kDifferenceSteps;
    const auto changeAt = [&](int step) {
      const double difference = step * (1 << kernels::kDifferenceShift);
      const double share = std::min(1.0, std::abs(difference) / kernels::kHighestSample);
      const double slowness = 1 + std::log(order == FadeOrder::kFast ? 1 + share : 2 - share);
      const double change = difference * (1 - std::pow(1 - progress, slowness));
      return static_cast<int32_t>(std::lround(std::clamp(change, -32768.0, 32767.0)));
    };
    for (int step = -kDifferenceSteps; step <= kDifferenceSteps; ++step) {
      const int32_t here = changeAt(step), next = step < kDifferenceSteps ? changeAt(step + 1) : here;
      table_[static_cast<size_t>(step + kDifferenceSteps)] =
          static_cast<int32_t>(static_cast<uint32_t>(next - here) << 16 | static_cast<uint16_t>(here));
    }
  }

  void draw(PlaneGroup group, int y, const SampleRow& row) override {
    const SampleRow next = drawBoth(group, y, row);
    for (size_t i = 0; i < coloursOf(group); ++i)
      kernels::addDifferences(row[i], next[i], table_, columns(group));
  }

 private:
  kernels::DifferenceTable table_;
};

class DistanceFade final : public TwoLists {
 public:
  DistanceFade(PlaneList from, PlaneList to, double progress)
      : TwoLists(std::move(from), std::move(to)),
        limit_(static_cast<float>(maxFadingDistance(progress))),
        fading_(toWeight(progress)) {
    const size_t width = columns(PlaneGroup::kLuma), half = columns(PlaneGroup::kChroma);
    for (auto& row : weights_) row.resize(width);
    for (auto& row : chroma_) row.resize(half + kernels::kSampleBlock);
    for (auto& row : next_) row.resize(half);
    squares_.resize(half);
    chromaWeights_.resize(half);
  }

  void draw(PlaneGroup group, int y, const SampleRow& row) override {
    drawChroma(group == PlaneGroup::kLuma ? y / 2 : y);
    if (group == PlaneGroup::kLuma) {
      const SampleRow next = drawBoth(group, y, row);
      std::vector<uint16_t>& weights = weights_[static_cast<size_t>(y % 2)];
      kernels::weightsOfDistances(weights.data(), row[0], next[0], squares_.data(), limit_, fading_,
                                  weights.size());
      kernels::overSamples(row[0], next[0], nullptr, weights.data(), kernels::kFullWeight, weights.size());
      return;
    }
    const bool isLast = 2 * y + 1 >= from_.canvas().height;
    chromaWeights(chromaWeights_.data(), weights_[0].data(), weights_[isLast ? 0 : 1].data(),
                  from_.canvas().width);
    for (size_t i = 0; i < 2; ++i) {
      std::copy_n(chroma_[i].data(), next_[i].size(), row[i]);
      kernels::overSamples(row[i], next_[i].data(), nullptr, chromaWeights_.data(), kernels::kFullWeight,
                           next_[i].size());
    }
  }

 private:
  // Luma depends on the chroma of its pair, which is drawn first.
  void drawChroma(int k) {
    if (drawn_ == k) return;
    drawn_ = k;
    const SampleRow next = drawBoth(PlaneGroup::kChroma, k, {chroma_[0].data(), chroma_[1].data()});
    for (size_t i = 0; i < 2; ++i) {
      kernels::squaredDistances(squares_.data(), chroma_[i].data(), next[i], i > 0, squares_.size());
      std::copy_n(next[i], next_[i].size(), next_[i].begin());
    }
  }

  const float limit_;
  const uint16_t fading_;
  int drawn_ = -1;
  std::array<std::vector<int16_t>, 2> chroma_, next_;
  std::vector<float> squares_;
  std::array<std::vector<uint16_t>, 2> weights_;
  std::vector<uint16_t> chromaWeights_;
};

class BlurredFade final : public TwoLists {
 public:
  BlurredFade(PlaneList from, PlaneList to, double progress)
      : TwoLists(std::move(from), std::move(to)), progress_(progress), sums_(columns(PlaneGroup::kLuma)) {}

  void draw(PlaneGroup group, int y, const SampleRow& row) override {
    const SampleRow next = drawBoth(group, y, row);
    const size_t count = columns(group);
    const int size = blurredSamples(progress_, from_.canvas().width, group, static_cast<int>(count));
    for (size_t i = 0; i < coloursOf(group); ++i) {
      kernels::overSamples(row[i], next[i], nullptr, nullptr, toWeight(progress_), count);
      blur(row[i], count, static_cast<size_t>(size));
    }
  }

 private:
  // The mean of each sample and the `size` - 1 samples after it; fewer at the end of the row.
  void blur(int16_t* row, size_t count, size_t size) {
    int32_t sum = 0;
    for (size_t x = 0; x < size; ++x) sum += row[x];
    for (size_t x = 0; x < count; ++x) {
      sums_[x] = sum;
      sum += (x + size < count ? row[x + size] : 0) - row[x];
    }
    const size_t whole = count - size;
    kernels::scaleSums(row, sums_.data(), 1.0f / static_cast<float>(size), whole);
    for (size_t x = whole; x < count; ++x) {
      const auto left = static_cast<int32_t>(count - x);
      row[x] = static_cast<int16_t>((sums_[x] + left / 2) / left);
    }
  }

  const double progress_;
  std::vector<int32_t> sums_;
};

class LitLayer final : public TwoLists {
 public:
  LitLayer(PlaneList from, PlaneList to, TransitionLight light, const LightPattern& pattern,
           const CanvasCurves& curves)
      : TwoLists(std::move(from), std::move(to)), tables_(std::move(light.tables)), pattern_(pattern) {
    std::vector<float> r = tables_.signals[0], g = tables_.signals[1], b = tables_.signals[2];
    curves.fromSdr({r.data(), g.data(), b.data(), nullptr}, r.size());
    const kernels::YcbcrScale scale =
        kernels::ycbcrScale(10 + kernels::kCodeFraction, curves.color().isHdr());
    const auto sample = [](float value) { return static_cast<int16_t>(std::lround(value)); };
    for (size_t k = 0; k < r.size(); ++k) {
      const float luma = scale.redShare * r[k] + scale.greenShare * g[k] + scale.blueShare * b[k];
      colours_[0].push_back(sample(luma / scale.lumaScale + scale.lumaOffset));
      colours_[1].push_back(
          sample((b[k] - luma) / (2 * (1 - scale.blueShare) * scale.chromaScale) + scale.chromaOffset));
      colours_[2].push_back(
          sample((r[k] - luma) / (2 * (1 - scale.redShare) * scale.chromaScale) + scale.chromaOffset));
    }
    const size_t width = columns(PlaneGroup::kLuma);
    for (size_t i = 0; i < 2; ++i) entering_[i].resize(width), lit_[i].resize(width);
    for (auto* const line : {&halvedTo_, &halvedLit_}) line->resize(width);
    colored_.resize(width);
  }

  void draw(PlaneGroup group, int y, const SampleRow& row) override {
    const SampleRow next = drawBoth(group, y, row);
    const size_t count = columns(group);
    const int last = from_.canvas().height - 1;
    if (group == PlaneGroup::kLuma) {
      const auto slot = static_cast<size_t>(y % 2);
      lookUp(y);
      lay(row[0], next[0], entering_[slot], lit_[slot], colours_[0], patternRow(y), 1, count);
      return;
    }
    const int top = 2 * y, bottom = std::min(2 * y + 1, last);
    lookUp(top);
    lookUp(bottom);
    const auto below = static_cast<size_t>(bottom % 2);
    chromaWeights(halvedTo_.data(), entering_[0].data(), entering_[below].data(), from_.canvas().width);
    chromaWeights(halvedLit_.data(), lit_[0].data(), lit_[below].data(), from_.canvas().width);
    for (size_t i = 0; i < 2; ++i)
      lay(row[i], next[i], halvedTo_, halvedLit_, colours_[i + 1], patternRow(top), 2, count);
  }

 private:
  const uint16_t* patternRow(int y) const {
    return pattern_.values.data() + static_cast<size_t>(y) * columns(PlaneGroup::kLuma);
  }
  void lookUp(int y) {
    const auto slot = static_cast<size_t>(y % 2);
    if (rows_[slot] == y) return;
    rows_[slot] = y;
    const uint16_t* const steps = patternRow(y);
    for (size_t x = 0; x < entering_[slot].size(); ++x) {
      entering_[slot][x] = tables_.toWeights[steps[x]];
      lit_[slot][x] = tables_.lightWeights[steps[x]];
    }
  }
  // The new side and then the light over a row. `steps` has the pattern of every sample, `scale` apart.
  void lay(int16_t* row, const int16_t* next, const std::vector<uint16_t>& toWeights,
           const std::vector<uint16_t>& lit, const std::vector<int16_t>& colours, const uint16_t* steps,
           size_t scale, size_t count) {
    for (size_t x = 0; x < count; ++x) colored_[x] = colours[steps[x * scale]];
    kernels::overSamples(row, next, nullptr, toWeights.data(), kernels::kFullWeight, count);
    kernels::overSamples(row, colored_.data(), nullptr, lit.data(), kernels::kFullWeight, count);
  }

  const LightTables tables_;
  const LightPattern& pattern_;
  std::array<std::vector<int16_t>, 3> colours_;  // Y, Cb, Cr of the light by step
  std::array<std::vector<uint16_t>, 2> entering_, lit_;
  std::array<int, 2> rows_{-1, -1};
  std::vector<uint16_t> halvedTo_, halvedLit_;
  std::vector<int16_t> colored_;
};

class Glitch final : public TwoLists {
 public:
  Glitch(PlaneList from, PlaneList to, double progress) : TwoLists(std::move(from), std::move(to)) {
    for (int p = 0; p < 3; ++p) rows_[static_cast<size_t>(p)] = glitchRows(progress, from_.canvas(), p);
    for (auto& side : sides_) {
      for (auto& row : side) row.resize(columns(PlaneGroup::kLuma) + kernels::kSampleBlock);
    }
  }

  void draw(PlaneGroup group, int y, const SampleRow& out) override {
    const auto glitchOf = [&](size_t i) -> const GlitchRow& {
      return rows_[static_cast<size_t>(planeOf(group, i))][static_cast<size_t>(y)];
    };
    // Only the sides that are seen are drawn.
    std::array<bool, 2> isSeen{};
    for (size_t i = 0; i < coloursOf(group); ++i) {
      const GlitchRow& glitch = glitchOf(i);
      isSeen[glitch.row.isTo ? 1 : 0] = true;
      if (glitch.blockStart < glitch.blockEnd) isSeen[glitch.block.isTo ? 1 : 0] = true;
    }
    for (size_t side = 0; side < 2; ++side) {
      if (isSeen[side])
        (side == 0 ? from_ : to_).draw(group, y, {sides_[side][0].data(), sides_[side][1].data()});
    }
    const auto width = static_cast<int>(columns(group));
    for (size_t i = 0; i < coloursOf(group); ++i) {
      const GlitchRow& glitch = glitchOf(i);
      const auto copy = [&](const ShiftedSide& side, int begin, int end) {
        copyShifted(out[i], sides_[side.isTo ? 1 : 0][i].data(), width, side.shift, begin, end);
      };
      copy(glitch.row, 0, glitch.blockStart);
      copy(glitch.block, glitch.blockStart, glitch.blockEnd);
      copy(glitch.row, glitch.blockEnd, width);
    }
  }

 private:
  // Copies samples from `begin` to `end` of a row that is shifted and mirrored at its edges.
  static void copyShifted(int16_t* out, const int16_t* in, int width, int shift, int begin, int end) {
    for (int x = begin; x < end;) {
      const int index = mirroredIndex(x - shift, width);
      const bool isBackwards = isMirrored(x - shift, width);
      const auto count = static_cast<size_t>(std::min(isBackwards ? index + 1 : width - index, end - x));
      if (isBackwards) {
        kernels::reverseSamples(out + x, in + index + 1 - count, count);
      } else {
        std::copy_n(in + index, count, out + x);
      }
      x += static_cast<int>(count);
    }
  }

  std::array<std::vector<GlitchRow>, 3> rows_;                // by plane
  std::array<std::array<std::vector<int16_t>, 2>, 2> sides_;  // by side, then colour
};

}  // namespace

std::unique_ptr<PlaneLayer> grayFadeLayer(PlaneList from, PlaneList to, double progress) {
  return std::make_unique<GrayFade>(std::move(from), std::move(to), progress);
}

std::unique_ptr<PlaneLayer> differenceFadeLayer(PlaneList from, PlaneList to, double progress,
                                                FadeOrder order) {
  return std::make_unique<DifferenceFade>(std::move(from), std::move(to), progress, order);
}

std::unique_ptr<PlaneLayer> distanceLayer(PlaneList from, PlaneList to, double progress) {
  return std::make_unique<DistanceFade>(std::move(from), std::move(to), progress);
}

std::unique_ptr<PlaneLayer> blurredFadeLayer(PlaneList from, PlaneList to, double progress) {
  return std::make_unique<BlurredFade>(std::move(from), std::move(to), progress);
}

std::unique_ptr<PlaneLayer> lightLayer(PlaneList from, PlaneList to, TransitionLight light,
                                       LightPattern& pattern, const CanvasCurves& curves) {
  const CanvasSize size = from.canvas();
  if (pattern.of != light.pattern || pattern.size.width != size.width || pattern.size.height != size.height) {
    TransitionPattern(light.pattern).fill(pattern.values, size);
    pattern.of = light.pattern;
    pattern.size = size;
  }
  return std::make_unique<LitLayer>(std::move(from), std::move(to), std::move(light), pattern, curves);
}

std::unique_ptr<PlaneLayer> glitchLayer(PlaneList from, PlaneList to, double progress) {
  return std::make_unique<Glitch>(std::move(from), std::move(to), progress);
}

}  // namespace framewright
