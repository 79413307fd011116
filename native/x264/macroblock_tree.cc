#include "x264/macroblock_tree.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace framewright {
namespace {

constexpr int kBetween = 2 * SmallPicture::kBlock;  // half samples from block to block
// About what a mean of two costs more to tell than one.
constexpr int kBothCost = 2;
// By how many quarter steps of the quantiser a block is finer for each time that what lives on of it doubles.
// x264 has 8; what is found here at half the size and without transforms doubles a little sooner.
constexpr int kQuartersForTwice = 7;
constexpr int kMostQuarters = 100;

// Bit for bit the same everywhere, unlike a library's logarithm. Eight for each power of two.
int eighthsOfLog2(float value) {
  // 2^((k - 0.5) / 8) / 2: where the k-th eighth begins, rounded to the nearest, of what frexp() gives.
  constexpr float kBegins[] = {0.52213689f, 0.56939432f, 0.62092891f, 0.67712777f,
                               0.73841307f, 0.80524517f, 0.87812608f, 0.95760328f};
  int exponent = 0;
  const float mantissa = std::frexp(value, &exponent);
  const auto eighths = std::upper_bound(std::begin(kBegins), std::end(kBegins), mantissa) - kBegins;
  return 8 * (exponent - 1) + static_cast<int>(eighths);
}

// To the four blocks that a moved one lies over, by the share of each.
class Spreading {
 public:
  explicit Spreading(const MadeFrom& from)
      : columns_(from.picture->columns()), rows_(from.picture->rows()), to_(*from.carriedOn) {}

  void add(int column, int row, MotionVector vector, float amount) {
    const int x = column * kBetween + vector.x, y = row * kBetween + vector.y;
    const int left = floorDivide(x), top = floorDivide(y);
    const int right = x - left * kBetween, low = y - top * kBetween;
    const float share = amount / (kBetween * kBetween);
    addTo(left, top, share * static_cast<float>((kBetween - right) * (kBetween - low)));
    addTo(left + 1, top, share * static_cast<float>(right * (kBetween - low)));
    addTo(left, top + 1, share * static_cast<float>((kBetween - right) * low));
    addTo(left + 1, top + 1, share * static_cast<float>(right * low));
  }

 private:
  static int floorDivide(int value) { return (value >= 0 ? value : value - kBetween + 1) / kBetween; }

  void addTo(int column, int row, float amount) {
    if (column < 0 || row < 0 || column >= columns_ || row >= rows_) return;
    to_[static_cast<size_t>(row * columns_ + column)] += amount;
  }

  const int columns_, rows_;
  CarriedOn& to_;
};

int meanCost(const SmallPicture& picture, int column, int row, const MadeFrom& before,
             const MadeFrom& after) {
  const auto index = static_cast<size_t>(row * picture.columns() + column);
  const kernels::BlockRows block{picture.at(column * SmallPicture::kBlock, row * SmallPicture::kBlock),
                                 picture.stride()};
  const int difference =
      kernels::blockDifference(block, blockAt(*before.picture, column, row, before.field->vectors[index]),
                               blockAt(*after.picture, column, row, after.field->vectors[index]));
  return motionCost(difference + kBothCost);
}

int leastCost(const MadeFromBoth& both, size_t block) {
  return std::min({both.before.field->costs[block], both.after.field->costs[block], (*both.costs)[block]});
}

// What of a block comes from elsewhere: the share that need not be coded anew.
float taken(int own, int cost, float carriedOn) {
  const auto ownCost = static_cast<float>(own);
  return (carriedOn + ownCost) * static_cast<float>(own - cost) / ownCost;
}

}  // namespace

BothCosts bothCosts(const SmallPicture& picture, const MadeFrom& before, const MadeFrom& after) {
  BothCosts costs(static_cast<size_t>(picture.blocks()));
  size_t i = 0;
  for (int row = 0; row < picture.rows(); ++row)
    for (int column = 0; column < picture.columns(); ++column, ++i) {
      const auto [less, more] = std::minmax(before.field->costs[i], after.field->costs[i]);
      costs[i] =
          more <= kSameCost ? less : static_cast<uint16_t>(meanCost(picture, column, row, before, after));
    }
  return costs;
}

int ownBlocks(const SmallPicture& picture, const MadeFromBoth& both) {
  int count = 0;
  for (size_t i = 0; i < both.costs->size(); ++i)
    count += leastCost(both, i) >= picture.ownCosts()[i] ? 1 : 0;
  return count;
}

void passOn(const SmallPicture& picture, const CarriedOn& carriedOn, const MadeFrom& before) {
  Spreading spreading(before);
  size_t i = 0;
  for (int row = 0; row < picture.rows(); ++row)
    for (int column = 0; column < picture.columns(); ++column, ++i) {
      const int own = picture.ownCosts()[i], cost = before.field->costs[i];
      if (cost >= own) continue;
      spreading.add(column, row, before.field->vectors[i], taken(own, cost, carriedOn[i]));
    }
}

void passOn(const SmallPicture& picture, const CarriedOn& carriedOn, const MadeFromBoth& both) {
  Spreading spreadingBefore(both.before), spreadingAfter(both.after);
  size_t i = 0;
  for (int row = 0; row < picture.rows(); ++row)
    for (int column = 0; column < picture.columns(); ++column, ++i) {
      const int own = picture.ownCosts()[i], cost = leastCost(both, i);
      if (cost >= own) continue;
      const bool fromMean = cost == (*both.costs)[i], fromBefore = cost == both.before.field->costs[i];
      const float amount = taken(own, cost, carriedOn[i]);
      const float part = fromMean ? amount / 2 : amount;
      if (fromMean || fromBefore) spreadingBefore.add(column, row, both.before.field->vectors[i], part);
      if (fromMean || !fromBefore) spreadingAfter.add(column, row, both.after.field->vectors[i], part);
    }
}

std::vector<uint8_t> worthFiner(const SmallPicture& picture, const CarriedOn& carriedOn) {
  std::vector<uint8_t> finer(carriedOn.size());
  for (size_t i = 0; i < finer.size(); ++i) {
    const auto own = static_cast<float>(picture.ownCosts()[i]);
    const int eighths = eighthsOfLog2((own + carriedOn[i]) / own);
    finer[i] = static_cast<uint8_t>(std::clamp(eighths * kQuartersForTwice / 8, 0, kMostQuarters));
  }
  return finer;
}

}  // namespace framewright
