#include "compositor/effect_testing.h"

using namespace framewright;

namespace {

const Color kRed{255, 0, 0, 255}, kBlue{0, 0, 255, 255};

Layer groupOf(std::vector<Layer> members, double opacity, int width, int height) {
  Layer group = fillLayer({}, {0, 0, width * 1.0, height * 1.0}, opacity);
  group.kind = Layer::Kind::kGroup;
  group.group = std::move(members);
  return withEffects(group, {}, width, height);
}

// A turn by `degrees` about the vertical axis at (x, y), seen from `distance`.
Homography rotated(double degrees, double x, double y, double distance) {
  const double angle = degrees * 3.14159265358979323846 / 180;
  return homography(translation(x, y)) *
         Homography{{std::cos(angle), 0, 0, 0, 1, 0, std::sin(angle) / distance, 0, 1}} *
         homography(translation(-x, -y));
}

}  // namespace

TEST_CASE("the opacity of a group is that of its members together") {
  Composing composing;
  const auto frame = composing.compose(
      120, 60,
      {fillLayer(kWhiteColor, {0, 0, 120, 60}),
       groupOf({fillLayer(kRed, {10, 10, 60, 40}), fillLayer(kBlue, {50, 10, 60, 40})}, 0.5, 120, 60)});
  CHECK(difference(rgbAt(*frame, 20, 30), {255, 128, 128}) < 4);
  CHECK(difference(rgbAt(*frame, 60, 30), {128, 128, 255}) < 4);  // nothing of the red below
  CHECK(difference(rgbAt(*frame, 100, 30), {128, 128, 255}) < 4);
  CHECK(difference(rgbAt(*frame, 4, 4), rgbOf(kWhiteColor)) < 2);
}

TEST_CASE("the shadow of a group falls behind all its members") {
  Composing composing;
  Layer group = groupOf({fillLayer(kRed, {10, 10, 60, 40}), fillLayer(kBlue, {30, 20, 20, 10})}, 1, 120, 90);
  group.effects->shadows = {{kBlackColor, 0, 10, 25}};
  const auto frame = composing.compose(120, 90, {fillLayer(kWhiteColor, {0, 0, 120, 90}), group});
  CHECK(difference(rgbAt(*frame, 40, 25), rgbOf(kBlue)) < 4);
  CHECK(difference(rgbAt(*frame, 60, 46), rgbOf(kRed)) < 4);  // where the blue one's shadow would be
  CHECK(difference(rgbAt(*frame, 60, 66), rgbOf(kBlackColor)) < 4);
}

TEST_CASE("groups within groups and effects of members are drawn, at any place of the canvas") {
  Composing composing;
  LayerEffects rounded;
  rounded.cornerRadius = 20;
  Layer card = withEffects(fillLayer(kRed, {40, 30, 60, 60}), rounded, 60, 60);
  Layer inner = groupOf({card, fillLayer(kBlue, {60, 50, 20, 20})}, 0.5, 160, 120);
  const auto frame = composing.compose(
      160, 120, {fillLayer(kWhiteColor, {0, 0, 160, 120}), groupOf({inner}, 0.5, 160, 120)});
  CHECK(difference(rgbAt(*frame, 70, 40), {255, 191, 191}) < 4);
  CHECK(difference(rgbAt(*frame, 70, 60), {191, 191, 255}) < 4);
  CHECK(difference(rgbAt(*frame, 42, 32), rgbOf(kWhiteColor)) < 3);  // the rounded corner
}

TEST_CASE("a group that does not change is drawn as before, and one whose member changes anew") {
  Composing composing;
  const auto list = [](double x) {
    return std::vector<Layer>{
        fillLayer(kWhiteColor, {0, 0, 120, 60}),
        groupOf({fillLayer(kRed, {10, 10, 40, 40}), fillLayer(kBlue, {x, 10, 40, 40})}, 0.5, 120, 60)};
  };
  for (int i = 0; i < 4; ++i) composing.compose(120, 60, list(60));
  const auto moved = composing.compose(120, 60, list(70));
  CHECK(difference(rgbAt(*moved, 64, 30), rgbOf(kWhiteColor)) < 3);
  CHECK(difference(rgbAt(*moved, 104, 30), {128, 128, 255}) < 4);
}

TEST_CASE("a projected layer shows its content where the map takes it") {
  Composing composing;
  constexpr int kWidth = 200, kHeight = 140;
  const auto wave = [](double x, double y) { return 128 + 60 * std::sin(x / 9) + 40 * std::cos(y / 7); };
  const int image = composing.addVideo(paintPlanes(120, 80, [&](int p, int x, int y) {
    return p == 0 ? static_cast<int>(std::lround(wave(x + 0.5, y + 0.5))) : 128;
  }));
  for (const double degrees : {-50.0, -20.0, 5.0, 35.0, 60.0}) {
    Layer card = withEffects(imageLayer(image, {40, 30, 120, 80}), {}, 120, 80);
    card.effects->projection = rotated(degrees, 100, 70, 300);
    const Homography back = inverse(*card.effects->projection);
    const auto frame =
        composing.compose(kWidth, kHeight, {fillLayer(kBlackColor, {0, 0, kWidth, kHeight}), card});
    CAPTURE(degrees);
    double largest = 0, sum = 0;
    int inside = 0, outside = 0;
    for (int y = 2; y < kHeight - 2; ++y) {
      for (int x = 2; x < kWidth - 2; ++x) {
        const Point at = mapped(back, {x + 0.5, y + 0.5});
        const double u = at.x - 40, v = at.y - 30;
        if (u > 3 && v > 3 && u < 117 && v < 77) {
          const double off = std::abs(sampleAt(*frame, 0, x, y) - wave(u, v));
          largest = std::max(largest, off);
          sum += off;
          ++inside;
        } else if (u < -3 || v < -3 || u > 123 || v > 83) {
          CHECK(sampleAt(*frame, 0, x, y) == 16);
          ++outside;
        }
      }
    }
    CHECK(inside > 2000);
    CHECK(outside > 2000);
    // Bilinear interpolation lowers the peaks of the waves.
    CHECK(largest < 5);
    CHECK(sum / inside < 1);
  }
}

TEST_CASE("the edges of a projected layer are as wide as a pixel, and straight") {
  Composing composing;
  constexpr int kWidth = 160, kHeight = 120;
  Layer card = withEffects(fillLayer(kWhiteColor, {30, 20, 100, 80}), {}, 100, 80);
  card.effects->projection = rotated(40, 80, 60, 250);
  const auto frame =
      composing.compose(kWidth, kHeight, {fillLayer(kBlackColor, {0, 0, kWidth, kHeight}), card});
  const Point left = mapped(*card.effects->projection, {30, 60}),
              right = mapped(*card.effects->projection, {130, 60});
  const auto covered = [&](int from, int to) {
    double sum = 0;
    for (int x = from; x < to; ++x) sum += (sampleAt(*frame, 0, x, 60) - 16) / 219.0;
    return sum;
  };
  CHECK(std::abs(covered(0, 80) - (80 - left.x)) < 0.15);
  CHECK(std::abs(covered(80, kWidth) - (right.x - 80)) < 0.15);
  int soft = 0;
  for (int x = 0; x < kWidth; ++x)
    soft += sampleAt(*frame, 0, x, 60) > 20 && sampleAt(*frame, 0, x, 60) < 230;
  CHECK(soft <= 4);
}

TEST_CASE("a layer that is minified in perspective does not alias") {
  Composing composing;
  const int checks = composing.addVideo(paintPlanes(
      256, 256, [](int p, int x, int y) { return p == 0 ? ((x + y) % 2 == 0 ? 16 : 235) : 128; }));
  Layer card = withEffects(imageLayer(checks, {0, 0, 256, 256}), {}, 256, 256);
  card.effects->projection = homography(scaling(0.3, 0.3));
  const auto frame = composing.compose(100, 100, {fillLayer(kBlackColor, {0, 0, 100, 100}), card});
  for (int y = 10; y < 66; ++y) {
    for (int x = 10; x < 66; ++x) CHECK(std::abs(sampleAt(*frame, 0, x, y) - 126) < 20);
  }
}

TEST_CASE("a revealed part of a projected layer is cut on its plane, and casts the shadow of its shape") {
  Composing composing;
  Layer card = withEffects(fillLayer(kRed, {40, 40, 80, 80}), {}, 80, 80);
  card.effects->revealed = {0, 0, 0.5, 1};
  card.effects->projection = homography(translation(30, 0));
  card.effects->shadows = {{kBlackColor, 0, 0, 20}};
  const auto frame = composing.compose(180, 160, {fillLayer(kWhiteColor, {0, 0, 180, 160}), card});
  CHECK(difference(rgbAt(*frame, 74, 80), rgbOf(kRed)) < 4);
  CHECK(difference(rgbAt(*frame, 106, 80), rgbOf(kRed)) < 4);
  CHECK(difference(rgbAt(*frame, 114, 80), rgbOf(kWhiteColor)) < 3);
  CHECK(difference(rgbAt(*frame, 90, 134), rgbOf(kBlackColor)) < 4);
  CHECK(difference(rgbAt(*frame, 114, 134), rgbOf(kWhiteColor)) < 3);
  // The same without the projection: the shadow is not cut with its layer.
  card.effects->projection.reset();
  card.effects->shadows = {{kBlackColor, 0, 20, 0}};
  const auto flat = composing.compose(180, 160, {fillLayer(kWhiteColor, {0, 0, 180, 160}), card});
  CHECK(difference(rgbAt(*flat, 90, 80), rgbOf(kBlackColor)) < 4);
  CHECK(difference(rgbAt(*flat, 106, 80), rgbOf(kWhiteColor)) < 3);
}

TEST_CASE("extreme perspective draws nothing outside, and does not fail") {
  Composing composing;
  for (const double degrees : {80.0, 89.0, 89.999, 90.0, 91.0, 179.0, -89.5, 270.0}) {
    for (const double distance : {20.0, 100.0, 5000.0}) {
      Layer card = withEffects(fillLayer(kRed, {20, 20, 100, 60}), {}, 100, 60);
      card.effects->projection = rotated(degrees, 70, 50, distance);
      const auto frame = composing.compose(140, 100, {fillLayer(kWhiteColor, {0, 0, 140, 100}), card});
      CHECK(frame->width() == 140);
    }
  }
}

TEST_CASE("a shadow of a projected layer falls on the canvas, not on its plane") {
  Composing composing;
  Layer card = withEffects(fillLayer(kRed, {40, 30, 80, 60}), {}, 80, 60);
  card.effects->projection = rotated(45, 80, 60, 400);
  card.effects->shadows = {{kBlackColor, 0, 0, 30}};
  const auto frame = composing.compose(160, 160, {fillLayer(kWhiteColor, {0, 0, 160, 160}), card});
  CHECK(difference(rgbAt(*frame, 80, 60), rgbOf(kRed)) < 4);
  CHECK(difference(rgbAt(*frame, 80, 112), rgbOf(kBlackColor)) < 4);
}
