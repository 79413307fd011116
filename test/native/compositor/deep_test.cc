#include <algorithm>
#include <cmath>
#include <set>

#include <doctest/doctest.h>

#include "compose_testing.h"
#include "compositor/deep/deep_compositor.h"
#include "compositor/plan/transitions/transition_styles.h"
#include "core/light.h"
#include "gpu_check/random_lists.h"
#include "sanitizers.h"

namespace framewright {
namespace {

constexpr CanvasColor kSdr{}, kPq{CanvasTransfer::kPq, false}, kHlg{CanvasTransfer::kHlg, false};

int deepSampleAt(const Image& image, int plane, int x, int y) {
  REQUIRE(image.format() == PixelFormat::kI010);
  return reinterpret_cast<const uint16_t*>(image.plane(plane).data + y * image.plane(plane).stride)[x];
}

struct DeepComposing {
  explicit DeepComposing(const CanvasColor& color, bool hasAlpha = false)
      : compositor(createDeepCompositor(color, hasAlpha)) {}

  std::unique_ptr<Compositor> compositor;
  std::vector<PreparedImagePtr> images;

  int add(Result<PreparedImagePtr> prepared) {
    REQUIRE(prepared.ok());
    images.push_back(prepared.take());
    return static_cast<int>(images.size()) - 1;
  }
  std::shared_ptr<Image> compose(int width, int height, std::vector<Layer> layers, bool isDithered = false) {
    auto frame = compositor->createFrame(PixelFormat::kI420, width, height);
    REQUIRE(frame.ok());
    DrawList list;
    list.layers = std::move(layers);
    list.isDithered = isDithered;
    const Status status = compositor->compose(list, images, *frame.value());
    REQUIRE(status.ok());
    return frame.take();
  }
};

// The mean difference of luma from the compositor of 8 bits, in its levels.
double meanLumaDifference(const Image& deep, const Image& eightBits) {
  double sum = 0;
  for (int y = 0; y < deep.height(); ++y) {
    for (int x = 0; x < deep.width(); ++x)
      sum += std::abs(deepSampleAt(deep, 0, x, y) / 4.0 - sampleAt(eightBits, 0, x, y));
  }
  return sum / deep.width() / deep.height();
}

double differenceOf(const RandomCase& random) {
  const auto deep = createDeepCompositor(kSdr, false);
  const auto cpu = createCpuCompositor();
  auto precise = drawCase(*deep, random), rounded = drawCase(*cpu, random);
  REQUIRE(precise.ok());
  REQUIRE(rounded.ok());
  return meanLumaDifference(*precise.value(), *rounded.value());
}

std::array<int, 3> colorAt(const Image& image, int x, int y) {
  return {deepSampleAt(image, 0, x, y), deepSampleAt(image, 1, x / 2, y / 2),
          deepSampleAt(image, 2, x / 2, y / 2)};
}

std::shared_ptr<Image> grayRamp(int width, int height) {
  auto image = makeImage(PixelFormat::kI010, width, height);
  for (int p = 0; p < 3; ++p) {
    for (int y = 0; y < image->plane(p).height; ++y) {
      auto* const row = reinterpret_cast<uint16_t*>(image->plane(p).data + y * image->plane(p).stride);
      for (int x = 0; x < image->plane(p).width; ++x)
        row[x] = static_cast<uint16_t>(p == 0 ? 64 + (x * 876 + y) / width : 512);
    }
  }
  return image;
}

TEST_CASE("deep frames have exact codes for flat colors") {
  DeepComposing composing(kSdr);
  for (const bool isDithered : {false, true}) {
    const auto white = composing.compose(16, 8, {fillLayer({255, 255, 255, 255}, {0, 0, 16, 8})}, isDithered);
    const auto black = composing.compose(16, 8, {}, isDithered);
    for (int x = 0; x < 16; ++x) {
      CHECK(colorAt(*white, x, 3) == std::array<int, 3>{940, 512, 512});
      CHECK(colorAt(*black, x, 3) == std::array<int, 3>{64, 512, 512});
    }
  }
  const auto red = composing.compose(16, 8, {fillLayer({255, 0, 0, 255}, {0, 0, 16, 8})});
  CHECK(colorAt(*red, 8, 4) == std::array<int, 3>{250, 409, 960});
}

TEST_CASE("a translucent gradient has more levels than 8 bits can show") {
  const auto gradient = paintRgba(640, 4, [](int x, int) {
    const auto level = static_cast<uint8_t>(x * 255 / 639);
    return Color{level, level, level, 255};
  });
  DeepComposing deep(kSdr);
  Composing eightBits;
  const int image = deep.add(deep.compositor->prepareStill(*gradient, 0, 0));
  eightBits.add(*gradient);
  const Layer layer = imageLayer(image, {0, 0, 640, 4}, 0.12);
  const auto precise = deep.compose(640, 4, {layer}), rounded = eightBits.compose(640, 4, {layer});
  std::set<int> fine, coarse;
  for (int x = 0; x < 640; ++x) {
    fine.insert(deepSampleAt(*precise, 0, x, 1));
    coarse.insert(sampleAt(*rounded, 0, x, 1));
  }
  CHECK(coarse.size() < 30);
  CHECK(fine.size() > 100);
}

TEST_CASE("frames of 10 bits pass unchanged") {
  for (const CanvasColor& color : {kSdr, kPq, kHlg}) {
    DeepComposing composing(color);
    const auto ramp = grayRamp(320, 18);
    const int image = composing.add(composing.compositor->prepareVideoFrame(ramp, 0, 0));
    const auto frame = composing.compose(320, 18, {imageLayer(image, {0, 0, 320, 18})}, true);
    int largest = 0;
    for (int y = 0; y < 18; ++y) {
      for (int x = 0; x < 320; ++x)
        largest = std::max(largest, std::abs(deepSampleAt(*frame, 0, x, y) - deepSampleAt(*ramp, 0, x, y)));
    }
    CHECK(largest == 0);
  }
}

TEST_CASE("SDR white is shown with 203 cd/m² on HDR canvases") {
  const auto lumaOfWhite = [](const CanvasColor& color) {
    DeepComposing composing(color);
    const auto frame = composing.compose(8, 8, {fillLayer({255, 255, 255, 255}, {0, 0, 8, 8})});
    CHECK(deepSampleAt(*frame, 1, 2, 2) == 512);
    return (deepSampleAt(*frame, 0, 4, 4) - 64) / 876.0;
  };
  CHECK(pqNits(lumaOfWhite(kPq)) == doctest::Approx(203).epsilon(0.01));
  // BT.2408: 75 % of HLG.
  CHECK(lumaOfWhite(kHlg) == doctest::Approx(0.75).epsilon(0.005));
}

TEST_CASE("half of linear light is brighter than half of the signal") {
  const std::vector<Layer> layers{fillLayer({255, 255, 255, 255}, {0, 0, 8, 8}, 0.5)};
  DeepComposing gamma(kSdr), linear({CanvasTransfer::kSdr, true});
  const auto bySignal = gamma.compose(8, 8, layers), byLight = linear.compose(8, 8, layers);
  CHECK(deepSampleAt(*bySignal, 0, 4, 4) == 64 + 438);
  CHECK(deepSampleAt(*byLight, 0, 4, 4) == 64 + std::lround(876 * srgbSignal(0.5)));
}

void compareLists(bool withEffects, double maxMean, double maxWorst) {
  double worst = 0, sum = 0;
  uint64_t worstSeed = 0;
  constexpr uint64_t kCases = fewerWithSanitizers(150);
  for (uint64_t seed = 1; seed <= kCases; ++seed) {
    const double difference = differenceOf(randomCase(seed, {withEffects, false}));
    sum += difference;
    if (difference > worst) worst = difference, worstSeed = seed;
  }
  MESSAGE("mean ", sum / kCases, ", worst ", worst, " of seed ", worstSeed);
  CHECK(sum / kCases < maxMean);
  CHECK(worst < maxWorst);
}

TEST_CASE("deep and 8-bit compositors draw the same lists") { compareLists(false, 0.25, 2); }
// Blend modes such as color dodge amplify what 8 bits round and clip, and groups are drawn as R'G'B', which
// limits colours that only Y'CbCr has.
TEST_CASE("deep and 8-bit compositors draw the same effects") { compareLists(true, 0.35, 6); }

TEST_CASE("deep and 8-bit compositors draw the same transitions") {
  for (const TransitionStyle& style : transitionStyles()) {
    double worst = 0;
    for (int k = 0; k < fewerWithSanitizers(3); ++k)
      worst = std::max(worst, differenceOf(randomTransition(7, style.name, 0.2 + 0.3 * k)));
    // "distance" chooses a side for each pixel by a threshold: one level may decide it.
    const bool isThreshold = std::string_view(style.name) == "distance";
    CHECK_MESSAGE(worst < (isThreshold ? 4 : 2), style.name, ": ", worst);
  }
}

TEST_CASE("deep frames with alpha keep full chroma") {
  const auto board = paintRgba(32, 16, [](int x, int y) {
    const bool isRed = (x + y) % 2 == 0;
    return Color{static_cast<uint8_t>(isRed ? 255 : 0), 0, static_cast<uint8_t>(isRed ? 0 : 255),
                 static_cast<uint8_t>(x * 8)};
  });
  DeepComposing composing(kSdr, true);
  const int image = composing.add(composing.compositor->prepareStill(*board, 0, 0));
  const auto frame = composing.compose(32, 16, {imageLayer(image, {0, 0, 32, 16})});
  REQUIRE(frame->format() == PixelFormat::kRgbaStraight);
  int largest = 0;
  for (int y = 0; y < 16; ++y) {
    for (int i = 4; i < 32 * 4; ++i)
      largest = std::max(largest, std::abs(sampleAt(*frame, 0, i, y) - sampleAt(*board, 0, i, y)));
  }
  CHECK(largest <= 1);
}

}  // namespace
}  // namespace framewright
