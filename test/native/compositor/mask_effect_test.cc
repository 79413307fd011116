#include "compositor/effect_testing.h"

using namespace framewright;

namespace {

LayerEffects masked(int image) {
  LayerEffects effects;
  effects.mask = image;
  return effects;
}

Color grey(int value) {
  return {static_cast<uint8_t>(value), static_cast<uint8_t>(value), static_cast<uint8_t>(value), 255};
}

double lumaShare(const Image& frame, int x, int y) { return (sampleAt(frame, 0, x, y) - 16) / 219.0; }

}  // namespace

TEST_CASE("a mask's luma is the layer's alpha") {
  Composing composing;
  const int ramp = composing.add(*paintRgba(256, 4, [](int x, int) { return grey(x); }));
  const auto frame = composing.compose(
      256, 32, {withEffects(fillLayer(kWhiteColor, {0, 0, 256, 32}), masked(ramp), 256, 32)});
  for (int x = 0; x < 256; ++x) CHECK(std::abs(lumaShare(*frame, x, 16) - x / 255.0) <= 1.6 / 219);
}

TEST_CASE("a mask is scaled to the box and has the box's edges") {
  Composing composing;
  const int white = composing.add(*paintRgba(7, 5, [](int, int) { return kWhiteColor; }));
  const Layer plain = fillLayer({200, 120, 30, 255}, {10.4, 8.3, 41.7, 30.2});
  const auto expected = composing.compose(64, 48, {plain});
  const auto frame = composing.compose(64, 48, {withEffects(plain, masked(white), 41.7, 30.2)});
  CHECK(largestDifference(*frame, *expected) <= 1);
}

TEST_CASE("transparent parts of a mask hide like black") {
  Composing composing;
  const int half = composing.add(*paintRgba(16, 16, [](int x, int) {
    return Color{255, 255, 255, static_cast<uint8_t>(x < 8 ? 255 : 64)};
  }));
  const auto frame =
      composing.compose(64, 64, {withEffects(fillLayer(kWhiteColor, {0, 0, 64, 64}), masked(half), 64, 64)});
  CHECK(lumaShare(*frame, 8, 32) > 0.99);
  CHECK(lumaShare(*frame, 56, 32) == doctest::Approx(64 / 255.0).epsilon(0.03));
}

TEST_CASE("a mask rotates with its clip but is not flipped with the image") {
  Composing composing;
  const int left = composing.add(*paintRgba(64, 64, [](int x, int) { return grey(x < 32 ? 255 : 0); }));
  Layer layer = fillLayer(kWhiteColor, {0, 0, 1, 1});
  layer.toCanvas = translation(32, 32) * rotationDegrees(90) * scaling(40, 40) * translation(-0.5, -0.5);
  const auto rotated = composing.compose(64, 64, {withEffects(layer, masked(left), 40, 40)});
  CHECK(lumaShare(*rotated, 32, 16) > 0.99);  // the left side is at the top after the rotation
  CHECK(lumaShare(*rotated, 32, 46) < 0.01);
  Layer flipped = withEffects(fillLayer(kWhiteColor, {12, 12, 40, 40}), masked(left), 40, 40);
  flipped.toCanvas = flipped.toCanvas * Affine{-1, 0, 1, 0, 1, 0};
  const auto mirrored = composing.compose(64, 64, {flipped});
  CHECK(lumaShare(*mirrored, 16, 32) > 0.99);
  CHECK(lumaShare(*mirrored, 46, 32) < 0.01);
}

TEST_CASE("a mask that is a video works, and a missing one fails") {
  Composing composing;
  const int video = composing.addVideo(paintPlanes(32, 32, [](int p, int x, int) {
    return p > 0 ? 128 : x < 16 ? 235 : 16;
  }));
  const Layer layer = withEffects(fillLayer(kWhiteColor, {0, 0, 64, 64}), masked(video), 64, 64);
  const auto frame = composing.compose(64, 64, {layer});
  CHECK(lumaShare(*frame, 8, 32) > 0.99);
  CHECK(lumaShare(*frame, 56, 32) < 0.01);
  DrawList list;
  list.layers = {withEffects(fillLayer(kWhiteColor, {0, 0, 8, 8}), masked(9), 8, 8)};
  CHECK_FALSE(
      composing.compositor->compose(list, composing.images, *makeImage(PixelFormat::kI420, 8, 8)).ok());
}
