#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "compositor/compose_testing.h"
#include "compositor/deep/deep_compositor.h"
#include "vulkan/software_device.h"

namespace framewright {
namespace {

constexpr int kGoldenWidth = 160, kGoldenHeight = 96;

// Codes of luma, Cb and Cr at a pixel on even columns and rows.
using Codes = std::array<int, 3>;

struct GoldenPoint {
  const char* shows;
  int x, y;
  Codes sdr, hlg, pq;
};

// Each is in the middle of a flat area. White of SDR is 75 % in HLG, and 203 cd/m² in PQ.
constexpr GoldenPoint kGoldenPoints[] = {
    {"a clip that keeps its codes", 8, 8, {601, 490, 530}, {601, 490, 530}, {601, 490, 530}},
    {"white of SDR", 40, 8, {940, 512, 512}, {721, 512, 512}, {573, 512, 512}},
    {"half opaque red over the clip", 72, 8, {425, 450, 745}, {496, 443, 623}, {496, 464, 569}},
    {"a sprite with alpha, enlarged", 104, 8, {600, 352, 650}, {568, 403, 578}, {526, 451, 547}},
    {"blue multiplied with the clip", 136, 8, {263, 677, 470}, {247, 627, 509}, {258, 561, 514}},
    {"an opaque image, rotated", 24, 64, {487, 393, 282}, {478, 401, 428}, {437, 457, 476}},
    {"inside round corners", 80, 64, {487, 393, 282}, {478, 401, 428}, {437, 457, 476}},
    {"the shadow of a fill", 152, 88, {182, 507, 516}, {182, 507, 516}, {182, 507, 516}},
};

Codes codesAt(const Image& frame, const GoldenPoint& point) {
  const auto at = [&](int plane, int shift) {
    const Plane& samples = frame.plane(plane);
    return int{reinterpret_cast<const uint16_t*>(samples.data +
                                                 (point.y >> shift) * samples.stride)[point.x >> shift]};
  };
  return {at(0, 0), at(1, 1), at(2, 1)};
}

std::shared_ptr<Image> goldenFrame(Compositor& compositor) {
  auto clip = makeImage(PixelFormat::kI010, kGoldenWidth, kGoldenHeight);
  for (int p = 0; p < 3; ++p) {
    const Plane& plane = clip->plane(p);
    for (int y = 0; y < plane.height; ++y) {
      auto* const row = reinterpret_cast<uint16_t*>(plane.data + y * plane.stride);
      std::fill_n(row, plane.width, static_cast<uint16_t>(p == 0 ? 601 : 450 + 40 * p));
    }
  }
  const auto orange = paintRgba(12, 12, [](int, int) { return Color{255, 140, 20, 150}; });
  const auto green = paintRgba(40, 30, [](int, int) { return Color{20, 160, 60, 255}; });
  const std::vector<PreparedImagePtr> images = {compositor.prepareVideoFrame(clip, 0, 0).take(),
                                                compositor.prepareStill(*orange, 0, 0).take(),
                                                compositor.prepareStill(*green, 0, 0).take()};
  DrawList list;
  list.isDithered = true;
  list.layers = {imageLayer(0, {0, 0, kGoldenWidth, kGoldenHeight}),
                 fillLayer({255, 255, 255, 255}, {32, 0, 16, 32}),
                 fillLayer({255, 0, 0, 255}, {64, 0, 16, 32}),
                 imageLayer(1, {96, 0, 18, 27}),
                 fillLayer({60, 90, 255, 255}, {128, 0, 16, 32}),
                 imageLayer(2, {4, 46, 40, 36}),
                 imageLayer(2, {60, 44, 40, 40}),
                 fillLayer({90, 90, 90, 255}, {116, 60, 20, 20})};
  list.layers[2].opacity = 0.5;
  for (const size_t i : {4, 6, 7}) list.layers[i].effects = LayerEffects{.box = list.layers[i].toCanvas};
  list.layers[4].effects->blend = BlendMode::kMultiply;
  list.layers[5].toCanvas =
      translation(24, 64) * rotationDegrees(30) * translation(-20, -18) * scaling(40, 36);
  list.layers[6].effects->boxWidth = list.layers[6].effects->boxHeight = 40;
  list.layers[6].effects->cornerRadius = 12;
  list.layers[7].effects->shadows = {{{0, 0, 0, 200}, 2, 22, 14}};
  auto frame = compositor.createFrame(PixelFormat::kI420, kGoldenWidth, kGoldenHeight).take();
  REQUIRE(compositor.compose(list, images, *frame).ok());
  return frame;
}

}  // namespace

TEST_CASE("frames of 10 bits have known codes on the CPU and on a device") {
  SoftwareDevice software;
  for (const CanvasTransfer transfer : {CanvasTransfer::kSdr, CanvasTransfer::kHlg, CanvasTransfer::kPq}) {
    const CanvasColor color{transfer, false};
    const auto cpu = createDeepCompositor(color, false);
    const auto device = software.compositor({.deepColor = color});
    const auto expected = goldenFrame(*cpu), drawn = goldenFrame(*device);
    CHECK(device->hostFrames() == 0);
    for (const GoldenPoint& point : kGoldenPoints) {
      const Codes& known = transfer == CanvasTransfer::kSdr   ? point.sdr
                           : transfer == CanvasTransfer::kHlg ? point.hlg
                                                              : point.pq;
      INFO(std::string(point.shows) << " in transfer " << static_cast<int>(transfer));
      for (const Image* const frame : {expected.get(), drawn.get()}) {
        const Codes codes = codesAt(*frame, point);
        for (size_t i = 0; i < codes.size(); ++i) CHECK(std::abs(codes[i] - known[i]) <= 1);
      }
    }
  }
  INFO(software.firstMessage());
  CHECK(software.messages.empty());
}

}  // namespace framewright
