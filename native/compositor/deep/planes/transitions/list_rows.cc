#include "compositor/deep/planes/transitions/list_rows.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "compositor/deep/planes/plane_coverage.h"
#include "kernels/deep/plane_filters.h"

namespace framewright {
namespace {

// The last pairs of rows that were drawn.
class ListRows final : public CodeRows {
 public:
  explicit ListRows(PlaneList list)
      : list_(std::move(list)),
        stride_(static_cast<size_t>((list_.canvas().width / kernels::kSampleBlock + 2) / 2 * 2 *
                                    kernels::kSampleBlock)),
        samples_(stride_ * kRowsOfPair * kPairs) {}

  const int16_t* row(int plane, int y) override {
    const int pair = plane == 0 ? y / 2 : y;
    // Chroma reads earlier pairs than luma, and filters read rows above.
    if (pair > last_ + kPairs) last_ = std::max({last_, pair - kLead - 1, -1});
    while (last_ < pair) drawPair(++last_);
    return plane == 0 ? at(pair, y % 2) : at(pair, 1 + plane);
  }

 private:
  static constexpr int kPairs = 16, kLead = 6;
  static constexpr size_t kRowsOfPair = 4;  // two of luma, Cb and Cr

  int16_t* at(int pair, int row) {
    const auto slot = static_cast<size_t>(pair % kPairs) * kRowsOfPair + static_cast<size_t>(row);
    return samples_.data() + slot * stride_;
  }

  void drawPair(int pair) {
    const int height = list_.canvas().height;
    for (int i = 0; i < std::min(2, height - 2 * pair); ++i)
      list_.draw(PlaneGroup::kLuma, 2 * pair + i, {at(pair, i), nullptr});
    list_.draw(PlaneGroup::kChroma, pair, {at(pair, 2), at(pair, 3)});
  }

  PlaneList list_;
  const size_t stride_;
  AlignedVector<int16_t> samples_;
  int last_ = -kPairs - 1;
};

}  // namespace

std::shared_ptr<const CodeImage> rowsOfList(PlaneList list) {
  const CanvasSize canvas = list.canvas();
  return std::make_shared<const CodeImage>(canvas.width, canvas.height,
                                           std::make_shared<ListRows>(std::move(list)));
}

}  // namespace framewright
