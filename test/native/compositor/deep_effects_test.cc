#include <cmath>
#include <functional>
#include <set>

#include "compositor/compose_testing.h"
#include "compositor/deep/deep_compositor.h"
#include "core/planes.h"

namespace framewright {
namespace {

constexpr int kGradientWidth = 1024, kGradientHeight = 16;

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

// The levels of luma in the middle row of a frame.
std::set<int> levelsWith(const Effect& effect, DeepPrecision precision, const CanvasColor& color) {
  const auto compositor = createDeepCompositor(color, false, precision);
  auto video = compositor->prepareVideoFrame(codeGradient(), 0, 0);
  REQUIRE(video.ok());
  const std::vector<PreparedImagePtr> images{video.take()};
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
  };
  return all;
}

TEST_CASE("a gradient has more than 256 levels under each effect") {
  for (const Effect& effect : effects()) {
    for (const CanvasTransfer transfer : {CanvasTransfer::kSdr, CanvasTransfer::kPq}) {
      for (const DeepPrecision precision : {DeepPrecision::kPlanes, DeepPrecision::kFloats}) {
        const size_t levels = levelsWith(effect, precision, {transfer, false}).size();
        CHECK_MESSAGE(levels > 500, effect.name, ": ", levels);
      }
    }
    const size_t linear = levelsWith(effect, DeepPrecision::kFloats, {CanvasTransfer::kSdr, true}).size();
    CHECK_MESSAGE(linear > 500, effect.name, " in linear light: ", linear);
  }
}

}  // namespace
}  // namespace framewright
