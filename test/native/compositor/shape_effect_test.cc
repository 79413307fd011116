#include "compositor/effect_testing.h"

using namespace framewright;

namespace {

// Coverage of pixel (x, y) by `inside`, from 32 x 32 samples.
template <class Inside>
double covered(int x, int y, const Inside& inside) {
  int hits = 0;
  constexpr int kPoints = 32;
  for (int j = 0; j < kPoints; ++j) {
    for (int i = 0; i < kPoints; ++i) hits += inside(x + (i + 0.5) / kPoints, y + (j + 0.5) / kPoints);
  }
  return hits / static_cast<double>(kPoints * kPoints);
}

// Maximum difference between a white shape's luma over black and exact coverage, in 8-bit levels.
template <class Inside>
double largestCoverageError(const Image& frame, const Inside& inside) {
  double largest = 0;
  for (int y = 0; y < frame.height(); ++y) {
    for (int x = 0; x < frame.width(); ++x) {
      const double shown = (sampleAt(frame, 0, x, y) - 16) / 219.0;
      largest = std::max(largest, std::abs(shown - covered(x, y, inside)));
    }
  }
  return largest * 255;
}

bool inRoundBox(double x, double y, double width, double height, double radius) {
  if (x < 0 || y < 0 || x > width || y > height) return false;
  const double dx = std::max({radius - x, 0.0, x - (width - radius)});
  const double dy = std::max({radius - y, 0.0, y - (height - radius)});
  return dx * dx + dy * dy <= radius * radius;
}

LayerEffects rounded(double radius) {
  LayerEffects effects;
  effects.cornerRadius = radius;
  return effects;
}

LayerEffects revealing(const Rect& part) {
  LayerEffects effects;
  effects.revealed = part;
  return effects;
}

}  // namespace

TEST_CASE("round corners of an axis-aligned box are antialiased at subpixel positions") {
  Composing composing;
  for (const Rect rect : {Rect{8, 8, 60, 40}, Rect{8.3, 7.6, 60.5, 40.2}}) {
    const auto frame = composing.compose(
        80, 60, {withEffects(fillLayer(kWhiteColor, rect), rounded(14), rect.width, rect.height)});
    const auto inside = [&](double x, double y) {
      return inRoundBox(x - rect.x, y - rect.y, rect.width, rect.height, 14);
    };
    CHECK(largestCoverageError(*frame, inside) < 14);
  }
}

TEST_CASE("a radius beyond half the shorter side makes a pill") {
  Composing composing;
  const auto frame = composing.compose(
      80, 60, {withEffects(fillLayer(kWhiteColor, {10, 10, 60, 30}), rounded(1000), 60, 30)});
  const auto inside = [](double x, double y) { return inRoundBox(x - 10, y - 10, 60, 30, 15); };
  CHECK(largestCoverageError(*frame, inside) < 14);
}

TEST_CASE("round corners scale and rotate with the clip and stretch with a piece") {
  Composing composing;
  // 30 x 20, then scaled by 2 and rotated.
  const Affine rotated =
      translation(50, 40) * rotationDegrees(25) * scaling(60, 40) * translation(-0.5, -0.5);
  Layer layer = fillLayer(kWhiteColor, {0, 0, 1, 1});
  layer.toCanvas = rotated;
  const auto frame = composing.compose(100, 80, {withEffects(layer, rounded(8), 30, 20)});
  const Affine back = inverse(rotated);
  const auto inside = [&](double x, double y) {
    const double u = back.xx * x + back.xy * y + back.dx, v = back.yx * x + back.yy * y + back.dy;
    return inRoundBox(u * 60, v * 40, 60, 40, 16);
  };
  CHECK(largestCoverageError(*frame, inside) < 20);

  const auto wide = composing.compose(
      100, 80, {withEffects(fillLayer(kWhiteColor, {10, 10, 80, 30}), rounded(10), 40, 30)});
  const auto ellipse = [](double x, double y) { return inRoundBox((x - 10) / 2, y - 10, 40, 30, 10); };
  CHECK(largestCoverageError(*wide, ellipse) < 24);
}

TEST_CASE("round corners clip images without seams along straight edges") {
  Composing composing;
  const int image = composing.add(*paintRgba(64, 64, [](int, int) { return kWhiteColor; }));
  const Rect rect{9.5, 12.25, 50, 40};
  const auto frame =
      composing.compose(80, 64, {withEffects(imageLayer(image, rect), rounded(12), rect.width, rect.height)});
  const auto inside = [&](double x, double y) {
    return inRoundBox(x - rect.x, y - rect.y, rect.width, rect.height, 12);
  };
  CHECK(largestCoverageError(*frame, inside) < 14);
}

TEST_CASE("a reveal hides parts of an axis-aligned box with subpixel edges") {
  Composing composing;
  const Rect part{0.255, 0, 0.5, 0.9};
  const auto frame = composing.compose(
      80, 60, {withEffects(fillLayer(kWhiteColor, {10, 10, 60, 40}), revealing(part), 60, 40)});
  const auto inside = [](double x, double y) {
    const double u = (x - 10) / 60, v = (y - 10) / 40;
    return u >= 0.255 && u <= 0.755 && v >= 0 && v <= 0.9;
  };
  CHECK(largestCoverageError(*frame, inside) < 3);
}

TEST_CASE("a reveal rotates with its box") {
  Composing composing;
  const Affine rotated =
      translation(50, 40) * rotationDegrees(-30) * scaling(60, 40) * translation(-0.5, -0.5);
  Layer layer = fillLayer(kWhiteColor, {0, 0, 1, 1});
  layer.toCanvas = rotated;
  const auto frame = composing.compose(100, 80, {withEffects(layer, revealing({0, 0.3, 0.6, 0.7}), 60, 40)});
  const Affine back = inverse(rotated);
  const auto inside = [&](double x, double y) {
    const double u = back.xx * x + back.xy * y + back.dx, v = back.yx * x + back.yy * y + back.dy;
    return u >= 0 && u <= 0.6 && v >= 0.3 && v <= 1;
  };
  // Where two rotated edges meet, the product of their coverages is used.
  CHECK(largestCoverageError(*frame, inside) < 40);
}

TEST_CASE("a reveal without effect and a radius of 0 do not change the layer's samples") {
  Composing composing;
  const int image = composing.add(*paintRgba(50, 30, [](int x, int y) {
    return Color{static_cast<uint8_t>(5 * x), static_cast<uint8_t>(8 * y), 90, static_cast<uint8_t>(200 + x)};
  }));
  const Layer plain = imageLayer(image, {4.5, 6, 50, 30});
  const Layer ground = fillLayer({40, 120, 60, 255}, {0, 0, 64, 48});
  const auto expected = composing.compose(64, 48, {ground, plain});
  const auto frame = composing.compose(64, 48, {ground, withEffects(plain, {}, 50, 30)});
  CHECK(largestDifference(*frame, *expected) == 0);
}

TEST_CASE("effects inside a transition are drawn") {
  Composing composing;
  Layer transition;
  transition.kind = Layer::Kind::kTransition;
  transition.style = "fade";
  transition.progress = 0.5;
  auto from = std::make_shared<DrawList>(), to = std::make_shared<DrawList>();
  from->layers = {fillLayer(kBlackColor, {0, 0, 64, 64})};
  to->layers = {withEffects(fillLayer(kWhiteColor, {0, 0, 64, 64}), rounded(32), 64, 64)};
  transition.from = from;
  transition.to = to;
  const auto frame = composing.compose(64, 64, {transition});
  CHECK(std::abs(sampleAt(*frame, 0, 32, 32) - (16 + 219 / 2.0)) <= 1);
  CHECK(sampleAt(*frame, 0, 1, 1) == 16);
}
