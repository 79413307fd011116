#include "kernels/ycbcr/primaries_rows.h"

#include <cmath>

#include "kernels/kernel_testing.h"

using namespace framewright;
using kernels::RatioTable, kernels::PrimariesConversion;
namespace reference = framewright::kernels::reference;

namespace {

// BT.2020 in 8 bits, whose colours clip in many places.
PrimariesConversion wideConversion(const std::vector<int32_t>& cells) {
  PrimariesConversion c{{{1 / 219.0F, 0, 4.1e-4F, -0.91F},
                         {1 / 219.0F, -4.6e-5F, -1.6e-4F, 0.34F},
                         {1 / 219.0F, 5.2e-4F, 0, -1.15F}},
                        kernels::powerCurve(2.4),
                        {{1.66F, -0.588F, -0.073F}, {-0.125F, 1.133F, -0.008F}, {-0.018F, -0.1F, 1.118F}},
                        kernels::powerCurve(1 / 2.4),
                        {{46.6F, 156.6F, 15.8F, 16}, {-25.7F, -86.3F, 112, 128}, {112, -101.7F, -10.3F, 128}},
                        {}};
  constexpr float kUnit = 1 << RatioTable::kLumaBits;
  c.ratios = {cells.data(),
              cells.data() + RatioTable::kSide,
              {kUnit / 219, -16 * kUnit / 219},
              {800, -800 * 2048},
              {700, -700 * 2048},
              200,
              150,
              {{219 / kUnit / 65536, 219 / kUnit, 0.01F / kUnit, -0.02F / kUnit, 16},
               {224 / kUnit / 65536, 0, 1e-5F, -1e-6F, 128},
               {224 / kUnit / 65536, 0, -1e-6F, 1e-5F, 128}}};
  return c;
}

std::vector<int32_t> randomCells(std::mt19937& random) {
  // Those of Y and of Cb and Cr overlap.
  std::vector<int32_t> cells(size_t{RatioTable::kSide} * (2 * RatioTable::kSide + 1));
  for (int32_t& cell : cells) {
    const auto change = static_cast<int32_t>(random() % 400) - 200,
               highest = static_cast<int32_t>(random() % 16385);
    cell = random() % 4 == 0 ? 0 : change * 65536 + highest;
  }
  return cells;
}

}  // namespace

TEST_CASE("power curves are exact to a quarter of a thousandth") {
  // One sample whose signals are all the same shows the curve.
  for (const double power : {2.2, 2.4, 2.8, 1 / 2.4}) {
    const kernels::PowerCurve curve = kernels::powerCurve(power);
    double worst = 0;
    for (int i = 0; i <= 1000; ++i) {
      const double x = 0.5 + 1.5 * i / 1000;
      double sum = 0;
      for (int k = kernels::PowerCurve::kCoefficients - 1; k >= 0; --k) sum = sum * x + curve.coefficients[k];
      worst = std::max(worst, std::abs(sum / std::pow(x, power) - 1));
    }
    CHECK(worst < 1.0 / (1 << 12));
    for (int i = 0; i < kernels::PowerCurve::kFactors; ++i)
      CHECK(curve.factors[i] == doctest::Approx(std::pow(4.0, power * (i - 15))));
  }
}

TEST_CASE("conversion of primaries by powers equals its reference on every instruction set") {
  std::mt19937 cellRandom(51);
  const std::vector<int32_t> cells = randomCells(cellRandom);
  const PrimariesConversion conversion = wideConversion(cells);
  forEachTarget([&](const std::string& target) {
    std::mt19937 random(52);
    for (int round = 0; round < 200; ++round) {
      const size_t count = 1 + random() % 200;
      Guarded<uint16_t> y(count, random() % 32, random, 255), cb(count, 1, random, 4095),
          cr(count, 2, random, 4095);
      // Half of the rows nearly grey, which is looked up.
      for (size_t i = 0; round % 2 == 0 && i < count; ++i) {
        cb.data()[i] = static_cast<uint16_t>(2048 - 200 + cb.data()[i] % 400);
        cr.data()[i] = static_cast<uint16_t>(2048 - 200 + cr.data()[i] % 400);
      }
      const kernels::SampleRow row{y.data(), cb.data(), cr.data()};
      Guarded<uint8_t> fast(count, random() % 64, random, 255), plain = fast, next(count, 3, random, 255),
                                                                plainNext = next;
      kernels::convertPrimariesRow(fast.data(), row, conversion, count);
      reference::convertPrimariesRow(plain.data(), row, conversion, count);
      REQUIRE(fast == plain);
      kernels::convertPrimariesRow(fast.data(), next.data(), row, conversion, count);
      reference::convertPrimariesRow(plain.data(), plainNext.data(), row, conversion, count);
      REQUIRE(fast == plain);
      REQUIRE(next == plainNext);
      REQUIRE((fast.guardsHold() && next.guardsHold()));
    }
    std::vector<uint16_t> luma(1920, 100), chroma(1920, 2060);
    std::vector<uint8_t> out(1920), other(1920);
    const kernels::SampleRow row{luma.data(), chroma.data(), chroma.data()};
    printTime("primariesLumaRow", target, 1920,
              [&] { kernels::convertPrimariesRow(out.data(), row, conversion, 1920); });
    printTime("primariesChromaRow", target, 1920,
              [&] { kernels::convertPrimariesRow(out.data(), other.data(), row, conversion, 1920); });
  });
}
