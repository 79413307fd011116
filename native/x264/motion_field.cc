#include "x264/motion_field.h"

#include <algorithm>

namespace framewright {
namespace {

constexpr int kBlockSamples = SmallPicture::kBlock;
// Blocks may lie outside up to here, and between samples.
constexpr int kReach = SmallPicture::kMargin - kBlockSamples - 2;
// About what it takes to tell a vector, in samples' differences.
constexpr int kVectorCost = 4;
// From here on it is worth looking farther than next to the best guess.
constexpr int kFarCost = 160;
constexpr int kMostSteps = 8;
// Of what a block costs on its own, the part that may be left without looking further: a quarter.
constexpr int kGoodShift = 2;

struct Step {
  int x, y;
};
constexpr Step kFar[] = {{-4, 0}, {-2, -4}, {2, -4}, {4, 0}, {2, 4}, {-2, 4}};
constexpr Step kNear[] = {{-2, 0}, {2, 0}, {0, -2}, {0, 2}};
constexpr Step kBetween[] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

// The search for one block: the best vector so far.
class BlockSearch {
 public:
  BlockSearch(const SmallPicture& picture, const SmallPicture& other, int column, int row, int ownCost)
      : other_(other),
        block_{picture.at(column * kBlockSamples, row * kBlockSamples), picture.stride()},
        column_(column),
        row_(row),
        least_{-2 * (column * kBlockSamples + kReach), -2 * (row * kBlockSamples + kReach)},
        most_{2 * ((picture.columns() - column - 1) * kBlockSamples + kReach),
              2 * ((picture.rows() - row - 1) * kBlockSamples + kReach)},
        goodCost_(std::max(kSameCost, ownCost >> kGoodShift)),
        cost_(kernels::blockDifference(
            block_,
            kernels::BlockRows{other.at(column * kBlockSamples, row * kBlockSamples), other.stride()})) {}

  bool isGood() const { return cost_ <= goodCost_; }
  int cost() const { return cost_; }
  MotionVector vector() const { return best_; }

  bool tryVector(int x, int y) {
    const MotionVector vector{static_cast<int16_t>(std::clamp(x, least_.x, most_.x)),
                              static_cast<int16_t>(std::clamp(y, least_.y, most_.y))};
    if (vector == best_) return false;
    const int cost = kernels::blockDifference(block_, blockAt(other_, column_, row_, vector)) + kVectorCost;
    if (cost >= cost_) return false;
    best_ = vector;
    cost_ = cost;
    return true;
  }

  void tryVector(MotionVector vector) { tryVector(vector.x, vector.y); }

  // From the best, again and again while it gets better.
  template <size_t kCount>
  void walk(const Step (&steps)[kCount], int most) {
    for (int i = 0; i < most && !isGood(); ++i) {
      const MotionVector from = best_;
      for (const Step& step : steps) tryVector(from.x + step.x, from.y + step.y);
      if (best_ == from) return;
    }
  }

 private:
  const SmallPicture& other_;
  const kernels::BlockRows block_;
  const int column_, row_;
  const Step least_, most_;
  const int goodCost_;
  MotionVector best_;
  int cost_;
};

MotionVector scaled(MotionVector vector, const MotionHint& hint) {
  return {static_cast<int16_t>(vector.x * hint.distance / hint.hintDistance),
          static_cast<int16_t>(vector.y * hint.distance / hint.hintDistance)};
}

}  // namespace

MotionField searchMotion(const SmallPicture& picture, const SmallPicture& other, const MotionHint& hint) {
  MotionField field;
  field.vectors.resize(static_cast<size_t>(picture.blocks()));
  field.costs.resize(field.vectors.size());
  size_t index = 0;
  for (int row = 0; row < picture.rows(); ++row)
    for (int column = 0; column < picture.columns(); ++column, ++index) {
      BlockSearch search(picture, other, column, row, picture.ownCosts()[index]);
      if (!search.isGood()) {
        const auto above = index - static_cast<size_t>(picture.columns());
        if (column > 0) search.tryVector(field.vectors[index - 1]);
        if (row > 0) search.tryVector(field.vectors[above]);
        if (row > 0 && column + 1 < picture.columns()) search.tryVector(field.vectors[above + 1]);
        if (hint.field != nullptr) search.tryVector(scaled(hint.field->vectors[index], hint));
        if (search.cost() > kFarCost) search.walk(kFar, kMostSteps);
        search.walk(kNear, 2);
        search.walk(kBetween, 2);
      }
      field.vectors[index] = search.vector();
      field.costs[index] = static_cast<uint16_t>(motionCost(search.cost()));
      const uint16_t own = picture.ownCosts()[index];
      field.cost += std::min(field.costs[index], own);
      field.ownBlocks += field.costs[index] >= own ? 1 : 0;
    }
  return field;
}

}  // namespace framewright
