#include "timeline/effects.h"

#include <string>

#include "timeline/draw_list.h"
#include "timeline/timeline_testing.h"

using namespace framewright;

namespace {

// A timeline with one clip over a 40x20 canvas; `members` are further members of the clip.
std::string withClip(const std::string& members, const std::string& content = R"("source":0)",
                     const std::string& encode = "") {
  return R"({"version":1,"canvas":{"width":40,"height":20,"fps":{"num":25,"den":1},"frames":10},"sources":[
      {"kind":"image","path":"/a.png","label":"a"},{"kind":"sequence","path":"/b.fwsq","label":"b"},
      {"kind":"audio","path":"/c.wav","label":"c"},{"kind":"colorTable","path":"/d.fwct","label":"d"}],"under":[],
      "sections":[{"label":"scene_1","start":0,"frames":10,"background":"#000000ff","clips":[{)" +
         content + R"(,"start":0,"frames":10,"box":{"x":0,"y":0,"width":20,"height":10})" + members +
         R"(}]}],"over":[],"audio":[],"encode":{"encoder":"libx264","preset":"veryfast","crf":20,
      "keyframeSeconds":5,"audioBitrate":192000)" +
         encode + "}}";
}

}  // namespace

TEST_CASE("parseTimeline: reads every effect of a clip") {
  const Timeline timeline = timelineOf(withClip(
      R"(,"reveal":{"left":0.25,"bottom":[{"frame":0,"value":1},{"frame":4,"value":0}]},"cornerRadius":3.5,
      "blur":[{"frame":0,"value":8},{"frame":8,"value":0}],"blend":"color-dodge",
      "mask":{"source":1,"media":{"in":2,"loops":-1},"region":{"x":0.5,"y":-0.25,"width":0.5,"height":2}},"chromaKey":{"color":"#00ff10ff","tolerance":25,"softness":0.25,"despill":0.5,"choke":0.75,"view":"spill"},
      "correction":{"brightness":0.1,"contrast":-2,"gamma":1.5,"saturation":3},"grade":{"tables":[{"source":3}]},
      "sharpen":0.25,"vignette":{"amount":0.5,"size":0.3,"softness":0.2},"grain":0.75,
      "perspective":{"scale":1.5,"x":20,"y":10,"distance":600,"rotateX":-10,"rotateY":[{"frame":0,"value":90},{"frame":5,"value":0}]},
      "shadows":[{"color":"#10203040","blur":6,"x":-2.5,"y":4,"intensity":2.5},{"color":"#000000ff"}],
      "piece":{"rotation":[{"frame":0,"value":-30},{"frame":9,"value":0}]})"));
  const Clip& clip = timeline.sections[0].clips[0];
  const ClipEffects& effects = clip.effects;
  REQUIRE(effects.reveal.has_value());
  CHECK(effects.reveal->left.at(3) == 0.25);
  CHECK(effects.reveal->top.at(3) == 0);
  CHECK(effects.reveal->bottom.at(2) == doctest::Approx(0.5));
  CHECK(effects.cornerRadius.at(7) == 3.5);
  CHECK(effects.blur.at(4) == doctest::Approx(4));
  CHECK(effects.blend == BlendMode::kColorDodge);
  REQUIRE(effects.mask.has_value());
  CHECK(effects.mask->source == 1);
  CHECK(effects.mask->media.in == 2);
  CHECK(effects.mask->media.loops == -1);
  CHECK(effects.mask->id != clip.id);
  CHECK(effects.mask->region == Rect{0.5, -0.25, 0.5, 2});
  REQUIRE(effects.chromaKey.has_value());
  CHECK(effects.chromaKey->at(4) == ChromaKey{{0, 255, 16, 255}, 25, 0.25, 0.5, 0.75, KeyView::kSpill});
  REQUIRE(effects.correction.has_value());
  CHECK(effects.correction->at(4) == Correction{0.1, -2, 1.5, 3});
  REQUIRE(effects.grade.has_value());
  CHECK(effects.grade->sources == std::vector{3});
  CHECK(effects.finish.at(4) == Finish{0.25, Vignette{0.5, 0.3, 0.2}, 0.75});
  REQUIRE(effects.perspective.has_value());
  CHECK(effects.perspective->scale == 1.5);
  CHECK(effects.perspective->x.constant == 20);
  CHECK(effects.perspective->y.constant == 10);
  CHECK(effects.perspective->distance.constant == 600);
  CHECK(effects.perspective->rotateX.at(3) == -10);
  CHECK(effects.perspective->rotateY.at(0) == 90);
  CHECK(effects.perspective->maps.empty());
  REQUIRE(effects.shadows.size() == 2);
  CHECK(effects.shadows[0].at(3) == DropShadow{{16, 32, 48, 64}, 6, -2.5, 4, 2.5});
  CHECK(effects.shadows[1].at(3) == DropShadow{{0, 0, 0, 255}, 0, 0, 0});
  CHECK(clip.piece->rotation.at(0) == -30);
}

TEST_CASE("drawListAt: the region of a mask covers the clip's box") {
  const Timeline timeline =
      timelineOf(withClip(R"(,"mask":{"source":1,"region":{"x":0.5,"y":0,"width":0.25,"height":1}})"));
  const DrawList list = drawListAt(timeline, 0);
  REQUIRE(list.layers.back().effects.has_value());
  const LayerEffects& effects = *list.layers.back().effects;
  // The whole mask is four times as wide as the box and begins two boxes to its left.
  CHECK(effects.maskBox.xx == doctest::Approx(4 * effects.box.xx));
  CHECK(effects.maskBox.yy == doctest::Approx(effects.box.yy));
  CHECK(effects.maskBox.dx == doctest::Approx(effects.box.dx - 2 * effects.box.xx));
  CHECK(effects.maskBox.dy == doctest::Approx(effects.box.dy));
}

TEST_CASE("drawListAt: effects change with their keyframes, and end where they change nothing") {
  const auto keys = [](const std::string& from, const std::string& to) {
    return R"([{"frame":0,"value":)" + from + R"(},{"frame":8,"value":)" + to + "}]";
  };
  const Timeline timeline =
      timelineOf(withClip(R"(,"cornerRadius":)" + keys("8", "0") + R"(,"sharpen":)" + keys("1", "0") +
                          R"(,"grain":)" + keys("0.5", "0") + R"(,"vignette":{"size":0.2,"amount":)" +
                          keys("0.8", "0") + R"(},"correction":{"brightness":)" + keys("-0.5", "0") +
                          R"(,"contrast":1,"gamma":1,"saturation":)" + keys("3", "1") + "}"));
  const auto effectsAt = [&](int64_t frame) { return drawListAt(timeline, frame).layers.back().effects; };
  REQUIRE(effectsAt(4).has_value());
  CHECK(effectsAt(4)->cornerRadius == doctest::Approx(4));
  CHECK(effectsAt(4)->finish == Finish{0.5, Vignette{0.4, 0.2, 0.8}, 0.25});
  CHECK(effectsAt(4)->correction == Correction{-0.25, 1, 1, 2});
  CHECK_FALSE(effectsAt(8));
}

TEST_CASE("drawListAt: shadows grow with their clip and fall outside its window") {
  const Timeline timeline = timelineOf(withClip(
      R"(,"scale":2,"clip":{"x":2,"y":1,"width":8,"height":6},"shadows":[{"color":"#000000ff","blur":3,"x":1,"y":-2}])"));
  const Layer layer = drawListAt(timeline, 0).layers.back();
  CHECK_FALSE(layer.window);
  REQUIRE(layer.effects.has_value());
  CHECK(layer.effects->cut == Affine{8, 0, 2, 0, 6, 1});
  CHECK(layer.effects->shadows == std::vector<DropShadow>{{{0, 0, 0, 255}, 6, 2, -4}});
}

TEST_CASE("drawListAt: a shadow without blur and offset is not drawn") {
  const Timeline timeline = timelineOf(withClip(
      R"(,"shadows":[{"color":"#ff0000ff","blur":[{"frame":0,"value":0},{"frame":2,"value":8}]},{"color":"#000000ff","y":2}])"));
  const auto shadowsAt = [&](int frame) {
    return drawListAt(timeline, frame).layers.back().effects->shadows;
  };
  CHECK(shadowsAt(0) == std::vector<DropShadow>{{{0, 0, 0, 255}, 0, 0, 2}});
  CHECK(shadowsAt(1).size() == 2);
}

TEST_CASE("parseTimeline: shadows have limits") {
  requireTimelineError(withClip(R"(,"shadows":[{"color":"#000000ff","blur":501}])"), "shadows.0.blur");
  requireTimelineError(withClip(R"(,"shadows":[{"blur":1}])"), "shadows.0.color");
  requireTimelineError(withClip(R"(,"shadows":[{"color":"#000000ff","intensity":4.1}])"),
                       "shadows.0.intensity");
  requireTimelineError(withClip(R"(,"shadows":[{"color":"#000000ff","x":"1"}])"), "shadows.0.x");
  const std::string shadow = R"({"color":"#000000ff"})";
  requireTimelineError(withClip(R"(,"shadows":[)" + shadow + "," + shadow + "," + shadow + "," + shadow +
                                "," + shadow + "," + shadow + "]"),
                       "shadows");
}

TEST_CASE("parseTimeline: effects are optional") {
  const ClipEffects effects = timelineOf(withClip("")).sections[0].clips[0].effects;
  CHECK_FALSE(effects.reveal);
  CHECK_FALSE(effects.mask);
  CHECK_FALSE(effects.chromaKey);
  CHECK_FALSE(effects.correction);
  CHECK_FALSE(effects.grade.has_value());
  CHECK(effects.finish.at(0) == Finish{});
  CHECK(effects.cornerRadius.maximum() == 0);
  CHECK(effects.shadows.empty());
  CHECK(effects.blur.maximum() == 0);
  CHECK(effects.blend == BlendMode::kNormal);
}

TEST_CASE("parseTimeline: reads every blend mode") {
  int known = 0;
  for (const char* name : {"normal", "multiply", "screen", "overlay", "darken", "lighten", "color-dodge",
                           "color-burn", "hard-light", "soft-light", "difference", "exclusion", "add"}) {
    const ClipEffects effects =
        timelineOf(withClip(R"(,"blend":")" + std::string(name) + "\"")).sections[0].clips[0].effects;
    CHECK(static_cast<int>(effects.blend) == known++);
  }
  CHECK(known == static_cast<int>(BlendMode::kAdd) + 1);
}

TEST_CASE("parseTimeline: reads waveform and loudness") {
  const Timeline timeline =
      timelineOf(withClip("", R"("waveform":{"color":"#ff000080","amplitude":2.5})", R"(,"loudness":-16)"));
  const Clip& clip = timeline.sections[0].clips[0];
  REQUIRE(clip.waveform.has_value());
  CHECK(clip.waveform->color.at(3) == Color{255, 0, 0, 128});
  CHECK(clip.waveform->amplitude.at(3) == 2.5);
  CHECK(clip.source == -1);
  CHECK(timeline.encode.loudness == -16);
  CHECK_FALSE(timelineOf(withClip("")).encode.loudness.has_value());
}

TEST_CASE("parseTimeline: an invalid effect is an error with its path") {
  const std::string clip = "sections.0.clips.0.";
  requireTimelineError(withClip(R"(,"reveal":{"left":1.5})"), clip + "reveal.left");
  requireTimelineError(withClip(R"(,"reveal":0.5)"), clip + "reveal");
  requireTimelineError(withClip(R"(,"reveal":{"top":[{"frame":0,"value":-0.1}]})"),
                       clip + "reveal.top.0.value");
  requireTimelineError(withClip(R"(,"cornerRadius":-1)"), clip + "cornerRadius");
  requireTimelineError(withClip(R"(,"blur":-1)"), clip + "blur");
  requireTimelineError(withClip(R"(,"blur":1e9)"), clip + "blur");
  requireTimelineError(withClip(R"(,"blend":"hue")"), clip + "blend");
  requireTimelineError(withClip(R"(,"blend":3)"), clip + "blend");
  requireTimelineError(withClip(R"(,"grade":{"tables":[{"source":3},{"source":0}]})"),
                       clip + "grade.tables.1.source");
  requireTimelineError(withClip(R"(,"grade":{"tables":[]})"), clip + "grade.tables");
  requireTimelineError(withClip(R"(,"grade":{"tables":[{"source":3}],"position":1})"),
                       clip + "grade.position");
  requireTimelineError(withClip(R"(,"mask":{"source":3})"), clip + "mask.source");
  requireTimelineError(withClip(R"(,"mask":{"source":2})"), clip + "mask.source");
  requireTimelineError(withClip(R"(,"mask":{})"), clip + "mask.source");
  requireTimelineError(withClip(R"(,"mask":{"source":1,"media":{"in":-1}})"), clip + "mask.media.in");
  requireTimelineError(withClip(R"(,"chromaKey":{"color":"#00ff00ff","tolerance":0})"),
                       clip + "chromaKey.tolerance");
  requireTimelineError(withClip(R"(,"chromaKey":{"color":"green","tolerance":5})"), clip + "chromaKey.color");
  requireTimelineError(withClip(R"(,"correction":{"brightness":0,"contrast":1,"gamma":0,"saturation":1})"),
                       clip + "correction.gamma");
  requireTimelineError(withClip(R"(,"correction":{"brightness":0,"contrast":1,"gamma":1})"),
                       clip + "correction.saturation");
  requireTimelineError(withClip(R"(,"piece":{"rotation":"fast"})"), clip + "piece.rotation");
  requireTimelineError(withClip("", R"("source":3)"), "sections.0.clips.0.source");
  requireTimelineError(withClip("", R"("waveform":{"color":"#ff0000ff","amplitude":11})"),
                       clip + "waveform.amplitude");
  requireTimelineError(withClip(R"(,"waveform":{"color":"#ff0000ff","amplitude":1})"), "exactly one");
  requireTimelineError(withClip("", R"("source":2)"), clip + "source");
  requireTimelineError(withClip("", R"("source":0)", R"(,"loudness":3)"), "encode.loudness");
}

TEST_CASE("drawListAt: a layer has only effects that change it") {
  const auto layerOf = [](const std::string& members, int64_t frame) {
    return drawListAt(timelineOf(withClip(members)), frame).layers.at(1);
  };
  const std::string still =
      R"(,"reveal":{"left":0},"cornerRadius":0,"blur":0,"blend":"normal",
      "correction":{"brightness":0,"contrast":1,"gamma":1,"saturation":1})";
  CHECK_FALSE(layerOf(still, 3).effects.has_value());
  CHECK(layerOf(still, 3) == layerOf("", 3));
  const std::string moving =
      R"(,"blur":[{"frame":0,"value":8},{"frame":4,"value":0}],"reveal":{"right":0.25})";
  const Layer early = layerOf(moving, 1);
  REQUIRE(early.effects.has_value());
  CHECK(early.effects->blur == doctest::Approx(6));
  CHECK(early.effects->revealed == Rect{0, 0, 0.75, 1});
  CHECK(early.effects->boxWidth == 20);
  CHECK(early != layerOf(moving, 2));
  CHECK(layerOf(moving, 5) == layerOf(moving, 6));
}

TEST_CASE("drawListAt: skips a fully hidden clip but not one whose blur is visible") {
  const auto layers = [](const std::string& members) {
    return drawListAt(timelineOf(withClip(members)), 0).layers.size();
  };
  CHECK(layers(R"(,"reveal":{"left":0.5,"right":0.5})") == 1);
  CHECK(layers(R"(,"reveal":{"top":1})") == 1);
  CHECK(layers(R"(,"x":50)") == 1);
  CHECK(layers(R"(,"x":50,"blur":6)") == 2);
  CHECK(layers(R"(,"x":80,"blur":6)") == 1);
}

TEST_CASE("drawListAt: reveal refers to the box's sides, also when the image is flipped") {
  const auto layer =
      drawListAt(timelineOf(withClip(R"(,"flipX":true,"reveal":{"left":0.25},"x":3)")), 0).layers.at(1);
  REQUIRE(layer.effects.has_value());
  CHECK(layer.effects->revealed == Rect{0.25, 0, 0.75, 1});
  CHECK(layer.effects->box.dx == 3);
  CHECK(layer.effects->box.xx == 20);
  CHECK(layer.toCanvas.xx == -20);
}

TEST_CASE("drawListAt: a mask's image has its own media time") {
  const auto list = drawListAt(timelineOf(withClip(R"(,"mask":{"source":1,"media":{"in":2}})")), 5);
  REQUIRE(list.images.size() == 2);
  CHECK(list.images[0].clip == -1);
  CHECK(list.images[1].source == 1);
  CHECK(list.images[1].mediaTime == 2200000);
  CHECK(list.layers.at(1).effects->mask == 1);
  const auto sizes = largestDrawnSizes(timelineOf(withClip(R"(,"mask":{"source":1},"scale":2)")));
  CHECK(sizes.at(1).width == 40);
}

TEST_CASE("drawListAt: a piece rotates around its anchor") {
  const auto layer =
      drawListAt(timelineOf(withClip(R"(,"piece":{"anchor":{"x":0,"y":0},"rotation":90,"x":15})")), 0)
          .layers.at(1);
  CHECK(layer.toCanvas.dx == doctest::Approx(15));
  CHECK(layer.toCanvas.dy == doctest::Approx(0));
  CHECK(layer.toCanvas.yx == doctest::Approx(20));
  CHECK(layer.toCanvas.xy == doctest::Approx(-10));
}

TEST_CASE("motion blur has copies along the way of a moving clip, and none of a still one") {
  const auto effectsAt = [](const std::string& members, int64_t frame) {
    return drawListAt(timelineOf(withClip(members)), frame).layers.at(1).effects;
  };
  const std::string moves = R"(,"x":[{"frame":0,"value":0},{"frame":8,"value":160}])";
  CHECK_FALSE(effectsAt(moves, 1).has_value());
  CHECK_FALSE(effectsAt(R"(,"motionBlur":0.5)", 2).has_value());
  CHECK_FALSE(
      effectsAt(R"(,"motionBlur":0.5,"x":[{"frame":0,"value":0},{"frame":9,"value":9}])", 2).has_value());

  const auto effects = effectsAt(R"(,"motionBlur":0.5)" + moves, 1);
  REQUIRE(effects.has_value());
  CHECK(effects->box.dx == doctest::Approx(25));
  REQUIRE(effects->motion.size() == 8);
  CHECK(effects->motion.front().dx == doctest::Approx(-4.375));
  CHECK(effects->motion.back().dx == doctest::Approx(4.375));
  CHECK(motionReach(*effects, {25, 0, 20, 10}) == doctest::Approx(4.375));

  // A jump between two frames is no motion.
  CHECK_FALSE(
      effectsAt(R"(,"motionBlur":1,"x":[{"frame":0,"value":0,"easing":"hold"},{"frame":3,"value":9}])", 2)
          .has_value());
  requireTimelineError(withClip(R"(,"motionBlur":1.5)"), "motionBlur");
}

TEST_CASE("drawListAt: chroma keys, vignettes and shutters change with their keyframes") {
  const auto effectsAt = [](const std::string& more, int64_t frame) {
    return drawListAt(timelineOf(withClip(more)), frame).layers.back().effects;
  };
  const std::string up = R"([{"frame":0,"value":0},{"frame":4,"value":1}])";
  const auto effects = effectsAt(
      R"(,"chromaKey":{"color":"#00ff00ff","tolerance":[{"frame":0,"value":1},{"frame":4,"value":9}],"softness":)" +
          up + R"(,"choke":)" + up + R"(},"vignette":{"amount":1,"size":)" + up + R"(,"softness":)" + up +
          "}",
      2);
  REQUIRE(effects.has_value());
  CHECK(effects->chromaKey == ChromaKey{{0, 255, 0, 255}, 5, 0.5, 1, 0.5, KeyView::kResult});
  CHECK(effects->finish.vignette == Vignette{1, 0.5, 0.5});
  const std::string moves = R"(,"x":[{"frame":0,"value":0},{"frame":9,"value":90}])";
  CHECK(
      effectsAt(R"(,"motionBlur":[{"frame":0,"value":0},{"frame":2,"value":1}])" + moves, 2)->motion.size() >
      1);
  CHECK_FALSE(
      effectsAt(R"(,"motionBlur":[{"frame":0,"value":0},{"frame":2,"value":1}])" + moves, 0).has_value());
}

TEST_CASE("drawListAt: a grade is a table, or a mixture of two") {
  const auto imageAt = [](const std::string& position) {
    const Timeline timeline = timelineOf(
        withClip(R"(,"grade":{"tables":[{"source":3},{"source":3}],"position":)" + position + "}"));
    const DrawList list = drawListAt(timeline, 2);
    return list.images[static_cast<size_t>(list.layers.back().effects->grade)];
  };
  CHECK(imageAt("0").mixedWith == -1);
  CHECK(imageAt("1").mixedWith == -1);
  const ImageRef mixed = imageAt(R"([{"frame":0,"value":0},{"frame":8,"value":1}])");
  CHECK(mixed.mixedWith == 3);
  CHECK(mixed.mixShare == kMaxMixShare / 4);
}

TEST_CASE(
    "drawListAt: grain differs between frames, and a vignette stays at the canvas that its clip fills") {
  const auto effectsAt = [](const std::string& members, int64_t frame) {
    return *drawListAt(timelineOf(withClip(members)), frame).layers.back().effects;
  };
  const std::string grain = R"(,"grain":0.5)";
  CHECK(effectsAt(grain, 3) == effectsAt(grain, 3));
  CHECK(effectsAt(grain, 3).grainSeed != effectsAt(grain, 4).grainSeed);
  CHECK(effectsAt(grain, 3).grainSize == 1);
  const std::string vignette = R"(,"vignette":{"amount":0.5})";
  CHECK(effectsAt(vignette, 0).vignetteBox == effectsAt(vignette, 0).box);
  const LayerEffects zoomed = effectsAt(vignette + R"(,"scale":5)", 0);
  CHECK(zoomed.vignetteBox == scaling(40, 20));
  requireTimelineError(withClip(R"(,"vignette":{})"), "vignette.amount");
  requireTimelineError(withClip(R"(,"vignette":{"amount":2})"), "vignette.amount");
  requireTimelineError(withClip(R"(,"sharpen":-1)"), "sharpen");
  requireTimelineError(withClip(R"(,"grain":1.5)"), "grain");
}

TEST_CASE("drawListAt: anchors and the viewer of a perspective follow their keyframes") {
  const Timeline anchored = timelineOf(
      withClip(R"(,"scale":0.5,"anchor":{"x":[{"frame":0,"value":0},{"frame":4,"value":1}],"y":0})"));
  for (const int64_t frame : {0, 2, 4}) {
    const Affine placed = drawListAt(anchored, frame).layers.back().toCanvas;
    CHECK(placed.dx == doctest::Approx(static_cast<double>(frame) * 2.5));
    CHECK(placed.dy == doctest::Approx(0));
  }
  const auto seenFrom = [](const std::string& distance) {
    const Timeline timeline =
        timelineOf(withClip(R"(,"perspective":{"rotateY":30,"distance":)" + distance + "}"));
    return drawListAt(timeline, 2).layers.back().effects->projection->m;
  };
  CHECK(seenFrom(R"([{"frame":0,"value":100},{"frame":4,"value":300}])") == seenFrom("200"));
}
