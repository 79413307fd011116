#include "kernels/convert.h"

#include <cmath>

#include "kernels/kernel_testing.h"

using namespace framewright;
namespace kernels = framewright::kernels;
namespace reference = framewright::kernels::reference;

namespace {

struct WideSamples {
  std::vector<Guarded<uint16_t>> colors;

  WideSamples(size_t count, std::mt19937& random) {
    for (int c = 0; c < 4; ++c) colors.emplace_back(count, random() % 32, random, 65025);
  }
  kernels::WideRow row() { return {colors[0].data(), colors[1].data(), colors[2].data(), colors[3].data()}; }
};

}  // namespace

TEST_CASE("unpacking RGBA equals its reference on every instruction set") {
  forEachTarget([&](const std::string&) {
    std::mt19937 random(21);
    for (int round = 0; round < 100; ++round) {
      const size_t count = 1 + random() % 200;
      const Guarded<uint8_t> rgba(4 * count, random() % 64, random, 255);
      for (const bool straight : {true, false}) {
        WideSamples fast(count, random), plain = fast;
        Guarded<uint8_t> fastAlpha(count, random() % 64, random, 255), plainAlpha = fastAlpha;
        (straight ? kernels::unpackStraightRow : kernels::unpackPremultipliedRow)(
            fast.row(), fastAlpha.data(), rgba.data(), count);
        (straight ? reference::unpackStraightRow : reference::unpackPremultipliedRow)(
            plain.row(), plainAlpha.data(), rgba.data(), count);
        REQUIRE(fast.colors == plain.colors);
        REQUIRE(fastAlpha == plainAlpha);
        for (const auto& color : fast.colors) REQUIRE(color.guardsHold());
      }
    }
  });
}

TEST_CASE("the colour matrix equals its reference on every instruction set") {
  forEachTarget([&](const std::string&) {
    std::mt19937 random(22);
    for (int round = 0; round < 100; ++round) {
      const size_t count = 1 + random() % 200;
      const Guarded<uint8_t> rgba(4 * count, 0, random, 255);
      WideSamples wide(count, random);
      Guarded<uint8_t> a(count, 3, random, 255), ya(count, 1, random, 255),
          yb = ya, ua = ya, ub = ya, va = ya, vb = ya, aa = ya, ab = ya;
      const kernels::RowRounding rounding =
          round % 2 == 0 ? kernels::RowRounding{} : kernels::transposedDitheredRow(round);
      reference::unpackStraightRow(wide.row(), a.data(), rgba.data(), count);
      kernels::lumaRow(ya.data(), wide.row(), count, rounding);
      reference::lumaRow(yb.data(), wide.row(), count, rounding);
      kernels::chromaRow(ua.data(), va.data(), aa.data(), wide.row(), count, rounding);
      reference::chromaRow(ub.data(), vb.data(), ab.data(), wide.row(), count, rounding);
      REQUIRE((ya == yb && ua == ub && va == vb && aa == ab));
      REQUIRE((ya.guardsHold() && ua.guardsHold() && va.guardsHold() && aa.guardsHold()));
      for (size_t i = 0; i < count; ++i) REQUIRE(aa.data()[i] == rgba.data()[4 * i + 3]);
    }
  });
}

TEST_CASE("chroma siting and doubling equal their references on every instruction set") {
  forEachTarget([&](const std::string&) {
    std::mt19937 random(23);
    for (int round = 0; round < 100; ++round) {
      const size_t count = 1 + random() % 200;
      Guarded<uint16_t> top(2 * count, random() % 32, random, 65025),
          bottom(2 * count, random() % 32, random, 65025);
      Guarded<uint16_t> fast(count, random() % 32, random, 65025), plain = fast;
      kernels::siteChromaRow(fast.data(), top.data(), bottom.data(), count);
      reference::siteChromaRow(plain.data(), top.data(), bottom.data(), count);
      REQUIRE(fast == plain);
      REQUIRE(fast.guardsHold());
      const Guarded<uint8_t> near(count / 2 + 2, random() % 64, random, 255),
          far(count / 2 + 2, 5, random, 255);
      Guarded<uint8_t> fastRow(count, random() % 64, random, 255), plainRow = fastRow;
      kernels::doubleChromaRow(fastRow.data(), near.data(), far.data(), count);
      reference::doubleChromaRow(plainRow.data(), near.data(), far.data(), count);
      REQUIRE(fastRow == plainRow);
      REQUIRE(fastRow.guardsHold());
    }
  });
}

TEST_CASE("the colour matrix is BT.709 in limited range") {
  // All corners and many colours between are within the rounding of 8 bits.
  uint16_t wide[4];
  for (int r = 0; r < 256; r += 15) {
    for (int g = 0; g < 256; g += 15) {
      for (int b = 0; b < 256; b += 15) {
        const uint8_t rgba[4] = {static_cast<uint8_t>(r), static_cast<uint8_t>(g), static_cast<uint8_t>(b),
                                 255};
        uint8_t y, u, v, a;
        const kernels::WideRow row{wide, wide + 1, wide + 2, wide + 3};
        reference::unpackStraightRow(row, &a, rgba, 1);
        reference::lumaRow(&y, row, 1);
        reference::chromaRow(&u, &v, &a, row, 1);
        const double luma = 0.2126 * r + 0.7152 * g + 0.0722 * b;
        REQUIRE(std::abs(y - (16 + 219 * luma / 255)) < 0.51);
        REQUIRE(std::abs(u - (128 + 224 * (b - luma) / 1.8556 / 255)) < 0.51);
        REQUIRE(std::abs(v - (128 + 224 * (r - luma) / 1.5748 / 255)) < 0.51);
      }
    }
  }
}

TEST_CASE("convert kernels: time") {
  constexpr size_t kCount = 1920;
  std::vector<uint8_t> rgba(4 * kCount, 100), a(kCount), b(kCount), c(kCount);
  std::vector<uint16_t> wide(8 * kCount, 5000);
  const kernels::WideRow row{wide.data() + 8, wide.data() + 8 + kCount, wide.data() + 8 + 2 * kCount,
                             wide.data() + 8 + 3 * kCount};
  forEachTarget([&](const std::string& target) {
    printTime("unpackStraightRow", target, kCount,
              [&] { kernels::unpackStraightRow(row, a.data(), rgba.data(), kCount); });
    printTime("lumaRow", target, kCount, [&] { kernels::lumaRow(a.data(), row, kCount); });
    printTime("siteChromaRow", target, kCount / 2,
              [&] { kernels::siteChromaRow(wide.data() + 5 * kCount, row.r, row.g, kCount / 2); });
    printTime("chromaRow", target, kCount,
              [&] { kernels::chromaRow(a.data(), b.data(), c.data(), row, kCount); });
  });
}
