#include "compositor/effect_testing.h"

using namespace framewright;

namespace {

// The formulas of W3C Compositing and Blending Level 1, on 0..1.
double blended(BlendMode mode, double b, double s) {
  const auto screen = [](double x, double y) { return x + y - x * y; };
  const auto hardLight = [&](double x, double y) { return y <= 0.5 ? x * 2 * y : screen(x, 2 * y - 1); };
  switch (mode) {
    case BlendMode::kNormal:
      return s;
    case BlendMode::kMultiply:
      return b * s;
    case BlendMode::kScreen:
      return screen(b, s);
    case BlendMode::kOverlay:
      return hardLight(s, b);
    case BlendMode::kDarken:
      return std::min(b, s);
    case BlendMode::kLighten:
      return std::max(b, s);
    case BlendMode::kColorDodge:
      return b == 0 ? 0 : s == 1 ? 1 : std::min(1.0, b / (1 - s));
    case BlendMode::kColorBurn:
      return b == 1 ? 1 : s == 0 ? 0 : 1 - std::min(1.0, (1 - b) / s);
    case BlendMode::kHardLight:
      return hardLight(b, s);
    case BlendMode::kSoftLight: {
      if (s <= 0.5) return b - (1 - 2 * s) * b * (1 - b);
      const double lit = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : std::sqrt(b);
      return b + (2 * s - 1) * (lit - b);
    }
    case BlendMode::kDifference:
      return std::abs(b - s);
    case BlendMode::kExclusion:
      return b + s - 2 * b * s;
    case BlendMode::kAdd:
      return std::min(1.0, b + s);
  }
  return s;
}

double composited(BlendMode mode, double b, double s, double alpha) {
  if (mode == BlendMode::kAdd) return std::min(1.0, b + alpha * s);
  return (1 - alpha) * b + alpha * blended(mode, b, s);
}

Rgb composited(BlendMode mode, const Color& b, const Color& s, double alpha) {
  const auto channel = [&](int x, int y) { return 255 * composited(mode, x / 255.0, y / 255.0, alpha); };
  return {channel(b.r, s.r), channel(b.g, s.g), channel(b.b, s.b)};
}

LayerEffects blending(BlendMode mode) {
  LayerEffects effects;
  effects.blend = mode;
  return effects;
}

const Color kBackdrops[] = {{200, 60, 30, 255}, {20, 90, 160, 255}, {240, 235, 220, 255}, {40, 40, 40, 255}};
const Color kSources[] = {
    {90, 180, 220, 255}, {230, 120, 40, 255}, {128, 128, 128, 255}, {250, 250, 250, 255}};

// One sample level is 1.2 to 2.1 RGB levels, and both inputs and the output are rounded.
double tolerance(BlendMode mode) {
  const bool steep = mode == BlendMode::kColorDodge || mode == BlendMode::kColorBurn;
  return steep ? 24 : 6;
}

}  // namespace

TEST_CASE("every blend mode matches CSS") {
  Composing composing;
  for (int i = 0; i <= static_cast<int>(BlendMode::kAdd); ++i) {
    const auto mode = static_cast<BlendMode>(i);
    for (const Color& backdrop : kBackdrops) {
      for (const Color& source : kSources) {
        for (const double opacity : {1.0, 0.5}) {
          const Layer top = withEffects(fillLayer(source, {8, 8, 24, 24}, opacity), blending(mode), 24, 24);
          const auto frame = composing.compose(40, 40, {fillLayer(backdrop, {0, 0, 40, 40}), top});
          const Rgb expected = composited(mode, backdrop, source, opacity);
          CAPTURE(i);
          CAPTURE(opacity);
          CAPTURE(expected.r);
          CAPTURE(expected.g);
          CAPTURE(expected.b);
          CHECK(difference(rgbAt(*frame, 20, 20), expected) <= tolerance(mode));
          CHECK(difference(rgbAt(*frame, 2, 2), rgbOf(backdrop)) <= 2.5);
        }
      }
    }
  }
}

TEST_CASE("a translucent sprite is blended by its alpha, and transparent pixels change nothing") {
  Composing composing;
  const int sprite = composing.add(*paintRgba(32, 32, [](int x, int) {
    return x < 16 ? Color{200, 220, 40, 128} : Color{0, 0, 0, 0};
  }));
  const Color backdrop{180, 70, 90, 255};
  const auto plain = composing.compose(32, 32, {fillLayer(backdrop, {0, 0, 32, 32})});
  for (const BlendMode mode :
       {BlendMode::kMultiply, BlendMode::kScreen, BlendMode::kDifference, BlendMode::kAdd}) {
    const Layer top = withEffects(imageLayer(sprite, {0, 0, 32, 32}), blending(mode), 32, 32);
    const auto frame = composing.compose(32, 32, {fillLayer(backdrop, {0, 0, 32, 32}), top});
    const Rgb expected = composited(mode, backdrop, {200, 220, 40, 255}, 128 / 255.0);
    CHECK(difference(rgbAt(*frame, 8, 16), expected) <= 6);
    for (int p = 0; p < 3; ++p) CHECK(sampleAt(*frame, p, p == 0 ? 24 : 12, 8) == sampleAt(*plain, p, 0, 0));
  }
}

TEST_CASE("a blend is clipped to the window with subpixel edges") {
  Composing composing;
  Layer top =
      withEffects(fillLayer({128, 128, 128, 255}, {0, 0, 64, 64}), blending(BlendMode::kMultiply), 64, 64);
  top.window = Rect{10.5, 20, 30, 21};
  const auto frame = composing.compose(64, 64, {fillLayer(kWhiteColor, {0, 0, 64, 64}), top});
  CHECK(rgbAt(*frame, 9, 30).g == doctest::Approx(255).epsilon(0.01));
  CHECK(rgbAt(*frame, 10, 30).g == doctest::Approx(191.5).epsilon(0.02));
  CHECK(rgbAt(*frame, 11, 30).g == doctest::Approx(128).epsilon(0.02));
  CHECK(rgbAt(*frame, 20, 19).g == doctest::Approx(255).epsilon(0.01));
  CHECK(rgbAt(*frame, 20, 40).g == doctest::Approx(128).epsilon(0.02));
  CHECK(rgbAt(*frame, 20, 41).g == doctest::Approx(255).epsilon(0.01));
}

TEST_CASE("a layer that blends does not hide what is below it") {
  Composing composing;
  const Layer top =
      withEffects(fillLayer(kWhiteColor, {0, 0, 32, 32}), blending(BlendMode::kMultiply), 32, 32);
  const auto frame = composing.compose(32, 32, {fillLayer({200, 10, 10, 255}, {0, 0, 32, 32}), top});
  CHECK(difference(rgbAt(*frame, 16, 16), {200, 10, 10}) <= 2.5);
}

TEST_CASE("blending reaches the borders of odd canvases") {
  Composing composing;
  const Layer top =
      withEffects(fillLayer({128, 128, 128, 255}, {-5, -5, 60, 60}), blending(BlendMode::kMultiply), 60, 60);
  const auto frame = composing.compose(37, 29, {fillLayer({250, 200, 100, 255}, {0, 0, 37, 29}), top});
  for (const auto& [x, y] : {std::pair{0, 0}, std::pair{36, 28}, std::pair{36, 0}, std::pair{0, 28}}) {
    CHECK(difference(rgbAt(*frame, x, y), {125, 100, 50}) <= 4);
  }
}
