#include "x264/motion_field.h"

#include <algorithm>

namespace framewright::x264 {
namespace {

constexpr int kBlock = LowresFrame::kBlock;
// How far a block may lie outside the frame, with room for half-sample interpolation.
constexpr int kMaxOvershoot = LowresFrame::kMargin - kBlock - 2;
// Cost of signalling a motion vector, in SAD units.
constexpr int kVectorCost = 4;
// Above this cost the search uses the large hexagon first.
constexpr int kHexagonCost = 160;
constexpr int kMaxSteps = 8;
// The search stops at a quarter of the intra cost.
constexpr int kGoodCostShift = 2;

struct Step {
  int x, y;
};
constexpr Step kHexagon[] = {{-4, 0}, {-2, -4}, {2, -4}, {4, 0}, {2, 4}, {-2, 4}};
constexpr Step kDiamond[] = {{-2, 0}, {2, 0}, {0, -2}, {0, 2}};
constexpr Step kHalfDiamond[] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

// The search for one block; holds the best vector so far.
class BlockSearch {
 public:
  BlockSearch(const LowresFrame& frame, const LowresFrame& reference, int column, int row, int intraCost)
      : reference_(reference),
        block_{frame.at(column * kBlock, row * kBlock), frame.stride()},
        column_(column),
        row_(row),
        min_{-2 * (column * kBlock + kMaxOvershoot), -2 * (row * kBlock + kMaxOvershoot)},
        max_{2 * ((frame.columns() - column - 1) * kBlock + kMaxOvershoot),
             2 * ((frame.rows() - row - 1) * kBlock + kMaxOvershoot)},
        goodCost_(std::max(kMatchCost, intraCost >> kGoodCostShift)),
        cost_(kernels::blockDifference(
            block_, kernels::BlockRows{reference.at(column * kBlock, row * kBlock), reference.stride()})) {}

  bool isGood() const { return cost_ <= goodCost_; }
  int cost() const { return cost_; }
  MotionVector vector() const { return best_; }

  bool tryVector(int x, int y) {
    const MotionVector vector{static_cast<int16_t>(std::clamp(x, min_.x, max_.x)),
                              static_cast<int16_t>(std::clamp(y, min_.y, max_.y))};
    if (vector == best_) return false;
    const int cost =
        kernels::blockDifference(block_, blockAt(reference_, column_, row_, vector)) + kVectorCost;
    if (cost >= cost_) return false;
    best_ = vector;
    cost_ = cost;
    return true;
  }

  void tryVector(MotionVector vector) { tryVector(vector.x, vector.y); }

  // Tries the pattern around the best vector until it stops improving.
  template <size_t kCount>
  void walk(const Step (&steps)[kCount], int maxSteps) {
    for (int i = 0; i < maxSteps && !isGood(); ++i) {
      const MotionVector from = best_;
      for (const Step& step : steps) tryVector(from.x + step.x, from.y + step.y);
      if (best_ == from) return;
    }
  }

 private:
  const LowresFrame& reference_;
  const kernels::BlockRows block_;
  const int column_, row_;
  const Step min_, max_;
  const int goodCost_;
  MotionVector best_;
  int cost_;
};

MotionVector scaled(MotionVector vector, const MotionHint& hint) {
  return {static_cast<int16_t>(vector.x * hint.distance / hint.hintDistance),
          static_cast<int16_t>(vector.y * hint.distance / hint.hintDistance)};
}

}  // namespace

MotionField searchMotion(const LowresFrame& frame, const LowresFrame& reference, const MotionHint& hint) {
  MotionField field;
  field.vectors.resize(static_cast<size_t>(frame.blockCount()));
  field.costs.resize(field.vectors.size());
  size_t index = 0;
  for (int row = 0; row < frame.rows(); ++row)
    for (int column = 0; column < frame.columns(); ++column, ++index) {
      BlockSearch search(frame, reference, column, row, frame.intraCosts()[index]);
      if (!search.isGood()) {
        const auto above = index - static_cast<size_t>(frame.columns());
        if (column > 0) search.tryVector(field.vectors[index - 1]);
        if (row > 0) search.tryVector(field.vectors[above]);
        if (row > 0 && column + 1 < frame.columns()) search.tryVector(field.vectors[above + 1]);
        if (hint.field != nullptr) search.tryVector(scaled(hint.field->vectors[index], hint));
        if (search.cost() > kHexagonCost) search.walk(kHexagon, kMaxSteps);
        search.walk(kDiamond, 2);
        search.walk(kHalfDiamond, 2);
      }
      field.vectors[index] = search.vector();
      field.costs[index] = static_cast<uint16_t>(interCost(search.cost()));
      const uint16_t own = frame.intraCosts()[index];
      field.cost += std::min(field.costs[index], own);
      field.intraBlockCount += field.costs[index] >= own ? 1 : 0;
    }
  return field;
}

}  // namespace framewright::x264
