#pragma once

#include <array>
#include <utility>
#include <vector>

#include "compositor/deep/planes/plane_coverage.h"
#include "compositor/deep/planes/plane_list.h"
#include "kernels/deep/plane_filters.h"

namespace framewright {

// A layer of two lists that hides everything below it.
class TwoLists : public PlaneLayer {
 public:
  TwoLists(PlaneList from, PlaneList to) : from_(std::move(from)), to_(std::move(to)) {
    for (auto& row : rows_) row.resize(static_cast<size_t>(from_.canvas().width + kernels::kSampleBlock));
  }

  SampleRange rows(PlaneGroup group) const override {
    return {0, samplesAlong(from_.canvas().height, group)};
  }
  SampleRange span(PlaneGroup group, int) const override {
    return {0, samplesAlong(from_.canvas().width, group)};
  }
  bool hides(PlaneGroup, int) const override { return true; }

 protected:
  // Draws `from` to a row and `to` to the row beside it.
  SampleRow drawBoth(PlaneGroup group, int y, const SampleRow& row) {
    const SampleRow beside{rows_[0].data(), rows_[1].data()};
    from_.draw(group, y, row);
    to_.draw(group, y, beside);
    return beside;
  }
  size_t columns(PlaneGroup group) const { return static_cast<size_t>(span(group, 0).end); }

  PlaneList from_, to_;

 private:
  std::array<AlignedVector<int16_t>, 2> rows_;
};

}  // namespace framewright
