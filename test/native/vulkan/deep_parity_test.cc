#include <algorithm>
#include <cmath>
#include <functional>

#include "compositor/compose_testing.h"
#include "compositor/deep/deep_compositor.h"
#include "compositor/plan/transitions/transition_styles.h"
#include "gpu_check/frame_difference.h"
#include "gpu_check/random_lists.h"
#include "sanitizers.h"
#include "vulkan/software_device.h"

namespace framewright {
namespace {

int deepCodeAt(const Image& image, int plane, int x, int y) {
  return reinterpret_cast<const uint16_t*>(image.plane(plane).data + y * image.plane(plane).stride)[x];
}

// Changes the colours of all images; `change` gets the plane of a clip or the channel of a still.
void recolour(RandomCase& random, const std::function<int(const Plane&, int, int, int, bool, int)>& change) {
  for (const auto& image : random.images) {
    const bool isClip = image->format() == PixelFormat::kI420;
    for (int p = 0; p < image->planeCount(); ++p) {
      const Plane& plane = image->plane(p);
      for (int y = 0; y < plane.height; ++y) {
        uint8_t* const row = plane.data + y * plane.stride;
        for (int x = 0; x < plane.width; ++x) {
          for (int c = 0; c < (isClip ? 1 : 3); ++c) {
            uint8_t& value = row[isClip ? x : 4 * x + c];
            const int alpha = image->format() == PixelFormat::kRgbaPremultiplied ? row[4 * x + 3] : 255;
            value = static_cast<uint8_t>(change(plane, x, y, isClip ? p : c, isClip, value) * alpha / 255);
          }
        }
      }
    }
  }
}

// Colours that change slowly, so that chroma does not depend on where its samples are.
int smoothColour(const Plane& plane, int x, int y, int channel, bool isClip, int value) {
  if (!isClip) return 60 + 30 * channel + (x + y) * 20 / (plane.width + plane.height);
  return channel == 0 ? value : 90 + 20 * channel + x * 20 / plane.width;
}
// Shades of grey, whose luma does not depend on the matrix of the canvas.
int grey(const Plane&, int x, int y, int channel, bool isClip, int value) {
  if (isClip) return channel == 0 ? value : 128;
  return 40 + (x * 7 + y * 5) % 170;
}

// A device and the CPU compositor with canvases of one color.
struct Pair {
  SoftwareDevice& software;
  std::unique_ptr<VulkanCompositor> device;
  std::unique_ptr<Compositor> cpu;

  Pair(SoftwareDevice& driver, const CanvasColor& color)
      : software(driver),
        device(driver.compositor({.deepColor = color})),
        cpu(createDeepCompositor(color, false)) {}

  // Draws with both. `isOnDevice` is set to whether the device drew.
  FrameDifference draw(const RandomCase& random, bool& isOnDevice) const {
    const int64_t before = device->hostFrames();
    const auto expected = drawCase(*cpu, random), drawn = drawCase(*device, random);
    REQUIRE(expected.ok());
    INFO((drawn.ok() ? "" : drawn.error().message + " " + drawn.error().detail));
    REQUIRE(drawn.ok());
    REQUIRE(drawn.value()->format() == PixelFormat::kI010);
    isOnDevice = device->hostFrames() == before;
    INFO(software.firstMessage());
    REQUIRE(software.messages.empty());
    return compareFrames(*expected.value(), *drawn.value());
  }
};

constexpr uint64_t kCases = fewerWithSanitizers(200);
// CPU and device sum the same products, in another order where pixels have alpha. Each effect rounds once
// more.
constexpr int kMaxLuma = 1, kMaxLumaOfEffects = 3;

void requireLuma(const CanvasColor& color, uint64_t first, const ListKinds& kinds) {
  SoftwareDevice software;
  const Pair pair(software, color);
  uint64_t onDevice = 0;
  for (uint64_t seed = first; seed < first + kCases; ++seed) {
    INFO("seed " << seed);
    RandomCase random = randomCase(seed, kinds);
    forAllLayers(random.list, removeHostEffects);
    forAllLayers(random.list, removeBlendMode);
    // The CPU takes the luma of masks as that of SDR.
    if (color.isHdr() && kinds.effects) recolour(random, grey);
    bool isOnDevice = false;
    CHECK(pair.draw(random, isOnDevice).largestLuma <= (kinds.effects ? kMaxLumaOfEffects : kMaxLuma));
    onDevice += isOnDevice ? 1 : 0;
  }
  CHECK(onDevice > kCases / 2);
}

}  // namespace

TEST_CASE("the device's fills and images of 10 bits have the CPU's luma") {
  requireLuma({}, 1, {.effects = false, .transitions = false});
  requireLuma({CanvasTransfer::kPq, false}, 500, {.effects = false, .transitions = false});
}

TEST_CASE("the device's effects of 10 bits have the CPU's luma") {
  requireLuma({}, 1000, {.effects = true, .transitions = true});
  requireLuma({CanvasTransfer::kHlg, false}, 1500, {.effects = true, .transitions = true});
}

TEST_CASE("the device's blend modes of 10 bits have the CPU's luma where colours are smooth") {
  SoftwareDevice software;
  const Pair pair(software, {});
  uint64_t onDevice = 0, close = 0;
  double mean = 0;
  for (uint64_t seed = 2000; seed < 2000 + kCases; ++seed) {
    RandomCase random = randomCase(seed, {.effects = true, .transitions = false});
    forAllLayers(random.list, removeHostEffects);
    recolour(random, smoothColour);
    bool isOnDevice = false;
    const FrameDifference apart = pair.draw(random, isOnDevice);
    if (!isOnDevice) continue;
    ++onDevice;
    close += apart.largestLuma <= kMaxLumaOfEffects ? 1 : 0;
    mean += apart.lumaMean;
  }
  MESSAGE(close, " of ", onDevice, " lists are close, the mean is ", mean / static_cast<double>(onDevice));
  CHECK(onDevice > kCases / 2);
  CHECK(close * 10 > onDevice * 9);
  CHECK(mean / static_cast<double>(onDevice) < 0.05);
}

TEST_CASE("the device's transitions of 10 bits have the CPU's luma, and chroma where it is smooth") {
  SoftwareDevice software;
  const Pair pair(software, {});
  int onDevice = 0;
  double chroma = 0;
  uint64_t seed = 0;
  for (const TransitionStyle& style : transitionStyles()) {
    for (const double progress : {0.3, 0.8}) {
      ++seed;
      INFO("seed " << seed << ", " << style.name);
      RandomCase random = randomTransition(seed, style.name, progress);
      forAllLayers(random.list, removeHostEffects);
      forAllLayers(random.list, removeBlendMode);
      recolour(random, smoothColour);
      bool isOnDevice = false;
      const FrameDifference apart = pair.draw(random, isOnDevice);
      CHECK(apart.largestLuma <= kMaxLumaOfEffects);
      CHECK(apart.chromaMean < 3);
      chroma += isOnDevice ? apart.chromaMean : 0;
      onDevice += isOnDevice ? 1 : 0;
    }
  }
  CHECK(onDevice > 60);
  MESSAGE("chroma is ", chroma / onDevice, " codes apart on average");
  CHECK(chroma / onDevice < 0.2);
}

TEST_CASE("the device keeps the codes of a clip of 10 bits wherever nothing is drawn over it") {
  constexpr int kWidth = 98, kHeight = 54;
  auto clip = makeImage(PixelFormat::kI010, kWidth, kHeight);
  for (int p = 0; p < 3; ++p) {
    for (int y = 0; y < clip->plane(p).height; ++y) {
      auto* const row = reinterpret_cast<uint16_t*>(clip->plane(p).data + y * clip->plane(p).stride);
      for (int x = 0; x < clip->plane(p).width; ++x)
        row[x] = static_cast<uint16_t>(64 + (x * 389 + y * 547 + p * 211) % 876);
    }
  }
  const auto sprite = paintRgba(20, 10, [](int x, int) {
    return Color{250, 40, 10, static_cast<uint8_t>(x < 4 ? 0 : 200)};
  });
  SoftwareDevice software;
  for (const CanvasTransfer transfer : {CanvasTransfer::kSdr, CanvasTransfer::kHlg}) {
    const Pair pair(software, {transfer, false});
    DrawList list;
    list.isDithered = true;
    list.layers = {imageLayer(0, {0, 0, kWidth, kHeight}), imageLayer(1, {31, 21, 20, 10}, 0.7)};
    std::vector<std::shared_ptr<Image>> frames;
    for (Compositor* const compositor : {pair.cpu.get(), static_cast<Compositor*>(pair.device.get())}) {
      const std::vector<PreparedImagePtr> images = {compositor->prepareVideoFrame(clip, 0, 0).take(),
                                                    compositor->prepareStill(*sprite, 0, 0).take()};
      for (const PixelFormat wanted : {PixelFormat::kI420, PixelFormat::kNv12}) {
        frames.push_back(compositor->createFrame(wanted, kWidth, kHeight).take());
        REQUIRE(compositor->compose(list, images, *frames.back()).ok());
      }
    }
    const Image &cpu = *frames[0], &planar = *frames[2], &interleaved = *frames[3];
    CHECK(pair.device->hostFrames() == 0);
    CHECK(interleaved.format() == PixelFormat::kP010);
    CHECK(compareFrames(cpu, planar).largestLuma <= kMaxLuma);
    CHECK(compareFrames(cpu, planar).largest <= 2);
    CHECK(compareFrames(planar, interleaved).differing == 0);
    int wrong = 0;
    for (int p = 0; p < 3; ++p) {
      const int step = p == 0 ? 1 : 2;
      for (int y = 0; y < clip->plane(p).height; ++y) {
        for (int x = 0; x < clip->plane(p).width; ++x) {
          const int code = deepCodeAt(planar, p, x, y);
          const bool isUnder = x * step >= 28 && x * step < 54 && y * step >= 20 && y * step < 32;
          if (!isUnder && code != deepCodeAt(*clip, p, x, y)) ++wrong;
          const int upper = deepCodeAt(interleaved, std::min(p, 1), p == 0 ? x : 2 * x + p - 1, y);
          if (upper != code << 6) ++wrong;
        }
      }
    }
    CHECK(wrong == 0);
  }
  INFO(software.firstMessage());
  CHECK(software.messages.empty());
}

TEST_CASE("the CPU draws frames of 10 bits that the device lacks, between its own") {
  SoftwareDevice software;
  const Pair pair(software, {});
  const auto image = paintRgba(64, 48, [](int x, int y) {
    return Color{static_cast<uint8_t>(4 * x), static_cast<uint8_t>(5 * y), 90, 255};
  });
  std::vector<PreparedImagePtr> onDevice{pair.device->prepareStill(*image, 0, 0).take()},
      onHost{pair.cpu->prepareStill(*image, 0, 0).take()};
  for (const PixelFormat wanted : {PixelFormat::kI420, PixelFormat::kNv12}) {
    std::vector<std::shared_ptr<Image>> frames;
    std::vector<DrawList> lists;
    for (int i = 0; i < 6; ++i) {
      DrawList& list = lists.emplace_back();
      list.layers = {imageLayer(0, {1.0 * i, 0, 64, 48})};
      if (i % 2 == 1) {
        list.layers[0].effects = LayerEffects{.box = list.layers[0].toCanvas};
        list.layers[0].effects->finish.vignette = {0.8, 0.5, 0.5};
        list.layers[0].effects->vignetteBox = scaling(64, 48);
      }
      frames.push_back(pair.device->createFrame(wanted, 64, 48).take());
      REQUIRE(pair.device->start(list, onDevice, *frames.back()).ok());
    }
    for (size_t i = 0; i < frames.size(); ++i) {
      REQUIRE(pair.device->finish(*frames[i]).ok());
      const auto expected = pair.cpu->createFrame(PixelFormat::kI420, 64, 48).take();
      REQUIRE(pair.cpu->compose(lists[i], onHost, *expected).ok());
      const int shift = wanted == PixelFormat::kNv12 ? 6 : 0;
      int apart = 0;
      for (int y = 0; y < 48; ++y) {
        for (int x = 0; x < 64; ++x)
          apart = std::max(
              apart, std::abs((deepCodeAt(*frames[i], 0, x, y) >> shift) - deepCodeAt(*expected, 0, x, y)));
      }
      CHECK(apart <= (i % 2 == 1 ? 0 : kMaxLuma));
    }
  }
  CHECK(pair.device->hostFrames() == 6);
  INFO(software.firstMessage());
  CHECK(software.messages.empty());
}

}  // namespace framewright
