#include "compositor/effect_testing.h"

using namespace framewright;

namespace {

LayerEffects finished(const Finish& finish, const Affine& vignetteBox = {}) {
  LayerEffects effects;
  effects.finish = finish;
  effects.vignetteBox = vignetteBox;
  return effects;
}

struct Statistics {
  double mean = 0, deviation = 0;
};

Statistics lumaOf(const Image& frame) {
  Statistics luma;
  const Plane& plane = frame.plane(0);
  const double samples = double{1} * plane.width * plane.height;
  double squares = 0;
  for (int y = 0; y < plane.height; ++y) {
    for (int x = 0; x < plane.width; ++x) {
      luma.mean += sampleAt(frame, 0, x, y) / samples;
      squares += sampleAt(frame, 0, x, y) * sampleAt(frame, 0, x, y) / samples;
    }
  }
  luma.deviation = std::sqrt(std::max(0.0, squares - luma.mean * luma.mean));
  return luma;
}

Layer grey(uint8_t level, int width, int height) {
  return fillLayer({level, level, level, 255}, {0, 0, width * 1.0, height * 1.0});
}

}  // namespace

TEST_CASE("a vignette darkens from the centre to the corners, in brightness and colour") {
  Composing composing;
  constexpr int kWidth = 160, kHeight = 90;
  const Color orange{255, 140, 30, 255};
  const Layer layer =
      withEffects(fillLayer(orange, {0, 0, kWidth, kHeight}),
                  finished({0, Vignette{1, 0.4, 0.6}, 0}, scaling(kWidth, kHeight)), kWidth, kHeight);
  const auto frame = composing.compose(kWidth, kHeight, {layer});
  CHECK(difference(rgbAt(*frame, kWidth / 2, kHeight / 2), rgbOf(orange)) < 3);
  CHECK(difference(rgbAt(*frame, 0, 0), {0, 0, 0}) < 6);
  CHECK(difference(rgbAt(*frame, kWidth - 1, kHeight - 1), {0, 0, 0}) < 6);
  int last = 255;
  for (int i = 0; i <= 40; ++i) {
    const int x = kWidth / 2 + i * (kWidth / 2 - 1) / 40, y = kHeight / 2 + i * (kHeight / 2 - 1) / 40;
    CHECK(sampleAt(*frame, 0, x, y) <= last);
    last = sampleAt(*frame, 0, x, y);
  }
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      CHECK(std::abs(sampleAt(*frame, 0, x, y) - sampleAt(*frame, 0, kWidth - 1 - x, y)) <= 1);
      CHECK(std::abs(sampleAt(*frame, 0, x, y) - sampleAt(*frame, 0, x, kHeight - 1 - y)) <= 1);
    }
  }
}

TEST_CASE("a vignette leaves what is transparent, and follows a rotated box") {
  Composing composing;
  Layer layer = fillLayer({200, 200, 200, 255}, {60, 10, 80, 80});
  layer.toCanvas = translation(100, 50) * rotationDegrees(45) * translation(-40, -40) * scaling(80, 80);
  const auto frame = composing.compose(
      200, 100, {withEffects(layer, finished({0, Vignette{1, 0.2, 0.8}, 0}, layer.toCanvas), 80, 80)});
  CHECK(sampleAt(*frame, 0, 5, 50) == 16);
  CHECK(sampleAt(*frame, 0, 100, 50) >= 187);
  // The corners of the rotated box are at the left and the right.
  CHECK(sampleAt(*frame, 0, 50, 50) < 40);
  CHECK(sampleAt(*frame, 0, 150, 50) < 40);
  CHECK(sampleAt(*frame, 0, 72, 22) > 60);
}

TEST_CASE("sharpening steepens edges, and leaves flat areas and the edges of a layer") {
  Composing composing;
  const int edge = composing.add(*paintRgba(80, 40, [](int x, int) {
    return x < 40 ? Color{100, 100, 100, 255} : Color{160, 160, 160, 255};
  }));
  const Layer plain = imageLayer(edge, {10, 10, 80, 40});
  const auto soft = composing.compose(100, 60, {plain});
  const auto sharp = composing.compose(100, 60, {withEffects(plain, finished({0.5, {}, 0}), 80, 40)});
  const auto at = [](const std::shared_ptr<Image>& frame, int x) { return sampleAt(*frame, 0, x, 30); };
  CHECK(at(sharp, 30) == at(soft, 30));
  CHECK(at(sharp, 70) == at(soft, 70));
  CHECK(at(sharp, 49) < at(soft, 49) - 10);
  CHECK(at(sharp, 50) > at(soft, 50) + 10);
  for (const int x : {9, 10, 11, 12, 87, 88, 89, 90}) CHECK(at(sharp, x) == at(soft, x));
  const auto none = composing.compose(100, 60, {withEffects(plain, finished({0.001, {}, 0}), 80, 40)});
  CHECK(std::abs(at(none, 50) - at(soft, 50)) <= 1);
}

TEST_CASE("sharpening stays within black and white") {
  Composing composing;
  const int checks = composing.add(*paintRgba(64, 64, [](int x, int y) {
    return (x / 4 + y / 4) % 2 == 0 ? Color{0, 0, 0, 255} : Color{255, 255, 255, 255};
  }));
  const auto frame = composing.compose(
      64, 64, {withEffects(imageLayer(checks, {0, 0, 64, 64}), finished({1, {}, 0}), 64, 64)});
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x) {
      CHECK(sampleAt(*frame, 0, x, y) >= 16);
      CHECK(sampleAt(*frame, 0, x, y) <= 235);
    }
  }
}

TEST_CASE("grain has its strength in midtones, keeps the mean, and differs between frames") {
  Composing composing;
  const auto grained = [&](uint8_t level, double amount, uint32_t seed, int size = 1) {
    LayerEffects effects = finished({0, {}, amount});
    effects.grainSeed = seed;
    effects.grainSize = size;
    return composing.compose(320, 180, {withEffects(grey(level, 320, 180), effects, 320, 180)});
  };
  for (const int size : {1, 2, 4}) {
    const auto frame = grained(128, 0.5, 1234567, size);
    const Statistics luma = lumaOf(*frame);
    CAPTURE(size);
    CHECK(std::abs(luma.mean - 126) < 1.2);
    CHECK(std::abs(luma.deviation - 10) < 1);
    for (int y = 0; y < 90; ++y) {
      for (int x = 0; x < 160; ++x) CHECK(sampleAt(*frame, 1, x, y) == 128);
    }
  }
  CHECK(lumaOf(*grained(0, 1, 5)).deviation < 0.001);
  CHECK(lumaOf(*grained(255, 1, 5)).deviation < 0.001);
  CHECK(lumaOf(*grained(40, 0.5, 5)).deviation < 7);
  const auto first = grained(128, 0.3, 1), second = grained(128, 0.3, 2), again = grained(128, 0.3, 1);
  int differing = 0;
  for (int y = 0; y < 180; ++y) {
    for (int x = 0; x < 320; ++x) {
      CHECK(sampleAt(*first, 0, x, y) == sampleAt(*again, 0, x, y));
      if (sampleAt(*first, 0, x, y) != sampleAt(*second, 0, x, y)) ++differing;
    }
  }
  CHECK(differing > 320 * 180 / 2);
}

TEST_CASE("an opaque layer is drawn alike in the frame and on a surface of its own") {
  constexpr int kWidth = 96, kHeight = 64;
  Composing composing;
  const int photo = composing.add(*paintRgba(kWidth, kHeight, [](int x, int y) {
    return Color{static_cast<uint8_t>(x * 37 % 256), static_cast<uint8_t>(x + 2 * y),
                 static_cast<uint8_t>(y * 53 % 256), 255};
  }));
  LayerEffects effects = finished({0, Vignette{0.7, 0.2, 0.8}, 0.6}, scaling(kWidth, kHeight));
  effects.correction = Correction{0.05, 1.3, 1.4, 1.6};
  effects.grainSeed = 4711;
  const auto compare = [&](const Layer& layer) {
    DrawList list;
    list.layers = {fillLayer({10, 200, 90, 255}, {0, 0, 50, 50}), layer};
    for (const bool isDithered : {false, true}) {
      list.isDithered = isDithered;
      // From the second frame on the surface is cached.
      const auto first = composing.composeList(kWidth, kHeight, list),
                 second = composing.composeList(kWidth, kHeight, list);
      CHECK(largestDifference(*first, *second) == 0);
    }
  };
  const Layer whole = imageLayer(photo, {0, 0, kWidth, kHeight});
  compare(withEffects(whole, effects, kWidth, kHeight));
  Layer window = withEffects(whole, effects, kWidth, kHeight);
  window.window = Rect{10, 6, 40, 30};
  compare(window);
}
