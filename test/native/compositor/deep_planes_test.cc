#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include <doctest/doctest.h>

#include "compose_testing.h"
#include "compositor/deep/deep_compositor.h"
#include "compositor/plan/transitions/transition_layers.h"
#include "gpu_check/random_lists.h"
#include "sanitizers.h"

namespace framewright {
namespace {

int codeAt(const Image& image, int plane, int x, int y) {
  return reinterpret_cast<const uint16_t*>(image.plane(plane).data + y * image.plane(plane).stride)[x];
}

// How far planes are from floats, which define them.
struct Deviation {
  int luma = 0, chroma = 0;  // the largest, in codes
  double lumaMean = 0, chromaMean = 0;
};

Deviation deviationOf(const RandomCase& random, const CanvasColor& color) {
  auto planes = drawCase(*createDeepCompositor(color, false), random);
  auto floats = drawCase(*createDeepCompositor(color, false, DeepPrecision::kFloats), random);
  REQUIRE(planes.ok());
  REQUIRE(floats.ok());
  Deviation deviation;
  const double pixels = random.width * random.height,
               samples = 2.0 * planes.value()->plane(1).width * planes.value()->plane(1).height;
  for (int p = 0; p < 3; ++p) {
    const Plane& plane = planes.value()->plane(p);
    for (int y = 0; y < plane.height; ++y) {
      for (int x = 0; x < plane.width; ++x) {
        const int off = std::abs(codeAt(*planes.value(), p, x, y) - codeAt(*floats.value(), p, x, y));
        int& largest = p == 0 ? deviation.luma : deviation.chroma;
        largest = std::max(largest, off);
        (p == 0 ? deviation.lumaMean : deviation.chromaMean) += off / (p == 0 ? pixels : samples);
      }
    }
  }
  return deviation;
}

// Gives all images colours that change slowly, so that chroma does not depend on where its samples are.
void smoothColours(RandomCase& random) {
  for (size_t i = 0; i < random.images.size(); ++i) {
    const Image& image = *random.images[i];
    for (int p = 0; p < image.planeCount(); ++p) {
      const Plane& plane = image.plane(p);
      for (int y = 0; y < plane.height; ++y) {
        uint8_t* const row = plane.data + y * plane.stride;
        for (int x = 0; x < plane.width; ++x) {
          if (image.format() == PixelFormat::kI420) {
            if (p > 0) row[x] = static_cast<uint8_t>(90 + 20 * p + x * 20 / plane.width);
            continue;
          }
          for (int c = 0; c < 3; ++c) {
            const int value = 60 + 30 * c + (x + y) * 20 / (plane.width + plane.height);
            const bool isStraight = image.format() == PixelFormat::kRgbaStraight;
            row[4 * x + c] = static_cast<uint8_t>(isStraight ? value : value * row[4 * x + 3] / 255);
          }
        }
      }
    }
  }
}

// Changes all layers of a list, also those of transitions.
void forLayers(DrawList& list, const std::function<void(Layer&)>& change) {
  for (Layer& layer : list.layers) {
    for (std::shared_ptr<const DrawList>* const side : {&layer.from, &layer.to}) {
      if (*side == nullptr) continue;
      auto copy = std::make_shared<DrawList>(**side);
      forLayers(*copy, change);
      *side = std::move(copy);
    }
    change(layer);
  }
}

// Blend modes and corrections depend on colours, which planes have at the resolution of chroma only.
void withoutBlends(Layer& layer) {
  if (layer.effects) layer.effects->blend = BlendMode::kNormal;
}

// Whether a list has a transition that floats draw in planes, after rounding both sides to codes.
bool needsCodes(const DrawList& list) {
  for (const Layer& layer : list.layers) {
    if (layer.kind != Layer::Kind::kTransition) continue;
    if (!blendsSides(findTransition(layer.style)->kind)) return true;
    if (needsCodes(*layer.from) || needsCodes(*layer.to)) return true;
  }
  return false;
}

constexpr uint64_t kCases = fewerWithSanitizers(150);

TEST_CASE("planes show the luma of floats") {
  for (const bool withEffects : {false, true}) {
    for (uint64_t seed = 1; seed <= kCases; ++seed) {
      RandomCase random = randomCase(seed, {withEffects, false});
      forLayers(random.list, withoutBlends);
      const CanvasTransfer transfer = seed % 3 == 0 ? CanvasTransfer::kPq : CanvasTransfer::kSdr;
      CHECK_MESSAGE(deviationOf(random, {transfer, false}).luma <= 1, seed);
    }
  }
}

TEST_CASE("planes show the chroma of floats where it is smooth") {
  double sum = 0;
  int exact = 0;
  for (uint64_t seed = 1; seed <= kCases; ++seed) {
    RandomCase random = randomCase(seed, {true, false});
    forLayers(random.list, withoutBlends);
    smoothColours(random);
    const Deviation deviation = deviationOf(random, {});
    sum += deviation.chromaMean;
    if (deviation.chroma <= 1) ++exact;
  }
  MESSAGE("mean ", sum / kCases, " codes; ", exact, " lists with at most one code");
  CHECK(sum / kCases < 0.2);
  CHECK(exact >= kCases / 2);
}

TEST_CASE("blend modes in planes show the luma of floats where colours are smooth") {
  double sum = 0;
  for (uint64_t seed = 1; seed <= kCases; ++seed) {
    RandomCase random = randomCase(seed, {true, false});
    smoothColours(random);
    sum += deviationOf(random, {}).lumaMean;
  }
  MESSAGE("mean ", sum / kCases);
  CHECK(sum / kCases < 0.1);
}

TEST_CASE("a scaled clip with a blend mode shows the luma of floats") {
  RandomCase random;
  random.width = 96;
  random.height = 54;
  for (const int blue : {40, 200}) {
    auto clip = makeImage(PixelFormat::kI420, 80, 60);
    for (int p = 0; p < 3; ++p) {
      const Plane& plane = clip->plane(p);
      for (int y = 0; y < plane.height; ++y) {
        for (int x = 0; x < plane.width; ++x)
          plane.data[y * plane.stride + x] = static_cast<uint8_t>(p == 1 ? blue / 8 + 100 : 60 + x + y);
      }
    }
    random.images.push_back(clip);
    random.isVideo.push_back(true);
    random.list.images.push_back({blue});
  }
  for (int mode = 1; mode <= static_cast<int>(BlendMode::kExclusion); ++mode) {
    Layer blended = imageLayer(1, {10.4, 7.2, 60, 40}, 0.8);
    blended.effects.emplace();
    blended.effects->blend = static_cast<BlendMode>(mode);
    blended.effects->box = blended.toCanvas;
    random.list.layers = {imageLayer(0, {0, 0, 96, 54}), blended};
    CHECK_MESSAGE(deviationOf(random, {}).luma <= 2, mode);
  }
}

TEST_CASE("transitions in planes show the luma of floats") {
  int compared = 0;
  for (uint64_t seed = 1; seed <= fewerWithSanitizers(2 * transitionStyles().size()); ++seed) {
    const TransitionStyle& style = transitionStyles()[seed % transitionStyles().size()];
    RandomCase random = randomTransition(seed, style.name, seed % 2 == 0 ? 0.3 : 0.8);
    forLayers(random.list, withoutBlends);
    if (needsCodes(random.list)) continue;
    CHECK_MESSAGE(deviationOf(random, {}).luma <= 1, seed, " ", style.name);
    ++compared;
  }
  CHECK(compared > fewerWithSanitizers(40));
}

// A clip whose chroma has detail that no filter keeps.
ImagePtr detailedClip(int width, int height) {
  auto image = makeImage(PixelFormat::kI010, width, height);
  for (int p = 0; p < 3; ++p) {
    for (int y = 0; y < image->plane(p).height; ++y) {
      auto* const row = reinterpret_cast<uint16_t*>(image->plane(p).data + y * image->plane(p).stride);
      for (int x = 0; x < image->plane(p).width; ++x)
        row[x] = static_cast<uint16_t>(64 + (x * 389 + y * 547 + p * 211) % 876);
    }
  }
  return image;
}

TEST_CASE("codes of a clip are kept wherever nothing is drawn over it") {
  constexpr int kWidth = 96, kHeight = 54;
  const ImagePtr clip = detailedClip(kWidth, kHeight);
  const auto sprite = paintRgba(20, 10, [](int x, int) {
    return Color{250, 40, 10, static_cast<uint8_t>(x < 4 ? 0 : 200)};
  });
  for (const CanvasTransfer transfer : {CanvasTransfer::kSdr, CanvasTransfer::kHlg, CanvasTransfer::kPq}) {
    const auto compositor = createDeepCompositor({transfer, false}, false);
    std::vector<PreparedImagePtr> images;
    auto video = compositor->prepareVideoFrame(clip, 0, 0);
    auto still = compositor->prepareStill(*sprite, 0, 0);
    REQUIRE(video.ok());
    REQUIRE(still.ok());
    images = {video.take(), still.take()};
    DrawList list;
    list.isDithered = true;
    list.layers = {imageLayer(0, {0, 0, kWidth, kHeight}), imageLayer(1, {31, 21, 20, 10}, 0.7),
                   fillLayer({0, 80, 200, 90}, {60.5, 3.25, 12, 9})};
    auto frame = compositor->createFrame(PixelFormat::kI420, kWidth, kHeight);
    REQUIRE(frame.ok());
    REQUIRE(compositor->compose(list, images, *frame.value()).ok());
    int changed = 0;
    for (int p = 0; p < 3; ++p) {
      const int step = p == 0 ? 1 : 2, reach = step - 1;  // chroma is coloured by the pixels beside it
      for (int y = 0; y < clip->plane(p).height; ++y) {
        for (int x = 0; x < clip->plane(p).width; ++x) {
          const int left = x * step - reach, right = x * step + reach + 1;
          const int top = y * step, bottom = top + step;
          const bool isUnder = (right > 35 && left < 51 && bottom > 21 && top < 31) ||
                               (right > 60 && left < 73 && bottom > 3 && top < 13);
          const bool isUnchanged = codeAt(*frame.value(), p, x, y) == codeAt(*clip, p, x, y);
          if (!isUnder) REQUIRE(isUnchanged);
          if (isUnder && !isUnchanged) ++changed;
        }
      }
    }
    CHECK(changed > 200);
  }
}

TEST_CASE("a scaled clip of one colour keeps its codes") {
  auto clip = makeImage(PixelFormat::kI010, 64, 36);
  for (int p = 0; p < 3; ++p) {
    for (int y = 0; y < clip->plane(p).height; ++y) {
      auto* const row = reinterpret_cast<uint16_t*>(clip->plane(p).data + y * clip->plane(p).stride);
      std::fill_n(row, clip->plane(p).width, static_cast<uint16_t>(401 + 100 * p));
    }
  }
  const auto compositor = createDeepCompositor({}, false);
  const std::vector<PreparedImagePtr> images = {compositor->prepareVideoFrame(clip, 0, 0).take()};
  for (const double size : {20.5, 90.0, 150.0}) {
    DrawList list;
    list.isDithered = true;
    list.layers = {imageLayer(0, {-3.7, -2.2, 2 * size + 60, size + 60})};
    auto frame = compositor->createFrame(PixelFormat::kI420, 80, 46);
    REQUIRE(compositor->compose(list, images, *frame.value()).ok());
    for (int p = 0; p < 3; ++p) {
      for (int y = 0; y < frame.value()->plane(p).height; ++y) {
        for (int x = 0; x < frame.value()->plane(p).width; ++x)
          REQUIRE(codeAt(*frame.value(), p, x, y) == 401 + 100 * p);
      }
    }
  }
}

TEST_CASE("a translucent gradient that is scaled or rotated has more levels than 8 bits can show") {
  constexpr int kWidth = 1024, kHeight = 64;
  const auto gradient = paintRgba(256, 64, [](int x, int) {
    return Color{255, 255, 255, static_cast<uint8_t>(x)};
  });
  for (const double degrees : {0.0, 2.0}) {
    const auto compositor = createDeepCompositor({}, false);
    auto still = compositor->prepareStill(*gradient, 0, 0);
    REQUIRE(still.ok());
    const std::vector<PreparedImagePtr> images = {still.take()};
    DrawList list;
    list.layers = {imageLayer(0, {-8, -64, kWidth + 16, 3 * kHeight})};
    list.layers[0].toCanvas = rotationDegrees(degrees) * list.layers[0].toCanvas;
    auto frame = compositor->createFrame(PixelFormat::kI420, kWidth, kHeight);
    REQUIRE(frame.ok());
    REQUIRE(compositor->compose(list, images, *frame.value()).ok());
    std::set<int> levels;
    for (int x = 0; x < kWidth; ++x) levels.insert(codeAt(*frame.value(), 0, x, kHeight / 2));
    CHECK(levels.size() > 700);
  }
}

}  // namespace
}  // namespace framewright
