#pragma once

#include <algorithm>
#include <array>

#include "kernels/page_curl.h"

// What a sample of a row shows of a page that is rolled off, for samples of 8 and 16 bits. Defines what the
// vectors compute.
namespace framewright::kernels::curl {

// A place on the page, in 1/256 pixels.
struct PagePoint {
  int x, y;
};

inline int mixed(int from, int to, int weight) { return from + (((to - from) * weight) >> 8); }

// The weight of a place along an axis of the page, Q8; half at its edges.
inline int inside(int at, int pixels) { return std::clamp(std::min(at, 256 * pixels - at) + 128, 0, 256); }

// How far a place lies outside of the page along an axis.
inline int outside(int at, int pixels) { return std::max({0, -at, at - 256 * pixels}); }

// `Samples`: what the page shows, see page_curl.cc.
template <class Samples>
class CurledSamples {
 public:
  CurledSamples(const Samples& samples, const CurledPage& page)
      : samples_(samples), page_(page), group_(page.isChroma ? 1 : 0) {}

  int at(int x, int y, int32_t position, int under, int flat) const {
    const int share = (position >> (kCurlStepBits - 8)) & 255;
    const CurlStep& step = page_.steps[position >> kCurlStepBits];
    const CurlStep& next = page_.steps[(position >> kCurlStepBits) + 1];
    const int roll = mixed(step.roll, next.roll, share);
    const PagePoint back = pointAt(x, y, mixed(step.backShift, next.backShift, share));
    const int weight = coverage(back) * roll >> 8;
    if (weight == 256) return seen(back, step.backGain, step.backOffset);
    const int frontShift = mixed(step.frontShift, next.frontShift, share);
    int below = flat;
    if (frontShift != 0 || roll < 256) {
      const PagePoint front = pointAt(x, y, frontShift);
      below = mixed(under, seen(front, step.frontGain, step.frontOffset), coverage(front) * roll >> 8);
    }
    below -= ((below - Samples::kBlack[group_]) * shadowAt(back, step.shadow)) >> 8;
    return weight == 0 ? below : mixed(below, seen(back, step.backGain, step.backOffset), weight);
  }

 private:
  PagePoint pointAt(int x, int y, int shift) const {
    const int column = group_ == 1 ? 512 * x + 128 : 256 * x + 128,
              row = group_ == 1 ? 512 * y + 256 : 256 * y + 128;
    return {column + ((page_.normalX * shift) >> 8), row + ((page_.normalY * shift) >> 8)};
  }

  int coverage(PagePoint at) const { return inside(at.x, page_.width) * inside(at.y, page_.height) >> 8; }

  // The darkness of what lies under the page, less away from it.
  int shadowAt(PagePoint at, int darkness) const {
    const auto near = [&](int distance) {
      const int left = 256 - ((std::min(distance, page_.shadowReach) * page_.shadowSlope) >> 16);
      return left * left >> 8;
    };
    const int both = near(outside(at.x, page_.width)) * near(outside(at.y, page_.height)) >> 8;
    return darkness * both >> 8;
  }

  int seen(PagePoint at, int gain, const std::array<int32_t, 2>& offset) const {
    const int x = group_ == 1 ? (at.x - 128) >> 1 : at.x - 128,
              y = group_ == 1 ? (at.y - 256) >> 1 : at.y - 128;
    const int toned = samples_.at(x, y) * gain + offset[group_] * (1 << Samples::kUnitBits);
    return std::clamp(toned >> 12, 0, Samples::kHighest);
  }

  const Samples& samples_;
  const CurledPage& page_;
  const size_t group_;  // 0: luma, 1: chroma
};

}  // namespace framewright::kernels::curl
