#include "compositor/deep/planes/transition_rows.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "compositor/deep/planes/transitions/two_lists.h"
#include "kernels/deep/plane_rows.h"

namespace framewright {
namespace {

class FadeLayer final : public TwoLists {
 public:
  FadeLayer(PlaneList from, PlaneList to, double share)
      : TwoLists(std::move(from), std::move(to)), weight_(toWeight(share)) {}

  void draw(PlaneGroup group, int y, const SampleRow& row) override {
    const SampleRow next = drawBoth(group, y, row);
    for (size_t i = 0; i < coloursOf(group); ++i)
      kernels::overSamples(row[i], next[i], nullptr, nullptr, weight_, columns(group));
  }

 private:
  const uint16_t weight_;
};

class MaskLayer final : public TwoLists {
 public:
  MaskLayer(PlaneList from, PlaneList to, const MaskWeights& mask)
      : TwoLists(std::move(from), std::move(to)), mask_(mask) {
    for (auto& row : weights_) row.resize(columns(PlaneGroup::kLuma));
    chroma_.resize(columns(PlaneGroup::kChroma));
  }

  void draw(PlaneGroup group, int y, const SampleRow& row) override {
    const std::vector<uint16_t>& weights = group == PlaneGroup::kLuma ? lumaWeights(y) : chromaRow(y);
    uint16_t any = 0, all = kernels::kFullWeight;
    for (const uint16_t weight : weights) any |= weight, all &= weight;
    if (any == 0) return from_.draw(group, y, row);
    if (all == kernels::kFullWeight) return to_.draw(group, y, row);
    const SampleRow next = drawBoth(group, y, row);
    for (size_t i = 0; i < coloursOf(group); ++i)
      kernels::overSamples(row[i], next[i], nullptr, weights.data(), kernels::kFullWeight, columns(group));
  }

 private:
  const std::vector<uint16_t>& lumaWeights(int y) {
    const auto slot = static_cast<size_t>(y % 2);
    if (rowOfWeights_[slot] != y) mask_.write(y, weights_[slot].data());
    rowOfWeights_[slot] = y;
    return weights_[slot];
  }
  const std::vector<uint16_t>& chromaRow(int y) {
    const int last = from_.canvas().height - 1;
    const std::vector<uint16_t>& top = lumaWeights(2 * y);
    const std::vector<uint16_t>& bottom = lumaWeights(std::min(2 * y + 1, last));
    chromaWeights(chroma_.data(), top.data(), bottom.data(), from_.canvas().width);
    return chroma_;
  }

  const MaskWeights& mask_;
  std::array<std::vector<uint16_t>, 2> weights_;
  std::array<int, 2> rowOfWeights_{-1, -1};
  std::vector<uint16_t> chroma_;
};

}  // namespace

std::unique_ptr<PlaneLayer> fadeLayer(PlaneList from, PlaneList to, double share) {
  return std::make_unique<FadeLayer>(std::move(from), std::move(to), share);
}

std::unique_ptr<PlaneLayer> maskLayer(PlaneList from, PlaneList to, const MaskWeights& mask) {
  return std::make_unique<MaskLayer>(std::move(from), std::move(to), mask);
}

}  // namespace framewright
