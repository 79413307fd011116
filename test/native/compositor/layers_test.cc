#include "compositor/compose_testing.h"

using namespace framewright;

namespace {

constexpr Color kRed{255, 0, 0, 255}, kWhite{255, 255, 255, 255}, kBlack{0, 0, 0, 255};
// BT.709 limited, by the standard's formulas.
struct Yuv {
  int y, u, v;
};
Yuv expectedYuv(const Color& c) {
  const double luma = 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
  return {static_cast<int>(std::lround(16 + 219 * luma / 255)),
          static_cast<int>(std::lround(128 + 224 * (c.b - luma) / 1.8556 / 255)),
          static_cast<int>(std::lround(128 + 224 * (c.r - luma) / 1.5748 / 255))};
}

void requireColor(const Image& frame, int x, int y, const Color& color) {
  const Yuv yuv = expectedYuv(color);
  CAPTURE(x);
  CAPTURE(y);
  REQUIRE(sampleAt(frame, 0, x, y) == yuv.y);
  REQUIRE(sampleAt(frame, 1, x / 2, y / 2) == yuv.u);
  REQUIRE(sampleAt(frame, 2, x / 2, y / 2) == yuv.v);
}

}  // namespace

TEST_CASE("an empty list is black") {
  Composing composing;
  const auto frame = composing.compose(32, 18, {});
  for (int y = 0; y < 18; ++y) {
    for (int x = 0; x < 32; ++x) requireColor(*frame, x, y, kBlack);
  }
}

TEST_CASE("fills and flat sprites get the nearest limited-range colour") {
  Composing composing;
  for (const Color color :
       {kRed, Color{12, 200, 99, 255}, Color{1, 2, 250, 255}, kWhite, Color{128, 128, 128, 255}}) {
    const auto filled = composing.compose(40, 20, {fillLayer(color, {0, 0, 40, 20})});
    const int flat = composing.add(*paintRgba(16, 8, [&](int, int) { return color; }));
    const auto drawn = composing.compose(40, 20, {imageLayer(flat, {4, 6, 16, 8})});
    requireColor(*filled, 0, 0, color);
    requireColor(*filled, 39, 19, color);
    requireColor(*drawn, 4, 6, color);
    requireColor(*drawn, 18, 12, color);
    requireColor(*drawn, 22, 6, kBlack);
  }
}

TEST_CASE("a flat sprite with a transparent border keeps its colour at any size and position") {
  Composing composing;
  const Color color{40, 90, 220, 255};
  const auto image = paintRgba(
      40, 40,
      [&](int x, int y) {
        const bool inside = x >= 8 && x < 32 && y >= 8 && y < 32;
        return inside ? color : Color{0, 0, 0, 0};
      },
      PixelFormat::kRgbaPremultiplied);
  const int sprite = composing.add(*image);
  for (const Rect rect :
       {Rect{10, 10, 40, 40}, Rect{11, 13, 40, 40}, Rect{10.3, 9.7, 53.1, 50.2}, Rect{12, 12, 30, 30}}) {
    const auto frame =
        composing.compose(80, 80, {fillLayer(kWhite, {0, 0, 80, 80}), imageLayer(sprite, rect)});
    requireColor(*frame, static_cast<int>(rect.x + rect.width / 2),
                 static_cast<int>(rect.y + rect.height / 2), color);
    requireColor(*frame, 2, 2, kWhite);
  }
}

TEST_CASE("opacity scales a layer's alpha") {
  Composing composing;
  const int half = composing.add(*paintRgba(64, 32, [](int, int) { return Color{255, 255, 255, 128}; }));
  const auto frame =
      composing.compose(64, 32, {fillLayer(kBlack, {0, 0, 64, 32}), imageLayer(half, {0, 0, 64, 32}, 0.5)});
  const double share = 0.5 * 128 / 255;
  CHECK(std::abs(sampleAt(*frame, 0, 30, 10) - (16 + 219 * share)) < 1.01);
  const auto fill = composing.compose(64, 32, {fillLayer({255, 255, 255, 128}, {0, 0, 64, 32}, 0.5)});
  CHECK(std::abs(sampleAt(*fill, 0, 30, 10) - (16 + 219 * share)) < 0.51);
  CHECK(sampleAt(*fill, 1, 10, 10) == 128);
}

TEST_CASE("a fraction of a pixel is covered in proportion") {
  Composing composing;
  const auto frame = composing.compose(32, 16, {fillLayer(kWhite, {4.25, 2, 8.5, 8})});
  CHECK(sampleAt(*frame, 0, 3, 4) == 16);
  CHECK(std::abs(sampleAt(*frame, 0, 4, 4) - (16 + 219 * 0.75)) <= 0.51);
  CHECK(sampleAt(*frame, 0, 5, 4) == 235);
  CHECK(std::abs(sampleAt(*frame, 0, 12, 4) - (16 + 219 * 0.75)) <= 0.51);
  CHECK(sampleAt(*frame, 0, 13, 4) == 16);
  const int index = composing.add(*paintRgba(8, 8, [](int, int) { return kWhite; }));
  const auto drawn = composing.compose(32, 16, {imageLayer(index, {4.25, 2, 8.5, 8})});
  CHECK(largestDifference(*frame, *drawn) <= 1);
}

TEST_CASE("a window clips with subpixel edges") {
  Composing composing;
  Layer layer = fillLayer(kWhite, {0, 0, 32, 16});
  layer.window = Rect{8, 4.5, 10, 6};
  const auto frame = composing.compose(32, 16, {layer});
  CHECK(sampleAt(*frame, 0, 7, 6) == 16);
  CHECK(sampleAt(*frame, 0, 8, 6) == 235);
  CHECK(sampleAt(*frame, 0, 17, 6) == 235);
  CHECK(sampleAt(*frame, 0, 18, 6) == 16);
  CHECK(std::abs(sampleAt(*frame, 0, 10, 4) - (16 + 219 * 0.5)) <= 1);
}

TEST_CASE("later layers are above earlier ones, and a full opaque layer hides those below") {
  Composing composing;
  const auto frame = composing.compose(32, 16,
                                       {fillLayer(kWhite, {0, 0, 32, 16}), fillLayer(kRed, {0, 0, 32, 16}),
                                        fillLayer(kBlack, {0, 0, 16, 16})});
  requireColor(*frame, 4, 4, kBlack);
  requireColor(*frame, 24, 4, kRed);
}

TEST_CASE("an unscaled image is copied exactly: whole, moved and cropped") {
  Composing composing;
  uint32_t state = 1;
  const auto image = paintPlanes(
      48, 32, [&](int, int, int) { return static_cast<int>((state = state * 1664525 + 1013904223) >> 24); });
  for (const int index : {composing.addVideo(image), composing.add(*image)}) {
    const auto whole = composing.compose(48, 32, {imageLayer(index, {0, 0, 48, 32})});
    CHECK(largestDifference(*whole, *image) == 0);
    Layer part = imageLayer(index, {10, 6, 24, 16});
    part.crop = {0.25, 0.25, 0.5, 0.5};
    const auto moved = composing.compose(64, 48, {part});
    for (int p = 0; p < 3; ++p) {
      const int s = p == 0 ? 1 : 2;
      for (int y = 0; y < 16 / s; ++y) {
        for (int x = 0; x < 24 / s; ++x) {
          REQUIRE(sampleAt(*moved, p, x + 10 / s, y + 6 / s) == sampleAt(*image, p, x + 12 / s, y + 8 / s));
        }
      }
    }
  }
}

TEST_CASE("a rotation by 90 degrees transposes luma exactly, and a flip mirrors it") {
  Composing composing;
  uint32_t state = 5;
  const auto image = paintPlanes(40, 24, [&](int p, int x, int y) {
    return p == 0 ? static_cast<int>((state = state * 1664525 + 1013904223) >> 24) : 100 + x + y;
  });
  const int index = composing.addVideo(image);
  Layer rotated = imageLayer(index, {0, 0, 40, 24});
  rotated.toCanvas = translation(24, 0) * rotationDegrees(90) * scaling(40, 24);
  const auto frame = composing.compose(24, 40, {rotated});
  Layer flipped = imageLayer(index, {0, 0, 40, 24});
  flipped.toCanvas = {-40, 0, 40, 0, 24, 0};
  const auto mirror = composing.compose(40, 24, {flipped});
  for (int y = 0; y < 24; ++y) {
    for (int x = 0; x < 40; ++x) {
      REQUIRE(sampleAt(*frame, 0, 23 - y, x) == sampleAt(*image, 0, x, y));
      REQUIRE(sampleAt(*mirror, 0, 39 - x, y) == sampleAt(*image, 0, x, y));
    }
  }
  for (int y = 1; y < 11; ++y) {
    for (int x = 1; x < 19; ++x)
      REQUIRE(std::abs(sampleAt(*frame, 1, 11 - y, x) - sampleAt(*image, 1, x, y)) <= 2);
  }
}

TEST_CASE("a rotated opaque image has soft edges and no seams inside") {
  Composing composing;
  const int index = composing.add(*paintRgba(60, 60, [](int, int) { return kWhite; }));
  Layer layer = imageLayer(index, {});
  layer.toCanvas = translation(50, 50) * rotationDegrees(30) * translation(-30, -30) * scaling(60, 60);
  const auto frame = composing.compose(100, 100, {layer});
  double area = 0;
  for (int y = 0; y < 100; ++y) {
    for (int x = 0; x < 100; ++x) area += (sampleAt(*frame, 0, x, y) - 16) / 219.0;
  }
  CHECK(std::abs(area - 3600) < 8);
  for (int i = -20; i <= 20; ++i) REQUIRE(sampleAt(*frame, 0, 50 + i, 50) == 235);
}

TEST_CASE("no dark seam at the edges of a scaled crop") {
  Composing composing;
  const auto image = paintRgba(64, 64, [](int x, int) { return x < 32 ? kWhite : kBlack; });
  const int index = composing.add(*image);
  Layer layer = imageLayer(index, {0, 0, 90, 90});
  layer.crop = {0, 0, 0.5, 1};
  const auto frame = composing.compose(90, 90, {layer});
  for (int y = 0; y < 90; ++y) {
    for (int x = 0; x < 90; ++x) REQUIRE(sampleAt(*frame, 0, x, y) == 235);
  }
}

TEST_CASE("centred chroma is sampled at its position") {
  // A chroma ramp that is linear in canvas pixels must stay linear with either siting.
  Composing composing;
  for (const ChromaSiting siting : {ChromaSiting::kLeft, ChromaSiting::kCenter}) {
    const double offset = siting == ChromaSiting::kLeft ? 0.5 : 1;
    auto image = paintPlanes(96, 32, [&](int p, int x, int) {
      return p == 0 ? 90 : static_cast<int>(std::lround(40 + 2 * (2 * x + offset)));
    });
    image->siting = siting;
    for (const int index : {composing.addVideo(image), composing.add(*image)}) {
      const auto frame = composing.compose(96, 32, {imageLayer(index, {0, 0, 96, 32})});
      for (int x = 3; x < 44; ++x)
        REQUIRE(std::abs(sampleAt(*frame, 1, x, 8) - (40 + 2 * (2 * x + 0.5))) <= 1);
    }
  }
}

TEST_CASE("a missing image is an error") {
  Composing composing;
  auto frame = makeImage(PixelFormat::kI420, 16, 16);
  DrawList list;
  list.layers.push_back(imageLayer(3, {0, 0, 16, 16}));
  CHECK_FALSE(composing.compositor->compose(list, composing.images, *frame).ok());
}

TEST_CASE("odd canvases, tiny images and far away layers are drawn safely") {
  Composing composing;
  const int dot = composing.add(*paintRgba(1, 1, [](int, int) { return kRed; }));
  const int odd = composing.add(
      *paintRgba(5, 3,
                 [](int x, int y) {
                   return Color{static_cast<uint8_t>(x * 50), static_cast<uint8_t>(y * 80), 9, 200};
                 }),
      3, 2);
  for (const Rect rect : {Rect{0, 0, 33, 17}, Rect{-400, -300, 900, 700}, Rect{5000, 0, 10, 10},
                          Rect{3, 3, 0.2, 0.2}, Rect{-9, 4, 12, 300}}) {
    for (const int index : {dot, odd}) {
      Layer rotated = imageLayer(index, rect);
      rotated.toCanvas = rotationDegrees(13) * rotated.toCanvas;
      composing.compose(33, 17, {imageLayer(index, rect), rotated, fillLayer(kRed, rect, 0.3)});
    }
  }
}
