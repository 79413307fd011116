#include <algorithm>
#include <cstring>
#include <ranges>

#include "compositor/cpu/transitions/draw_transition.h"
#include "compositor/plan/transitions/page_curl.h"

namespace framewright {
namespace {

// A place on the page, in 1/256 pixels.
struct PagePoint {
  int x, y;
};

int mixed(int from, int to, int weight) { return from + (((to - from) * weight) >> 8); }

// The weight of a place along an axis of the page, Q8; half at its edges.
int inside(int at, int pixels) { return std::clamp(std::min(at, 256 * pixels - at) + 128, 0, 256); }

// How far a place lies outside of the page along an axis.
int outside(int at, int pixels) { return std::max({0, -at, at - 256 * pixels}); }

// Draws one plane of the page over the new side, which is in the frame.
class CurledPlane {
 public:
  CurledPlane(const TransitionFrame& c, const PageCurl& curl, int plane)
      : curl_(curl),
        canvas_(c.canvas()),
        frame_(c.frame.plane(plane)),
        page_(c.from->plane(plane)),
        group_(plane == 0 ? 0 : 1),
        black_(plane == 0 ? 16 : 128) {}

  void draw() const {
    for (int y = 0; y < frame_.height; ++y) drawRow(y);
  }

 private:
  int stepsAt(int x, int y) const { return curl_.positionOf(group_ == 1, x, y) - curl_.first; }

  void drawRow(int y) const {
    const int end = (static_cast<int>(curl_.steps.size()) - 1) << kCurlStepBits;
    // Positions rise or fall along the row.
    const bool rises = curl_.normalX > 0;
    const auto columns = std::views::iota(0, frame_.width);
    const auto split = [&](int limit) {
      return *std::ranges::partition_point(columns, [&](int x) { return (stepsAt(x, y) < limit) == rises; });
    };
    const int atStart = split(0), atEnd = split(end);
    const int first = rises ? atStart : atEnd, last = rises ? atEnd : atStart;
    uint8_t* const out = rowOf(frame_, y);
    const uint8_t* const flat = rowOf(page_, y);
    if (rises) {
      std::memcpy(out, flat, static_cast<size_t>(first));
    } else {
      std::memcpy(out + last, flat + last, static_cast<size_t>(frame_.width - last));
    }
    for (int x = first; x < last; ++x) out[x] = static_cast<uint8_t>(sampleAt(x, y, out[x], flat[x]));
  }

  int sampleAt(int x, int y, int under, int flat) const {
    const int position = stepsAt(x, y), share = (position >> (kCurlStepBits - 8)) & 255;
    const CurlStep& step = curl_.steps[static_cast<size_t>(position >> kCurlStepBits)];
    const CurlStep& next = curl_.steps[static_cast<size_t>(position >> kCurlStepBits) + 1];
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
    below -= ((below - black_) * shadowAt(back, step.shadow)) >> 8;
    return weight == 0 ? below : mixed(below, seen(back, step.backGain, step.backOffset), weight);
  }

  PagePoint pointAt(int x, int y, int shift) const {
    const int column = group_ == 1 ? 512 * x + 128 : 256 * x + 128,
              row = group_ == 1 ? 512 * y + 256 : 256 * y + 128;
    return {column + ((curl_.normalX * shift) >> 8), row + ((curl_.normalY * shift) >> 8)};
  }

  int coverage(PagePoint at) const { return inside(at.x, canvas_.width) * inside(at.y, canvas_.height) >> 8; }

  // The darkness of what lies under the page, less away from it.
  int shadowAt(PagePoint at, int darkness) const {
    const auto near = [&](int distance) {
      const int left = 256 - ((std::min(distance, curl_.shadowReach) * curl_.shadowSlope) >> 16);
      return left * left >> 8;
    };
    const int both = near(outside(at.x, canvas_.width)) * near(outside(at.y, canvas_.height)) >> 8;
    return darkness * both >> 8;
  }

  int seen(PagePoint at, int gain, const std::array<int, 2>& offset) const {
    return std::clamp((sampled(at) * gain + offset[static_cast<size_t>(group_)]) >> 12, 0, 255);
  }

  // The page between its samples.
  int sampled(PagePoint at) const {
    const int x = group_ == 1 ? (at.x - 128) >> 1 : at.x - 128,
              y = group_ == 1 ? (at.y - 256) >> 1 : at.y - 128;
    const int column = std::clamp(x, 0, (page_.width - 1) * 256),
              row = std::clamp(y, 0, (page_.height - 1) * 256);
    const int left = column >> 8, right = std::min(left + 1, page_.width - 1), across = column & 255;
    const uint8_t *const upper = rowOf(page_, row >> 8), *const lower = rowOf(
                                                             page_,
                                                             std::min((row >> 8) + 1, page_.height - 1));
    const int above = upper[left] * 256 + (upper[right] - upper[left]) * across;
    const int below = lower[left] * 256 + (lower[right] - lower[left]) * across;
    return (above * 256 + (below - above) * (row & 255) + 32768) >> 16;
  }

  const PageCurl& curl_;
  const CanvasSize canvas_;
  const Plane &frame_, &page_;
  const int group_;  // 0: luma, 1: chroma
  const int black_;
};

}  // namespace

void drawCurl(const TransitionFrame& c, Heading heading) {
  const PageCurl curl = pageCurl(c.progress, c.canvas(), heading);
  for (int p = 0; p < 3; ++p) CurledPlane(c, curl, p).draw();
}

}  // namespace framewright
