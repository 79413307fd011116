#include "timeline/timeline.h"

#include <array>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "timeline/draw_list.h"

using namespace framewright;

namespace {

// A 100x50, 25 fps timeline; `sections` and `over` are JSON arrays.
std::string timelineJson(const std::string& sections, int frames, const std::string& over = "[]") {
  return R"({"version":1,"canvas":{"width":100,"height":50,"fps":{"num":25,"den":1},"frames":)" +
         std::to_string(frames) +
         R"(},"sources":[{"kind":"image","path":"/a.png","label":"scenes.0.elements.0"},)"
         R"({"kind":"video","path":"/b.mp4","label":"scenes.0.elements.1"}],"under":[],"sections":)" +
         sections + R"(,"over":)" + over +
         R"(,"audio":[],"encode":{"encoder":"libx264","preset":"veryfast","crf":20,"keyframeSeconds":5,"audioBitrate":192000}})";
}

const std::string kBox = R"("box":{"x":0,"y":0,"width":100,"height":50})";

Timeline parsed(const std::string& json) {
  auto timeline = parseTimeline(json);
  if (!timeline.ok()) FAIL(timeline.error().message);
  return timeline.take();
}

std::string messageOf(const std::string& json) {
  auto timeline = parseTimeline(json);
  return timeline.ok() ? "" : timeline.error().message;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("curve: interpolates between keyframes and is constant outside them") {
  const Curve curve{0, {{10, 0, Easing::kLinear}, {20, 1, Easing::kHold}, {30, 3, Easing::kLinear}}};
  CHECK(curve.at(0) == 0);
  CHECK(curve.at(15) == doctest::Approx(0.5));
  CHECK(curve.at(20) == 1);
  CHECK(curve.at(29.9) == 1);
  CHECK(curve.at(30) == 3);
  CHECK(curve.at(99) == 3);
  CHECK(curve.maximum() == 3);
}

TEST_CASE("easings: start at 0, end at 1 and have a name") {
  for (int i = 0; i <= static_cast<int>(Easing::kInOutBounce); ++i) {
    const auto easing = static_cast<Easing>(i);
    CHECK(ease(easing, 0) == 0);
    CHECK(ease(easing, 1) == 1);
    if (easing != Easing::kHold) {
      CHECK(ease(easing, 1 - 1e-9) == doctest::Approx(1).epsilon(1e-2));
      CHECK(ease(easing, 1e-9) == doctest::Approx(0).epsilon(1e-2));
    }
  }
  CHECK(kEasingNames[static_cast<size_t>(Easing::kOutElastic)] == "easeOutElastic");
  CHECK(kEasingNames[static_cast<size_t>(Easing::kInOutQuad)] == "easeInOutQuad");
  CHECK(std::size(kEasingNames) == static_cast<size_t>(Easing::kInOutBounce) + 1);
  CHECK(ease(Easing::kInOutCubic, 0.5) == doctest::Approx(0.5));
  CHECK(ease(Easing::kInQuad, 0.5) == doctest::Approx(0.25));
  CHECK(ease(Easing::kOutQuad, 0.5) == doctest::Approx(0.75));
  CHECK(ease(Easing::kInQuart, 0.5) == doctest::Approx(0.0625));
  CHECK(ease(Easing::kInOutQuint, 0.25) == doctest::Approx(0.015625));
  CHECK(ease(Easing::kOutBounce, 1 / 2.75) == doctest::Approx(1));
  CHECK(ease(Easing::kOutBounce, 0.5) == doctest::Approx(0.765625));
  CHECK(ease(Easing::kInBounce, 0.5) == doctest::Approx(0.234375));
}

TEST_CASE("sampleAtFrame: does not drift") {
  Timeline timeline;
  timeline.fps = {30000, 1001};
  CHECK(sampleAtFrame(timeline, 0) == 0);
  CHECK(sampleAtFrame(timeline, 1) == 1602);  // 1601.6
  CHECK(sampleAtFrame(timeline, 30000) == 1001 * 48000);
}

TEST_CASE("parseTimeline: an invalid member is an error with its path") {
  const std::string section =
      R"([{"label":"scene_1","start":0,"frames":10,"background":"#000000ff","clips":[]}])";
  const std::string good = timelineJson(section, 10);
  CHECK(messageOf(good) == "");
  CHECK(messageOf("{") == "The timeline is not valid JSON.");
  CHECK(messageOf("[]").find("the root") != std::string::npos);
  CHECK(messageOf(replaced(good, "\"version\":1", "\"version\":2")).find("timeline.version") !=
        std::string::npos);
  CHECK(messageOf(replaced(good, "\"width\":100", "\"width\":101")).find("canvas") != std::string::npos);
  CHECK(messageOf(replaced(good, "#000000ff", "black")).find("sections.0.background") != std::string::npos);
  CHECK(messageOf(replaced(good, "\"start\":0", "\"start\":1")).find("sections.0.start") !=
        std::string::npos);
  CHECK(messageOf(timelineJson(section, 9)).find("sections") != std::string::npos);
  const std::string clip = R"([{"source":7,"start":0,"frames":1,)" + kBox + "}]";
  CHECK(messageOf(timelineJson(section, 10, clip)).find("timeline.over.0.source") != std::string::npos);
  const std::string neither = R"([{"start":0,"frames":1,)" + kBox + "}]";
  CHECK(messageOf(timelineJson(section, 10, neither)).find("exactly one") != std::string::npos);
}

TEST_CASE("parseTimeline: deep nesting does not exhaust the stack") {
  const std::string deep(200000, '[');
  CHECK_FALSE(parseTimeline(deep).ok());
}

TEST_CASE("drawListAt: has the background and the frame's clips, back to front") {
  const std::string sections =
      R"([{"label":"scene_1","start":0,"frames":10,"background":"#102030ff","clips":[
        {"source":0,"start":0,"frames":10,)" +
      kBox + R"(},{"fill":"#ff0000ff","start":5,"frames":5,)" + kBox + "}]}]";
  const Timeline timeline = parsed(timelineJson(sections, 10));
  const DrawList first = drawListAt(timeline, 0);
  REQUIRE(first.layers.size() == 2);
  CHECK(first.layers[0].fill == Color{16, 32, 48, 255});
  CHECK(first.layers[1].kind == Layer::Kind::kImage);
  CHECK(first.images.size() == 1);
  CHECK(first == drawListAt(timeline, 4));
  CHECK(drawListAt(timeline, 5).layers.size() == 3);
}

TEST_CASE("drawListAt: multiplies fades and opacity at the frame's start") {
  const std::string sections =
      R"([{"label":"scene_1","start":0,"frames":20,"background":"#00000000","clips":[
        {"source":0,"start":0,"frames":20,"opacity":0.5,"fadeIn":10,"fadeOut":10,)" +
      kBox + "}]}]";
  const Timeline timeline = parsed(timelineJson(sections, 20));
  CHECK(drawListAt(timeline, 0).layers.empty());
  CHECK(drawListAt(timeline, 5).layers.at(0).opacity == doctest::Approx(0.25));
  CHECK(drawListAt(timeline, 10).layers.at(0).opacity == doctest::Approx(0.5));
  CHECK(drawListAt(timeline, 15).layers.at(0).opacity == doctest::Approx(0.25));
}

TEST_CASE("drawListAt: scales and rotates around the anchor") {
  const std::string sections =
      R"([{"label":"scene_1","start":0,"frames":3,"background":"#000000ff","clips":[
        {"source":0,"start":0,"frames":3,"scale":2,"rotation":90,"x":1,"box":{"x":10,"y":10,"width":20,"height":10}}]}])";
  const Timeline timeline = parsed(timelineJson(sections, 3));
  const Affine m = drawListAt(timeline, 0).layers.at(1).toCanvas;
  // The centre (20, 15) moves by x = 1; the unit square's corner (0, 0) was 10 left and 5 above it.
  CHECK(m.dx + (m.xx + m.xy) / 2 == doctest::Approx(21));
  CHECK(m.dy + (m.yx + m.yy) / 2 == doctest::Approx(15));
  CHECK(m.dx == doctest::Approx(21 + 10));
  CHECK(m.dy == doctest::Approx(15 - 20));
}

TEST_CASE("drawListAt: a transition blends the previous section's last frame and the new section") {
  const std::string sections =
      R"([{"label":"scene_1","start":0,"frames":10,"background":"#ff0000ff","clips":[
        {"source":1,"start":0,"frames":10,"media":{"in":2},)" +
      kBox +
      R"(}]},{"label":"scene_2","start":10,"frames":10,"background":"#0000ffff","clips":[],
        "transition":{"style":"fade","frames":4}}])";
  const Timeline timeline = parsed(timelineJson(sections, 20));
  const DrawList list = drawListAt(timeline, 11);
  REQUIRE(list.layers.size() == 1);
  CHECK(list.layers[0].kind == Layer::Kind::kTransition);
  CHECK(list.layers[0].progress == doctest::Approx(0.25));
  CHECK(list.layers[0].from->layers.size() == 2);
  REQUIRE(list.images.size() == 1);
  CHECK(list.images[0].mediaTime == 2000000 + 9 * 40000);
  CHECK(drawListAt(timeline, 14).layers[0].kind == Layer::Kind::kFill);
}

TEST_CASE("drawListAt: a transition follows its progress curve within 0..1") {
  const std::string sections =
      R"([{"label":"scene_1","start":0,"frames":10,"background":"#ff0000ff","clips":[]},
        {"label":"scene_2","start":10,"frames":10,"background":"#0000ffff","clips":[],
        "transition":{"style":"fade","frames":4,"progress":[{"frame":0,"value":0},{"frame":2,"value":0.75,"easing":"easeOutBack"},
        {"frame":4,"value":1}]}}])";
  const Timeline timeline = parsed(timelineJson(sections, 20));
  CHECK(drawListAt(timeline, 11).layers[0].progress == doctest::Approx(0.375));
  CHECK(drawListAt(timeline, 12).layers[0].progress == doctest::Approx(0.75));
  CHECK(drawListAt(timeline, 13).layers[0].progress == 1);
}

TEST_CASE("drawListAt: a luma wipe has its image, which is prepared for the whole canvas") {
  const auto json = [](const std::string& style, const std::string& luma) {
    return R"({"version":1,"canvas":{"width":100,"height":50,"fps":{"num":25,"den":1},"frames":20},"sources":[
      {"kind":"image","path":"/a.png","label":"a"},{"kind":"luma","path":"/w.png","label":"w"}],"under":[],"sections":[
      {"label":"scene_1","start":0,"frames":10,"background":"#ff0000ff","clips":[]},
      {"label":"scene_2","start":10,"frames":10,"background":"#0000ffff","clips":[],"transition":{"style":")" +
           style + R"(","frames":4)" + luma +
           R"(}}],"over":[],"audio":[],"encode":{"encoder":"libx264","preset":"veryfast","crf":20,"keyframeSeconds":5,"audioBitrate":192000}})";
  };
  const Timeline timeline = parsed(json("luma", R"(,"luma":{"source":1,"softness":0.3,"invert":true})"));
  const DrawList list = drawListAt(timeline, 11);
  REQUIRE(list.layers.size() == 1);
  REQUIRE(list.images.size() == 1);
  CHECK(list.images[static_cast<size_t>(list.layers[0].image)].source == 1);
  CHECK(list.layers[0].wipe == LumaWipe{0.3, true});
  CHECK(largestDrawnSizes(timeline)[1].width == 100);
  CHECK(largestDrawnSizes(timeline)[1].height == 50);
  for (const auto& [style, luma, path] : std::vector<std::array<std::string, 3>>{
           {"luma", "", "sections.1.transition"},
           {"luma", R"(,"luma":{"source":0})", "sections.1.transition.luma.source"},
           {"luma", R"(,"luma":{"source":1,"softness":2})", "sections.1.transition.luma.softness"},
           {"fade", R"(,"luma":{"source":1})", "sections.1.transition.luma"}}) {
    const auto refused = parseTimeline(json(style, luma));
    CAPTURE(path);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().message.find(path) != std::string::npos);
  }
}

TEST_CASE("drawListAt: frames that are mixed know the time to the next one") {
  const std::string clip =
      R"({"source":1,"start":0,"frames":10,"media":{"in":2,"speed":0.5,"blendFrames":true},)" + kBox + "}";
  const Timeline timeline = parsed(timelineJson(
      R"([{"label":"scene_1","start":0,"frames":10,"background":"#ff0000ff","clips":[)" + clip + "]}]", 10));
  const DrawList list = drawListAt(timeline, 3);
  REQUIRE(list.images.size() == 1);
  CHECK(list.images[0].mediaTime == 2060000);
  CHECK(list.images[0].mediaStep == 20000);
}

TEST_CASE("drawListAt: skips layers outside the canvas or their window") {
  const std::string sections =
      R"([{"label":"scene_1","start":0,"frames":3,"background":"#000000ff","clips":[
        {"source":0,"start":0,"frames":3,"box":{"x":100,"y":0,"width":20,"height":10}},
        {"source":0,"start":0,"frames":3,"clip":{"x":50,"y":0,"width":10,"height":10},"box":{"x":0,"y":0,"width":20,"height":10}},
        {"source":0,"start":0,"frames":3,"box":{"x":99.5,"y":0,"width":20,"height":10}}]}])";
  CHECK(drawListAt(parsed(timelineJson(sections, 3)), 0).layers.size() == 2);
}

TEST_CASE("largestDrawnSizes: applies scale and crop") {
  const std::string sections =
      R"([{"label":"scene_1","start":0,"frames":3,"background":"#000000ff","clips":[
        {"source":0,"start":0,"frames":3,"scale":[{"frame":0,"value":1},{"frame":3,"value":1.5}],
         "crop":{"x":0,"y":0,"width":0.5,"height":1},"box":{"x":0,"y":0,"width":20,"height":10}}]}])";
  const auto sizes = largestDrawnSizes(parsed(timelineJson(sections, 3)));
  CHECK(sizes.at(0).width == doctest::Approx(60));
  CHECK(sizes.at(0).height == doctest::Approx(15));
  CHECK(sizes.at(1).width == 0);
}

namespace {

// One section whose only clip is a 20x10 fill at (40, 20), with further members of the clip.
Timeline withPiece(const std::string& members) {
  return parsed(timelineJson(R"([{"label":"scene_1","start":0,"frames":20,"background":"#00000000","clips":[
      {"fill":"#ffffffff","start":0,"frames":20,"box":{"x":40,"y":20,"width":20,"height":10})" +
                                 members + "}]}]",
                             20));
}

}  // namespace

TEST_CASE("drawListAt: a piece scales around its anchor, then moves") {
  const Timeline timeline = withPiece(
      R"(,"piece":{"anchor":{"x":0,"y":1},"scaleX":[{"frame":0,"value":0},{"frame":10,"value":1}],"scaleY":0.5,"y":-4})");
  CHECK(drawListAt(timeline, 0).layers.empty());  // no width yet
  const Affine half = drawListAt(timeline, 5).layers.at(0).toCanvas;
  CHECK(half.dx == doctest::Approx(40));
  CHECK(half.xx == doctest::Approx(10));
  CHECK(half.dy == doctest::Approx(21));
  CHECK(half.yy == doctest::Approx(5));
  CHECK(drawListAt(timeline, 15).layers.at(0).toCanvas.xx == doctest::Approx(20));
}

TEST_CASE("drawListAt: the clip's motion applies after the piece's") {
  // The piece moves 10 to the right, then the clip scales by 2 around its top left corner.
  const Timeline timeline = withPiece(R"(,"anchor":{"x":0,"y":0},"scale":2,"rotation":90,"piece":{"x":10})");
  const Affine m = drawListAt(timeline, 0).layers.at(0).toCanvas;
  CHECK(m.dx == doctest::Approx(40));
  CHECK(m.dy == doctest::Approx(40));
  CHECK(m.yx == doctest::Approx(40));
  CHECK(m.xy == doctest::Approx(-20));
}

TEST_CASE("drawListAt: skips a piece with a scale of 0 and does not mirror one below 0") {
  CHECK(drawListAt(withPiece(R"(,"rotation":30,"piece":{"scaleX":0})"), 0).layers.empty());
  const std::string swing =
      R"(,"piece":{"scaleX":[{"frame":0,"value":0,"easing":"easeInOutElastic"},{"frame":18,"value":1}]})";
  bool swung = false;
  for (int frame = 0; frame < 18; ++frame) {
    const auto layers = drawListAt(withPiece(swing), frame).layers;
    swung = swung || layers.empty();
    if (!layers.empty()) CHECK(layers[0].toCanvas.xx > 0);
  }
  CHECK(swung);
}

TEST_CASE("parseTimeline: an invalid piece is an error with its path") {
  const std::string json = timelineJson(
      R"([{"label":"scene_1","start":0,"frames":9,"background":"#00000000","clips":[{"fill":"#ffffffff","start":0,"frames":9,)" +
          kBox + R"(,"piece":{"scaleX":-1}}]}])",
      9);
  CHECK(messageOf(json).find("clips.0.piece.scaleX") != std::string::npos);
}

TEST_CASE("parseTimeline: the footage preset belongs to x264 at presets with one reference frame") {
  const std::string sections =
      R"([{"label":"scene_1","start":0,"frames":20,"background":"#000000ff","clips":[]}])";
  const auto json = [&](const std::string& encode) {
    return replaced(timelineJson(sections, 20), R"("encoder":"libx264","preset":"veryfast")", encode);
  };
  const std::string allowed = R"("encoder":"libx264","preset":"superfast","footagePreset":"slow")";
  CHECK(parsed(json(allowed)).encode.footagePreset == "slow");
  CHECK(!parsed(timelineJson(sections, 20)).encode.footagePreset);
  for (const auto& [refused, message] : std::vector<std::array<std::string, 2>>{
           {R"("encoder":"libx264","preset":"medium","footagePreset":"slow")", "superfast and veryfast"},
           {R"("encoder":"libx265","preset":"veryfast","footagePreset":"slow")", "only to libx264"},
           {R"("encoder":"libx264","preset":"veryfast","footagePreset":"veryslow")",
            "must be one of faster"}}) {
    CHECK(messageOf(json(refused)).find("encode.footagePreset") != std::string::npos);
    CHECK(messageOf(json(refused)).find(message) != std::string::npos);
  }
}
