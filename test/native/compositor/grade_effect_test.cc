#include <functional>

#include "compositor/effect_testing.h"
#include "compositor/plan/effects/grade_table.h"

using namespace framewright;

namespace {

using Map = std::function<Rgb(const Rgb&)>;  // 0..1

ImagePtr tableOf(const Map& map) {
  constexpr int kSide = kernels::ColorLut::kSide;
  std::vector<uint16_t> rgb;
  const auto add = [&](double value) {
    rgb.push_back(static_cast<uint16_t>(std::lround(std::clamp(value, 0.0, 1.0) * 65535)));
  };
  for (int r = 0; r < kSide; ++r) {
    for (int g = 0; g < kSide; ++g) {
      for (int b = 0; b < kSide; ++b) {
        const Rgb mapped = map({r / (kSide - 1.0), g / (kSide - 1.0), b / (kSide - 1.0)});
        for (const double value : {mapped.r, mapped.g, mapped.b}) add(value);
      }
    }
  }
  auto table = gradeTableImage(rgb);
  REQUIRE(table.ok());
  return table.take();
}

LayerEffects grading(int table) {
  LayerEffects effects;
  effects.grade = table;
  return effects;
}

Rgb swapped(const Rgb& color) { return {color.b, color.r, color.g}; }

}  // namespace

TEST_CASE("a table of unchanged colours keeps every sample within one level") {
  Composing composing;
  const int table = composing.addVideo(tableOf([](const Rgb& color) { return color; }));
  const int image = composing.addVideo(paintPlanes(64, 48, [](int plane, int x, int y) {
    return plane == 0 ? 60 + (x * 3 + y) % 120 : 114 + (x * (plane + 1) + y * 2) % 28;
  }));
  const Layer layer = imageLayer(image, {0, 0, 64, 48});
  const auto plain = composing.compose(64, 48, {layer});
  const auto graded = composing.compose(64, 48, {withEffects(layer, grading(table), 64, 48)});
  for (int p = 0; p < 3; ++p) {
    int largest = 0;
    for (int y = 0; y < plain->plane(p).height; ++y)
      for (int x = 0; x < plain->plane(p).width; ++x)
        largest = std::max(largest, std::abs(sampleAt(*plain, p, x, y) - sampleAt(*graded, p, x, y)));
    INFO("plane " << p);
    CHECK(largest <= 1);
  }
}

TEST_CASE("a table maps the colours of fills, also of translucent ones") {
  Composing composing;
  const int table = composing.addVideo(tableOf(swapped));
  for (const int alpha : {255, 128, 40}) {
    for (const Color& color : {Color{200, 30, 60, 255}, Color{10, 250, 90, 255}, Color{0, 0, 0, 255}}) {
      Color given = color, wanted{color.b, color.r, color.g, 255};
      given.a = wanted.a = static_cast<uint8_t>(alpha);
      const auto graded = composing.compose(
          32, 32, {withEffects(fillLayer(given, {0, 0, 32, 32}), grading(table), 32, 32)});
      const auto expected = composing.compose(32, 32, {fillLayer(wanted, {0, 0, 32, 32})});
      INFO("alpha " << alpha << " red " << int{color.r});
      CHECK(difference(rgbAt(*graded, 16, 16), rgbAt(*expected, 16, 16)) <= 5);
    }
  }
}

TEST_CASE("a table leaves transparent areas transparent") {
  Composing composing;
  const int table = composing.addVideo(tableOf([](const Rgb&) { return Rgb{1, 1, 1}; }));
  const auto frame = composing.compose(
      64, 32, {withEffects(fillLayer({9, 9, 9, 255}, {0, 0, 20, 32}), grading(table), 20, 32)});
  CHECK(difference(rgbAt(*frame, 10, 16), rgbOf(kWhiteColor)) <= 2);
  CHECK(difference(rgbAt(*frame, 40, 16), rgbOf(kBlackColor)) <= 1);
}

TEST_CASE("a layer without its table is an error") {
  Composing composing;
  auto frame = paintPlanes(16, 16, [](int, int, int) { return 77; });
  DrawList list;
  list.layers = {withEffects(fillLayer({9, 9, 9, 255}, {0, 0, 16, 16}), grading(3), 16, 16)};
  const Status status = composing.compositor->compose(list, composing.images, *frame);
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().code == ErrorCode::UNEXPECTED);
}
