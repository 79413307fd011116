#include <algorithm>
#include <cstring>
#include <ranges>

#include "compositor/cpu/layers/sample_plane.h"
#include "compositor/cpu/transitions/draw_transition.h"
#include "compositor/plan/transitions/page_curl.h"

namespace framewright {
namespace {

// Draws one plane of the page over the new side, which is in the frame.
class CurledPlane {
 public:
  CurledPlane(const TransitionFrame& c, const PageCurl& curl, int plane)
      : curl_(curl),
        frame_(c.frame.plane(plane)),
        flat_(c.from->plane(plane)),
        page_{samplePlaneOf(flat_), plane > 0,       c.canvas().width,  c.canvas().height,
              curl.normalX,         curl.normalY,    curl.steps.data(), wholeSteps(curl.steps),
              curl.shadowReach,     curl.shadowSlope} {}

  void draw() const {
    for (int y = 0; y < frame_.height; ++y) drawRow(y);
  }

 private:
  int stepsAt(int x, int y) const { return curl_.positionOf(page_.isChroma, x, y) - curl_.first; }

  void drawRow(int y) const {
    const int end = (static_cast<int>(curl_.steps.size()) - 1) << kernels::kCurlStepBits;
    // Positions rise or fall along the row.
    const bool rises = curl_.normalX > 0;
    const auto columns = std::views::iota(0, frame_.width);
    const auto split = [&](int limit) {
      return *std::ranges::partition_point(columns, [&](int x) { return (stepsAt(x, y) < limit) == rises; });
    };
    const int atStart = split(0), atEnd = split(end);
    const int first = rises ? atStart : atEnd, last = rises ? atEnd : atStart;
    uint8_t* const out = rowOf(frame_, y);
    const uint8_t* const flat = rowOf(flat_, y);
    if (rises) {
      std::memcpy(out, flat, static_cast<size_t>(first));
    } else {
      std::memcpy(out + last, flat + last, static_cast<size_t>(frame_.width - last));
    }
    if (first < last)
      kernels::curlRow(out + first, flat + first, page_, first, y, stepsAt(first, y),
                       static_cast<size_t>(last - first));
  }

  // How many steps are followed by one that, like them, shows the page alone.
  static int wholeSteps(const std::vector<kernels::CurlStep>& steps) {
    const auto end = std::ranges::find_if(steps, [](const auto& step) { return step.roll != 256; });
    return std::max(0, static_cast<int>(end - steps.begin()) - 1);
  }

  const PageCurl& curl_;
  const Plane &frame_, &flat_;
  const kernels::CurledPage page_;
};

}  // namespace

void drawCurl(const TransitionFrame& c, Heading heading) {
  const PageCurl curl = pageCurl(c.progress, c.canvas(), heading);
  for (int p = 0; p < 3; ++p) CurledPlane(c, curl, p).draw();
}

}  // namespace framewright
