#include <cmath>
#include <functional>
#include <set>

#include "compositor/compose_testing.h"
#include "compositor/deep/deep_compositor.h"
#include "compositor/plan/effects/grade_table.h"
#include "compositor/plan/transitions/transition_styles.h"
#include "core/planes.h"

namespace framewright {
namespace {

constexpr int kGradientWidth = 1024, kGradientHeight = 128;

struct Effect {
  const char* name;
  std::function<void(LayerEffects&)> set;
};

// From black to white, one code of 10 bits after the other.
ImagePtr codeGradient() {
  auto image = makeImage(PixelFormat::kI010, kGradientWidth, kGradientHeight);
  for (int p = 0; p < 3; ++p) {
    const Plane& plane = image->plane(p);
    for (int y = 0; y < plane.height; ++y) {
      auto* const row = reinterpret_cast<uint16_t*>(rowOf(plane, y));
      for (int x = 0; x < plane.width; ++x)
        row[x] = static_cast<uint16_t>(p > 0 ? 512 : 64 + x * 876 / (kGradientWidth - 1));
    }
  }
  return image;
}

// A color table that darkens a little.
ImagePtr darkTable() {
  constexpr int kSide = kernels::ColorLut::kSide;
  std::vector<uint16_t> rgb;
  for (int i = 0; i < kSide * kSide * kSide; ++i) {
    for (const int at : {i / (kSide * kSide), i / kSide % kSide, i % kSide})
      rgb.push_back(static_cast<uint16_t>(at * 60000 / (kSide - 1)));
  }
  auto table = gradeTableImage(rgb);
  REQUIRE(table.ok());
  return table.take();
}

// The levels of luma in the middle row of a frame.
std::set<int> levelsWith(const Effect& effect, DeepPrecision precision, const CanvasColor& color) {
  const auto compositor = createDeepCompositor(color, false, precision);
  auto video = compositor->prepareVideoFrame(codeGradient(), 0, 0);
  REQUIRE(video.ok());
  auto table = compositor->prepareVideoFrame(darkTable(), 0, 0);
  REQUIRE(table.ok());
  const std::vector<PreparedImagePtr> images{video.take(), table.take()};
  DrawList list;
  Layer layer = imageLayer(0, {0, 0, kGradientWidth, kGradientHeight});
  layer.effects.emplace();
  layer.effects->box = layer.toCanvas;
  layer.effects->boxWidth = kGradientWidth;
  layer.effects->boxHeight = kGradientHeight;
  effect.set(*layer.effects);
  list.layers = {layer};
  auto frame = compositor->createFrame(PixelFormat::kI420, kGradientWidth, kGradientHeight);
  REQUIRE(frame.ok());
  REQUIRE(compositor->compose(list, images, *frame.value()).ok());
  const auto* const row =
      reinterpret_cast<const uint16_t*>(rowOf(frame.value()->plane(0), kGradientHeight / 2));
  return {row, row + kGradientWidth};
}

const std::vector<Effect>& effects() {
  static const std::vector<Effect> all{
      {"correction",
       [](LayerEffects& e) {
         e.correction = Correction{0.02, 0.9, 1, 1.2};
       }},
      {"gamma",
       [](LayerEffects& e) {
         e.correction = Correction{0, 1, 1.2, 1};
       }},
      {"vignette",
       [](LayerEffects& e) {
         e.finish.vignette = Vignette{0.3};
         e.vignetteBox = scaling(kGradientWidth, kGradientHeight);
       }},
      {"grain", [](LayerEffects& e) { e.finish.grain = 0.02; }},
      {"round corners", [](LayerEffects& e) { e.cornerRadius = 4; }},
      {"chroma key",
       [](LayerEffects& e) {
         e.chromaKey = ChromaKey{{0, 200, 0, 255}, 25};
       }},
      {"LUT", [](LayerEffects& e) { e.grade = 1; }},
      {"sharpening", [](LayerEffects& e) { e.finish.sharpen = 0.5; }},
      {"blur", [](LayerEffects& e) { e.blur = 1.5; }},
      {"wide blur", [](LayerEffects& e) { e.blur = 12; }},
      {"drop shadow",
       [](LayerEffects& e) {
         e.shadows = {{{0, 0, 0, 128}, 3, 2, 2}};
       }},
      {"motion blur",
       [](LayerEffects& e) {
         e.motion = {translation(-1.3, 0), translation(0, 0), translation(1.3, 0)};
       }},
      {"perspective", [](LayerEffects& e) { e.projection = homography(translation(0.4, 0.2)); }},
  };
  return all;
}

TEST_CASE("a gradient has more than 256 levels under each effect") {
  for (const Effect& effect : effects()) {
    for (const CanvasTransfer transfer : {CanvasTransfer::kSdr, CanvasTransfer::kPq}) {
      for (const DeepPrecision precision : {DeepPrecision::kPlanes, DeepPrecision::kFloats}) {
        const size_t levels = levelsWith(effect, precision, {transfer, false}).size();
        CHECK_MESSAGE(levels > 500, std::string(effect.name), ": ", levels);
      }
    }
    const size_t linear = levelsWith(effect, DeepPrecision::kFloats, {CanvasTransfer::kSdr, true}).size();
    CHECK_MESSAGE(linear > 500, std::string(effect.name), " in linear light: ", linear);
  }
}

TEST_CASE("a gradient has more than 256 levels during each transition") {
  for (const TransitionStyle& style : transitionStyles()) {
    const auto compositor = createDeepCompositor({}, false);
    auto video = compositor->prepareVideoFrame(codeGradient(), 0, 0);
    REQUIRE(video.ok());
    const std::vector<PreparedImagePtr> images{video.take()};
    auto side = std::make_shared<DrawList>();
    side->layers = {imageLayer(0, {0, 0, kGradientWidth, kGradientHeight})};
    DrawList list;
    Layer& layer = list.layers.emplace_back();
    layer.kind = Layer::Kind::kTransition;
    layer.style = style.name;
    layer.progress = 0.1;
    layer.image = 0;
    layer.from = side;
    layer.to = side;
    auto frame = compositor->createFrame(PixelFormat::kI420, kGradientWidth, kGradientHeight);
    REQUIRE(frame.ok());
    REQUIRE(compositor->compose(list, images, *frame.value()).ok());
    std::set<int> levels;
    for (int y = 0; y < kGradientHeight; ++y) {
      const auto* const row = reinterpret_cast<const uint16_t*>(rowOf(frame.value()->plane(0), y));
      levels.insert(row, row + kGradientWidth);
    }
    // Blocks have one level each, and a fade through a colour has a part of the range.
    const size_t fewest = style.kind == TransitionKind::kPixelize ? 200 : 350;
    CHECK_MESSAGE(levels.size() > fewest, std::string(style.name), ": ", levels.size());
  }
}

TEST_CASE("the intensity of a glow widens its shape in floats and in planes") {
  const auto brightness = [](double intensity, bool isOpaque) {
    const auto compositor = createDeepCompositor({}, false);
    const auto image = paintRgba(8, 8, [&](int, int) {
      return Color{0, 0, 0, static_cast<uint8_t>(isOpaque ? 255 : 254)};
    });
    auto still = compositor->prepareStill(*image, 0, 0);
    REQUIRE(still.ok());
    const std::vector<PreparedImagePtr> images{still.take()};
    DrawList list;
    Layer layer = imageLayer(0, {28, 28, 8, 8});
    layer.effects.emplace();
    layer.effects->box = layer.toCanvas;
    layer.effects->shadows = {{{255, 255, 255, 255}, 4, 0, 0, intensity}};
    list.layers = {layer};
    auto frame = compositor->createFrame(PixelFormat::kI420, 64, 64);
    REQUIRE(frame.ok());
    REQUIRE(compositor->compose(list, images, *frame.value()).ok());
    return reinterpret_cast<const uint16_t*>(rowOf(frame.value()->plane(0), 32))[24] - 64;
  };
  for (const bool isOpaque : {true, false}) {
    const int once = brightness(1, isOpaque);
    CHECK(once > 40);
    CHECK(brightness(2, isOpaque) == doctest::Approx(2 * once).epsilon(0.02));
  }
  CHECK(brightness(1, true) == doctest::Approx(brightness(1, false)).epsilon(0.03));
}

}  // namespace
}  // namespace framewright
