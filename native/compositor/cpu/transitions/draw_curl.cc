#include <cstring>

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
              curl.normalX,         curl.normalY,    curl.steps.data(), curl.wholeSteps(),
              curl.shadowReach,     curl.shadowSlope} {}

  void draw() const {
    for (int y = 0; y < frame_.height; ++y) drawRow(y);
  }

 private:
  void drawRow(int y) const {
    const auto [first, end] = curl_.columnsOf(page_.isChroma, y, frame_.width);
    uint8_t* const out = rowOf(frame_, y);
    const uint8_t* const flat = rowOf(flat_, y);
    if (curl_.pointsRight()) {
      std::memcpy(out, flat, static_cast<size_t>(first));
    } else {
      std::memcpy(out + end, flat + end, static_cast<size_t>(frame_.width - end));
    }
    if (first < end)
      kernels::curlRow(out + first, flat + first, page_, first, y,
                       curl_.positionInSteps(page_.isChroma, first, y), static_cast<size_t>(end - first));
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
