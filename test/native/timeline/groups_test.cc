#include <string>

#include "timeline/draw_list.h"
#include "timeline/timeline_testing.h"

using namespace framewright;

namespace {

// A timeline with one clip over a 400x200 canvas.
std::string withClip(const std::string& clip) {
  return R"({"version":1,"canvas":{"width":400,"height":200,"fps":{"num":25,"den":1},"frames":20},"sources":[
      {"kind":"image","path":"/a.png","label":"a"},{"kind":"video","path":"/b.mp4","label":"b"}],"under":[],
      "sections":[{"label":"scene_1","start":0,"frames":20,"background":"#000000ff","clips":[)" +
         clip + R"(]}],"over":[],"audio":[],"encode":{"encoder":"libx264","preset":"veryfast","crf":20,
      "keyframeSeconds":5,"audioBitrate":192000}})";
}

std::string fill(const std::string& box, const std::string& members = "") {
  return R"({"fill":"#ff0000ff","start":0,"frames":20,"box":)" + box + members + "}";
}

std::string group(const std::string& clips, const std::string& members = "") {
  return R"({"start":2,"frames":10,"box":{"x":100,"y":50,"width":200,"height":100},"clips":[)" + clips + "]" +
         members + "}";
}

const std::string kBox = R"({"x":100,"y":50,"width":100,"height":50})";

Timeline parsed(const std::string& clip) { return timelineOf(withClip(clip)); }

std::vector<Layer> layersAt(const std::string& clip, int64_t frame) {
  std::vector<Layer> layers = drawListAt(parsed(clip), frame).layers;
  layers.erase(layers.begin());  // the background
  return layers;
}

void requireErrorAt(const std::string& clip, const std::string& path) {
  requireTimelineError(withClip(clip), path);
}

}  // namespace

TEST_CASE("drawListAt: members of a group are there with it, and move with it") {
  const std::string moving =
      group(fill(kBox) + "," + R"({"fill":"#00ff00ff","start":4,"frames":20,"box":)" + kBox + "}",
            R"(,"x":[{"frame":0,"value":0},{"frame":10,"value":100}],"scale":2)");
  CHECK(layersAt(moving, 1).empty());
  CHECK(layersAt(moving, 2).size() == 1);
  CHECK(layersAt(moving, 6).size() == 2);
  CHECK(layersAt(moving, 12).empty());
  const Layer first = layersAt(moving, 7).front();
  // Twice as large about the centre of the group, (200, 100), and 50 pixels to the right.
  CHECK(first.kind == Layer::Kind::kFill);
  CHECK(first.toCanvas.dx == doctest::Approx(50));
  CHECK(first.toCanvas.dy == doctest::Approx(0));
  CHECK(first.toCanvas.xx == doctest::Approx(200));
  CHECK(first.toCanvas.yy == doctest::Approx(100));
}

TEST_CASE("drawListAt: a group is one layer if it is transparent or has effects") {
  const std::string two = fill(kBox) + "," + fill(R"({"x":150,"y":50,"width":100,"height":50})");
  const std::vector<Layer> layers = layersAt(group(two, R"(,"opacity":0.5)"), 5);
  REQUIRE(layers.size() == 1);
  CHECK(layers[0].kind == Layer::Kind::kGroup);
  CHECK(layers[0].opacity == 0.5);
  REQUIRE(layers[0].group.size() == 2);
  CHECK(layers[0].group[1].opacity == 1);
  CHECK(layers[0].toCanvas == Affine{150, 0, 100, 0, 50, 50});
  CHECK(layersAt(group(two, R"(,"blur":3)"), 5)[0].kind == Layer::Kind::kGroup);
  CHECK(layersAt(group(two), 5).size() == 2);
  // A single member is transparent itself.
  const std::vector<Layer> single = layersAt(group(fill(kBox, R"(,"opacity":0.5)"), R"(,"opacity":0.5)"), 5);
  REQUIRE(single.size() == 1);
  CHECK(single[0].kind == Layer::Kind::kFill);
  CHECK(single[0].opacity == 0.25);
}

TEST_CASE("drawListAt: groups nest, and a video in one has its time") {
  const std::string video = R"({"source":1,"start":3,"frames":9,"box":)" + kBox + R"(,"media":{"in":1}})";
  const std::string outer = group(R"({"start":1,"frames":9,"box":)" + kBox + R"(,"opacity":0.5,"clips":[)" +
                                      video + "," + fill(kBox) + "]}",
                                  R"(,"x":10,"opacity":0.5)");
  const DrawList list = drawListAt(parsed(outer), 11);
  REQUIRE(list.layers.size() == 2);
  REQUIRE(list.layers[1].group.size() == 2);
  // Frame 11 of the section is frame 9 of the outer group, 8 of the inner one and 5 of the video.
  REQUIRE(list.images.size() == 1);
  CHECK(list.images[0].mediaTime == 1200000);
  CHECK(list.layers[1].group[0].toCanvas.dx == doctest::Approx(110));
  CHECK(list.layers[1].opacity == 0.25);
}

TEST_CASE("drawListAt: a window of a member moves with the group, and becomes a cut where it turns") {
  const std::string clipped = fill(kBox, R"(,"clip":{"x":100,"y":50,"width":40,"height":20})");
  const Layer moved = layersAt(group(clipped, R"(,"x":7,"y":-3)"), 5).front();
  CHECK(moved.window == Rect{107, 47, 40, 20});
  const Layer rotated = layersAt(group(clipped, R"(,"rotation":30)"), 5).front();
  CHECK_FALSE(rotated.window);
  REQUIRE(rotated.effects.has_value());
  CHECK(rotated.effects->cut.has_value());
}

TEST_CASE("drawListAt: a rotated clip is projected, and one at rest is not") {
  const std::string turning = fill(kBox, R"(,"perspective":{"scale":2,"x":150,"y":75,"distance":500,
      "rotateY":[{"frame":0,"value":90},{"frame":10,"value":0}]})");
  CHECK(layersAt(turning, 0).size() == 1);
  const Layer layer = layersAt(turning, 5).front();
  REQUIRE(layer.effects.has_value());
  REQUIRE(layer.effects->projection.has_value());
  // Drawn at twice its size; its centre stays where it is, its right side goes away.
  CHECK(layer.toCanvas.xx == doctest::Approx(200));
  const Homography& h = *layer.effects->projection;
  CHECK(mapped(h, {300, 150}).x == doctest::Approx(150));
  CHECK(mapped(h, {300, 150}).y == doctest::Approx(75));
  const Point right = mapped(h, {400, 100}), left = mapped(h, {200, 100});
  CHECK(right.x - 150 < 150 - left.x);
  CHECK(right.y > left.y);
  CHECK_FALSE(layersAt(turning, 10).front().effects);
}

TEST_CASE("largestDrawnSizes: include the scale of groups and of perspective") {
  const std::string image = R"({"source":0,"start":0,"frames":9,"scale":1.5,"box":)" + kBox +
                            R"(,"perspective":{"scale":2,"rotateX":9}})";
  const auto sizes =
      largestDrawnSizes(parsed(group(image, R"(,"scale":[{"frame":0,"value":1},{"frame":5,"value":3}])")));
  CHECK(sizes[0].width == doctest::Approx(900));
}

TEST_CASE("drawListAt: a map of pixels changes evenly between its frames") {
  const Timeline timeline = parsed(fill(
      kBox,
      R"(,"perspective":{"maps":[{"frame":2,"map":[1,0,0,0,1,0,0,0,1]},{"frame":6,"map":[1,0,40,0,3,0,0,0,1]}]})"));
  const auto mapAt = [&](int64_t frame) {
    return drawListAt(timeline, frame).layers.back().effects->projection->m;
  };
  CHECK(mapAt(0) == std::array<double, 9>{1, 0, 0, 0, 1, 0, 0, 0, 1});
  CHECK(mapAt(3)[2] == doctest::Approx(10));
  CHECK(mapAt(3)[4] == doctest::Approx(1.5));
  CHECK(mapAt(7)[2] == doctest::Approx(40));
}

TEST_CASE("parseTimeline: groups and perspective have limits") {
  requireErrorAt(group(""), "clips.0.clips");
  requireErrorAt(group(fill(kBox), R"(,"fill":"#ff0000ff")"), "sections.0.clips.0");
  std::string deep = fill(kBox);
  for (int i = 0; i < 6; ++i) deep = R"({"start":0,"frames":9,"box":)" + kBox + R"(,"clips":[)" + deep + "]}";
  requireErrorAt(deep, "clips.0.clips.0.clips.0.clips.0.clips.0.clips");
  requireErrorAt(fill(kBox, R"(,"perspective":{"distance":0})"), "perspective.distance");
  requireErrorAt(fill(kBox, R"(,"perspective":{"map":[1,2,3]})"), "perspective.map");
  requireErrorAt(fill(kBox, R"(,"perspective":{"map":[1,0,0,0,0,0,0,0,1]})"), "perspective.map");
  requireErrorAt(fill(kBox, R"(,"perspective":{"maps":[{"frame":2,"map":[1,0,0,0,1,0,0,0,1]},{"frame":2}]})"),
                 "perspective.maps.1.frame");
  requireErrorAt(fill(kBox, R"(,"perspective":{"scale":9})"), "perspective.scale");
}
