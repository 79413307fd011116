#include "compositor/effect_testing.h"

using namespace framewright;

namespace {

Layer shadowed(const Layer& layer, const std::vector<DropShadow>& shadows) {
  LayerEffects effects;
  effects.shadows = shadows;
  const double width = layer.toCanvas.xx, height = layer.toCanvas.yy;
  return withEffects(layer, effects, width, height);
}

const Color kRed{255, 0, 0, 255};

}  // namespace

TEST_CASE("a drop shadow without blur is the layer's shape in its colour, moved") {
  Composing composing;
  const Layer card = fillLayer({40, 200, 60, 255}, {20, 20, 60, 40});
  const auto frame = composing.compose(
      120, 100, {fillLayer(kWhiteColor, {0, 0, 120, 100}), shadowed(card, {{kRed, 0, 10, 14}})});
  CHECK(difference(rgbAt(*frame, 50, 40), {40, 200, 60}) < 3);
  CHECK(difference(rgbAt(*frame, 85, 60), rgbOf(kRed)) < 4);  // right of the card
  CHECK(difference(rgbAt(*frame, 50, 68), rgbOf(kRed)) < 4);  // under it
  CHECK(difference(rgbAt(*frame, 25, 68), rgbOf(kWhiteColor)) < 3);
  CHECK(difference(rgbAt(*frame, 95, 60), rgbOf(kWhiteColor)) < 3);
}

TEST_CASE("a drop shadow moved by part of a pixel covers part of its edge pixels") {
  Composing composing;
  const Layer card = fillLayer(kWhiteColor, {20, 20, 40, 40});
  const auto frame = composing.compose(
      100, 80, {fillLayer(kWhiteColor, {0, 0, 100, 80}), shadowed(card, {{kBlackColor, 0, 8.25, 0}})});
  CHECK(std::abs(sampleAt(*frame, 0, 67, 40) - 16) <= 1);
  CHECK(std::abs(sampleAt(*frame, 0, 68, 40) - (235 - 0.25 * 219)) <= 2);
  CHECK(std::abs(sampleAt(*frame, 0, 69, 40) - 235) <= 1);
}

TEST_CASE("a blurred drop shadow falls off as a Gaussian, on all sides and beyond its layer") {
  Composing composing;
  constexpr double kSigma = 8;
  const Layer card = fillLayer(kWhiteColor, {100, 100, 100, 100});
  const auto frame = composing.compose(
      300, 300, {fillLayer(kWhiteColor, {0, 0, 300, 300}), shadowed(card, {{{0, 0, 0, 128}, kSigma, 0, 0}})});
  for (int distance = 1; distance < 24; ++distance) {
    const double covered = 0.5 * std::erfc((distance - 0.5) / (kSigma * std::sqrt(2.0)));
    const double expected = 235 - 219 * covered * 128 / 255;
    CAPTURE(distance);
    CHECK(std::abs(sampleAt(*frame, 0, 199 + distance, 150) - expected) < 3);
    CHECK(std::abs(sampleAt(*frame, 0, 100 - distance, 150) - expected) < 3);
    CHECK(std::abs(sampleAt(*frame, 0, 150, 199 + distance) - expected) < 3);
    CHECK(std::abs(sampleAt(*frame, 0, 150, 100 - distance) - expected) < 3);
  }
}

TEST_CASE("the first of two drop shadows is in front, and a transparent layer shows them") {
  Composing composing;
  Layer card = fillLayer({0, 0, 255, 255}, {20, 20, 40, 40}, 0.5);
  const auto frame = composing.compose(
      120, 80,
      {fillLayer(kWhiteColor, {0, 0, 120, 80}), shadowed(card, {{kRed, 0, 20, 0}, {kBlackColor, 0, 40, 0}})});
  // Half of white and half of what the layer and its shadows are together.
  CHECK(difference(rgbAt(*frame, 70, 40), {255, 128, 128}) < 4);
  CHECK(difference(rgbAt(*frame, 90, 40), {128, 128, 128}) < 4);
  CHECK(difference(rgbAt(*frame, 40, 40), {128, 128, 255}) < 4);
}

TEST_CASE("a cut layer casts no shadow with what is cut off") {
  Composing composing;
  Layer card = shadowed(fillLayer(kWhiteColor, {0, 20, 100, 40}), {{kBlackColor, 0, 0, 30}});
  card.effects->cut = Affine{30, 0, 40, 0, 40, 20};
  const auto frame = composing.compose(100, 100, {fillLayer({0, 0, 255, 255}, {0, 0, 100, 100}), card});
  CHECK(difference(rgbAt(*frame, 54, 74), rgbOf(kBlackColor)) < 3);
  CHECK(difference(rgbAt(*frame, 20, 74), {0, 0, 255}) < 3);
  CHECK(difference(rgbAt(*frame, 20, 40), {0, 0, 255}) < 3);
  CHECK(difference(rgbAt(*frame, 54, 40), rgbOf(kWhiteColor)) < 3);
}

TEST_CASE("a shadow is drawn whose layer is outside the canvas") {
  Composing composing;
  const Layer card = shadowed(fillLayer(kWhiteColor, {-60, 10, 50, 40}), {{kRed, 2, 40, 0}});
  const auto frame = composing.compose(80, 60, {fillLayer(kWhiteColor, {0, 0, 80, 60}), card});
  CHECK(difference(rgbAt(*frame, 10, 30), rgbOf(kRed)) < 4);
}

TEST_CASE("the intensity of a shadow multiplies its blurred shape, which stays opaque at the most") {
  Composing composing;
  const Layer card = fillLayer(kWhiteColor, {60, 60, 80, 80});
  const auto shadeAt = [&](double intensity, int x) {
    const auto frame = composing.compose(
        200, 200,
        {fillLayer(kWhiteColor, {0, 0, 200, 200}), shadowed(card, {{kBlackColor, 12, 0, 0, intensity}})});
    return 235 - sampleAt(*frame, 0, x, 100);
  };
  for (const int x : {35, 45, 55}) {
    CAPTURE(x);
    const int once = shadeAt(1, x);
    CHECK(shadeAt(0, x) == 0);
    CHECK(std::abs(shadeAt(2, x) - std::min(219, 2 * once)) <= 2);
    CHECK(std::abs(shadeAt(4, x) - std::min(219, 4 * once)) <= 3);
  }
}
