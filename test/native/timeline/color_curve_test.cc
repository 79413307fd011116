#include "timeline/color_curve.h"

#include <cstdlib>

#include "timeline/draw_list.h"
#include "timeline/timeline_testing.h"

using namespace framewright;

namespace {

// A timeline with one clip over a 40x20 canvas.
std::string withClip(const std::string& members) {
  return R"({"version":1,"canvas":{"width":40,"height":20,"fps":{"num":25,"den":1},"frames":10},"sources":[
      {"kind":"image","path":"/a.png","label":"a"}],"under":[],
      "sections":[{"label":"scene_1","start":0,"frames":10,"background":"#000000ff","clips":[{)" +
         members + R"(,"start":0,"frames":10,"box":{"x":0,"y":0,"width":20,"height":10}}]}],
      "over":[],"audio":[],"encode":{"encoder":"libx264","preset":"veryfast","crf":20,"keyframeSeconds":5,
      "audioBitrate":192000}})";
}

bool areNear(const Color& a, const Color& b) {
  return std::abs(a.r - b.r) <= 1 && std::abs(a.g - b.g) <= 1 && std::abs(a.b - b.b) <= 1 &&
         std::abs(a.a - b.a) <= 1;
}

// From opaque red to transparent, with red's coordinates as in CSS Color 4.
const std::string kRedToClear =
    R"("fill":{"l":[{"frame":0,"value":0.62796},{"frame":8,"value":0}],"a":[{"frame":0,"value":0.22486},{"frame":8,"value":0}],
    "b":[{"frame":0,"value":0.12585},{"frame":8,"value":0}],"alpha":[{"frame":0,"value":1},{"frame":8,"value":0}]})";

}  // namespace

TEST_CASE("color curves: a colour that becomes transparent keeps its hue") {
  const Timeline timeline = timelineOf(withClip(kRedToClear));
  const ColorCurve& fill = timeline.sections[0].clips[0].fill;
  CHECK(areNear(fill.at(0), {255, 0, 0, 255}));
  CHECK(areNear(fill.at(4), {255, 0, 0, 128}));
  CHECK(fill.at(9) == Color{0, 0, 0, 0});
  CHECK(drawListAt(timeline, 4).layers.back().fill == fill.at(4));
  CHECK(drawListAt(timeline, 9).layers.size() == 1);
}

TEST_CASE("color curves: a constant colour is exact") {
  const Timeline timeline = timelineOf(withClip(R"("fill":"#123456fe")"));
  CHECK(timeline.sections[0].clips[0].fill.at(3) == Color{0x12, 0x34, 0x56, 0xfe});
}

TEST_CASE("color curves: refuse alpha above 1 with its path") {
  requireTimelineError(withClip(R"("fill":{"l":1,"a":0,"b":0,"alpha":2})"), "fill.alpha");
}

TEST_CASE("drawListAt: the crop of keyframes stays within the source") {
  const Timeline timeline = timelineOf(withClip(
      R"("source":0,"crop":{"x":[{"frame":0,"value":0},{"frame":4,"value":0.5}],"y":0,"width":[{"frame":0,"value":1},{"frame":4,"value":0.6}],"height":1})"));
  CHECK(drawListAt(timeline, 0).layers.back().crop == Rect{0, 0, 1, 1});
  CHECK(drawListAt(timeline, 4).layers.back().crop == Rect{0.5, 0, 0.5, 1});
  CHECK(largestDrawnSizes(timeline)[0].width == doctest::Approx(20 / 0.6));
}

TEST_CASE("drawListAt: skews as CSS does, about the anchor") {
  const Timeline timeline = timelineOf(withClip(R"("source":0,"skewX":45,"anchor":{"x":0,"y":0})"));
  const Affine placed = drawListAt(timeline, 0).layers.back().toCanvas;
  CHECK(placed.xx == doctest::Approx(20));
  CHECK(placed.xy == doctest::Approx(10));
  CHECK(placed.yx == doctest::Approx(0));
  CHECK(placed.yy == doctest::Approx(10));
  CHECK(placed.dx == doctest::Approx(0));
  requireTimelineError(withClip(R"("source":0,"skewY":86)"), "skewY");
}

TEST_CASE("drawListAt: shadows follow their keyframes") {
  const Timeline timeline = timelineOf(withClip(
      R"("source":0,"shadows":[{"color":"#ff0000ff","blur":[{"frame":0,"value":0},{"frame":4,"value":8}],"y":[{"frame":0,"value":2},{"frame":4,"value":6}]}])"));
  const DropShadow shadow = drawListAt(timeline, 2).layers.back().effects->shadows[0];
  CHECK(shadow.blur == doctest::Approx(4));
  CHECK(shadow.y == doctest::Approx(4));
}
