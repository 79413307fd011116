#include "x264/macroblock_tree.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace framewright::x264 {
namespace {

constexpr int kBlockHalfSamples = 2 * LowresFrame::kBlock;
// Cost of signalling a second reference, in SAD units.
constexpr int kBidirModeCost = 2;
// Quarter QP steps per doubling of the propagated cost. x264 uses 8; costs at half resolution without
// transforms double a little sooner.
constexpr int kQ2PerDoubling = 7;
constexpr int kMaxQ2 = 100;

// Eighths of log2(value). A table instead of std::log2 gives identical results on every platform.
int eighthsOfLog2(float value) {
  // Where the k-th eighth begins, as a mantissa of frexp(): 2^((k - 0.5) / 8) / 2.
  constexpr float kBegins[] = {0.52213689f, 0.56939432f, 0.62092891f, 0.67712777f,
                               0.73841307f, 0.80524517f, 0.87812608f, 0.95760328f};
  int exponent = 0;
  const float mantissa = std::frexp(value, &exponent);
  const auto eighths = std::upper_bound(std::begin(kBegins), std::end(kBegins), mantissa) - kBegins;
  return 8 * (exponent - 1) + static_cast<int>(eighths);
}

// Distributes an amount over the four blocks that a motion-compensated block overlaps, by area.
class Propagation {
 public:
  explicit Propagation(const Reference& reference)
      : columns_(reference.frame->columns()),
        rows_(reference.frame->rows()),
        costs_(*reference.propagateCosts) {}

  void add(int column, int row, MotionVector vector, float amount) {
    const int x = column * kBlockHalfSamples + vector.x, y = row * kBlockHalfSamples + vector.y;
    const int left = floorDivide(x), top = floorDivide(y);
    const int right = x - left * kBlockHalfSamples, low = y - top * kBlockHalfSamples;
    const float share = amount / (kBlockHalfSamples * kBlockHalfSamples);
    addTo(left, top, share * static_cast<float>((kBlockHalfSamples - right) * (kBlockHalfSamples - low)));
    addTo(left + 1, top, share * static_cast<float>(right * (kBlockHalfSamples - low)));
    addTo(left, top + 1, share * static_cast<float>((kBlockHalfSamples - right) * low));
    addTo(left + 1, top + 1, share * static_cast<float>(right * low));
  }

 private:
  static int floorDivide(int value) {
    return (value >= 0 ? value : value - kBlockHalfSamples + 1) / kBlockHalfSamples;
  }

  void addTo(int column, int row, float amount) {
    if (column < 0 || row < 0 || column >= columns_ || row >= rows_) return;
    costs_[static_cast<size_t>(row * columns_ + column)] += amount;
  }

  const int columns_, rows_;
  PropagateCosts& costs_;
};

int bidirCost(const LowresFrame& frame, int column, int row, const Reference& past, const Reference& future) {
  const auto index = static_cast<size_t>(row * frame.columns() + column);
  const kernels::BlockRows block{frame.at(column * LowresFrame::kBlock, row * LowresFrame::kBlock),
                                 frame.stride()};
  const int difference =
      kernels::blockDifference(block, blockAt(*past.frame, column, row, past.field->vectors[index]),
                               blockAt(*future.frame, column, row, future.field->vectors[index]));
  return interCost(difference + kBidirModeCost);
}

int minInterCost(const BidirReference& references, size_t block) {
  return std::min({references.past.field->costs[block], references.future.field->costs[block],
                   (*references.costs)[block]});
}

// The share of a block's information that comes from its reference (x264's propagate_amount).
float propagateAmount(int intra, int inter, float propagated) {
  const auto intraCost = static_cast<float>(intra);
  return (propagated + intraCost) * static_cast<float>(intra - inter) / intraCost;
}

}  // namespace

BidirCosts computeBidirCosts(const LowresFrame& frame, const Reference& past, const Reference& future) {
  BidirCosts costs(static_cast<size_t>(frame.blockCount()));
  size_t i = 0;
  for (int row = 0; row < frame.rows(); ++row)
    for (int column = 0; column < frame.columns(); ++column, ++i) {
      const auto [less, more] = std::minmax(past.field->costs[i], future.field->costs[i]);
      costs[i] =
          more <= kMatchCost ? less : static_cast<uint16_t>(bidirCost(frame, column, row, past, future));
    }
  return costs;
}

int intraBlockCount(const LowresFrame& frame, const BidirReference& references) {
  int count = 0;
  for (size_t i = 0; i < references.costs->size(); ++i)
    count += minInterCost(references, i) >= frame.intraCosts()[i] ? 1 : 0;
  return count;
}

void propagate(const LowresFrame& frame, const PropagateCosts& costs, const Reference& reference) {
  Propagation propagation(reference);
  size_t i = 0;
  for (int row = 0; row < frame.rows(); ++row)
    for (int column = 0; column < frame.columns(); ++column, ++i) {
      const int intra = frame.intraCosts()[i], inter = reference.field->costs[i];
      if (inter >= intra) continue;
      propagation.add(column, row, reference.field->vectors[i], propagateAmount(intra, inter, costs[i]));
    }
}

void propagate(const LowresFrame& frame, const PropagateCosts& costs, const BidirReference& references) {
  const Reference &past = references.past, &future = references.future;
  Propagation toPast(past), toFuture(future);
  size_t i = 0;
  for (int row = 0; row < frame.rows(); ++row)
    for (int column = 0; column < frame.columns(); ++column, ++i) {
      const int intra = frame.intraCosts()[i], inter = minInterCost(references, i);
      if (inter >= intra) continue;
      const bool usesMean = inter == (*references.costs)[i], usesPast = inter == past.field->costs[i];
      const float amount = propagateAmount(intra, inter, costs[i]);
      const float part = usesMean ? amount / 2 : amount;
      if (usesMean || usesPast) toPast.add(column, row, past.field->vectors[i], part);
      if (usesMean || !usesPast) toFuture.add(column, row, future.field->vectors[i], part);
    }
}

std::vector<int8_t> qpOffsetsQ2(const LowresFrame& frame, const PropagateCosts& costs) {
  std::vector<int8_t> offsets(costs.size());
  for (size_t i = 0; i < offsets.size(); ++i) {
    const auto intra = static_cast<float>(frame.intraCosts()[i]);
    const int eighths = eighthsOfLog2((intra + costs[i]) / intra);
    offsets[i] = static_cast<int8_t>(-std::clamp(eighths * kQ2PerDoubling / 8, 0, kMaxQ2));
  }
  return offsets;
}

}  // namespace framewright::x264
