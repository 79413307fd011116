#include "kernels/color_lut.h"

#include <cmath>

#include "kernels/kernel_testing.h"

using namespace framewright;
namespace kernels = framewright::kernels;
namespace reference = framewright::kernels::reference;

namespace {

struct Signals {
  std::vector<Guarded<uint16_t>> colors;

  Signals(size_t count, std::mt19937& random) {
    for (int c = 0; c < 3; ++c) colors.emplace_back(count, random() % 32, random, kernels::kSignalRange);
  }
  kernels::SignalRow row() { return {colors[0].data(), colors[1].data(), colors[2].data()}; }
};

std::vector<int16_t> randomLut(std::mt19937& random) {
  std::vector<int16_t> vertices(static_cast<size_t>(kernels::ColorLut::kVertices) *
                                kernels::ColorLut::kChannels);
  for (int16_t& value : vertices) value = static_cast<int16_t>(random() % ((255 << 6) + 1));
  return vertices;
}

}  // namespace

TEST_CASE("conversion to signals equals its reference on every instruction set") {
  const kernels::SignalMatrix matrix{153217, 13800, -1540, -5347, 17610, -260000000, 90000000, -290000000};
  forEachTarget([&](const std::string&) {
    std::mt19937 random(41);
    for (int round = 0; round < 100; ++round) {
      const size_t count = 1 + random() % 200;
      const Guarded<uint16_t> y(count, random() % 32, random, 1023), cb(count, 1, random, 16383),
          cr(count, 2, random, 16383);
      Signals fast(count, random), plain = fast;
      kernels::signalRow(fast.row(), y.data(), cb.data(), cr.data(), matrix, count);
      reference::signalRow(plain.row(), y.data(), cb.data(), cr.data(), matrix, count);
      REQUIRE(fast.colors == plain.colors);
      for (const auto& color : fast.colors) REQUIRE(color.guardsHold());
    }
  });
}

TEST_CASE("colour tables equal their reference on every instruction set") {
  std::mt19937 tableRandom(42);
  const std::vector<int16_t> vertices = randomLut(tableRandom);
  std::vector<int16_t> luma;
  for (size_t i = 0; i < vertices.size(); i += kernels::ColorLut::kChannels) luma.push_back(vertices[i]);
  forEachTarget([&](const std::string& target) {
    std::mt19937 random(43);
    for (int round = 0; round < 100; ++round) {
      const size_t count = 1 + random() % 200;
      Signals signals(count, random);
      // Corners and equal fractions, where neighbouring tetrahedra meet.
      for (int edge = 0; edge < 4; ++edge) {
        const size_t at = random() % count;
        const auto value = static_cast<uint16_t>(random() % 65 * 512);
        signals.row().r[at] = signals.row().g[at] = value;
        if (edge % 2 == 0) signals.row().b[at] = value;
      }
      Guarded<uint8_t> fast(count, random() % 64, random, 255), plain = fast, next(count, 3, random, 255),
                                                                plainNext = next;
      const int first = random() % 2 == 0 ? 0 : 2;
      const bool both = random() % 2 == 0;
      kernels::mapRow(fast.data(), both ? next.data() : nullptr, signals.row(), vertices.data(), first,
                      count);
      reference::mapRow(plain.data(), both ? plainNext.data() : nullptr, signals.row(), vertices.data(),
                        first, count);
      REQUIRE(fast == plain);
      REQUIRE(next == plainNext);
      REQUIRE((fast.guardsHold() && next.guardsHold()));
      Guarded<uint16_t> deep(count, random() % 64, random, 1023), plainDeep = deep;
      kernels::mapRow(deep.data(), static_cast<uint16_t*>(nullptr), signals.row(), vertices.data(), first,
                      count);
      reference::mapRow(plainDeep.data(), static_cast<uint16_t*>(nullptr), signals.row(), vertices.data(),
                        first, count);
      REQUIRE(deep == plainDeep);
      REQUIRE(deep.guardsHold());
      // Of the first channel alone.
      kernels::mapLumaRow(fast.data(), signals.row(), luma.data(), count);
      kernels::mapLumaRow(deep.data(), signals.row(), luma.data(), count);
      reference::mapRow(plain.data(), static_cast<uint8_t*>(nullptr), signals.row(), vertices.data(), 0,
                        count);
      reference::mapRow(plainDeep.data(), static_cast<uint16_t*>(nullptr), signals.row(), vertices.data(), 0,
                        count);
      REQUIRE(fast == plain);
      REQUIRE(deep == plainDeep);
      REQUIRE((fast.guardsHold() && deep.guardsHold()));
      reference::mapLumaRow(fast.data(), signals.row(), luma.data(), count);
      reference::mapLumaRow(deep.data(), signals.row(), luma.data(), count);
      REQUIRE(fast == plain);
      REQUIRE(deep == plainDeep);
    }
    Signals row(1920, random);
    std::vector<uint8_t> out(1920);
    printTime("mapRow", target, 1920, [&] {
      kernels::mapRow(out.data(), static_cast<uint8_t*>(nullptr), row.row(), vertices.data(), 0, 1920);
    });
    printTime("mapLumaRow", target, 1920,
              [&] { kernels::mapLumaRow(out.data(), row.row(), luma.data(), 1920); });
  });
}

TEST_CASE("conversion of primaries equals its reference on every instruction set") {
  std::vector<float> toLight(kernels::kSignalRange + 1);
  std::vector<int32_t> fromRoot(kernels::SignalCurves::kRootSteps + 1);
  for (size_t i = 0; i < toLight.size(); ++i)
    toLight[i] = static_cast<float>(std::pow(static_cast<double>(i) / kernels::kSignalRange, 2.4));
  for (size_t i = 0; i < fromRoot.size(); ++i)
    fromRoot[i] = static_cast<int32_t>(
        std::lround(std::pow(static_cast<double>(i) / kernels::SignalCurves::kRootSteps, 2 / 2.4) *
                    kernels::kSignalRange));
  const kernels::SignalCurves curves{
      toLight.data(),
      {{1.66f, -0.588f, -0.073f}, {-0.125f, 1.133f, -0.008f}, {-0.018f, -0.1f, 1.118f}},
      fromRoot.data()};
  forEachTarget([&](const std::string& target) {
    std::mt19937 random(44);
    for (int round = 0; round < 100; ++round) {
      const size_t count = 1 + random() % 200;
      Signals fast(count, random), plain = fast;
      kernels::convertRow(fast.row(), curves, count);
      reference::convertRow(plain.row(), curves, count);
      REQUIRE(fast.colors == plain.colors);
      for (const auto& color : fast.colors) REQUIRE(color.guardsHold());
    }
    Signals row(1920, random);
    printTime("convertRow", target, 1920, [&] { kernels::convertRow(row.row(), curves, 1920); });
  });
}
