#include "kernels/ycbcr/ycbcr_rows.h"

#include "kernels/kernel_testing.h"

using namespace framewright;
using kernels::YcbcrMatrix;
namespace reference = framewright::kernels::reference;

namespace {

// Coefficients beyond those of real matrices, so that results are clamped at both ends.
YcbcrMatrix randomMatrix(std::mt19937& random) {
  const auto within = [&](double low, double high) {
    const double at = low + (high - low) * static_cast<double>(random() % 10001) / 10000;
    return static_cast<int32_t>(at * (1 << YcbcrMatrix::kShift));
  };
  YcbcrMatrix m;
  m.luma = within(0.8, 1.3);
  m.lumaOffset = within(-20, 20);
  m.lumaFromCb = within(-0.25, 0.25);
  m.lumaFromCr = within(-0.25, 0.25);
  m.cbFromCb = within(0.8, 1.3);
  m.cbFromCr = within(-0.25, 0.25);
  m.crFromCb = within(-0.25, 0.25);
  m.crFromCr = within(0.8, 1.3);
  return m;
}

// Corrections of up to 64 levels in both directions, `weight` times.
void makeCorrections(Guarded<int32_t>& row, size_t count, int32_t weight, std::mt19937& random) {
  constexpr int32_t kLimit = 1 << (YcbcrMatrix::kShift + 6);
  for (size_t i = 0; i < count; ++i)
    row.data()[i] = weight * (static_cast<int32_t>(random() % (2u * kLimit)) - kLimit);
}

}  // namespace

TEST_CASE("chroma of another matrix equals its reference on every instruction set") {
  forEachTarget([&](const std::string&) {
    std::mt19937 random(41);
    for (int round = 0; round < 100; ++round) {
      const size_t count = 1 + random() % 200;
      const YcbcrMatrix matrix = randomMatrix(random);
      const Guarded<uint8_t> cb(count, random() % 64, random, 255), cr(count, random() % 64, random, 255);
      Guarded<uint8_t> fastCb(count, random() % 64, random, 255),
          plainCb = fastCb, fastCr(count, random() % 64, random, 255), plainCr = fastCr;
      Guarded<int32_t> fast(count, random() % 16, random, 255), plain = fast;
      kernels::convertChromaRow({fastCb.data(), fastCr.data()}, fast.data(), {cb.data(), cr.data()}, matrix,
                                count);
      reference::convertChromaRow({plainCb.data(), plainCr.data()}, plain.data(), {cb.data(), cr.data()},
                                  matrix, count);
      REQUIRE((fastCb == plainCb && fastCr == plainCr && fast == plain));
      REQUIRE((fastCb.guardsHold() && fastCr.guardsHold() && fast.guardsHold()));
    }
  });
}

TEST_CASE("luma of another matrix equals its reference on every instruction set") {
  forEachTarget([&](const std::string&) {
    std::mt19937 random(42);
    for (int round = 0; round < 200; ++round) {
      const size_t count = 1 + random() % 200, samples = (count + 1) / 2;
      const YcbcrMatrix matrix = randomMatrix(random);
      Guarded<int32_t> near(samples, random() % 16, random, 0), far(samples, random() % 16, random, 0);
      makeCorrections(near, samples, 1, random);
      makeCorrections(far, samples, 1, random);
      Guarded<int32_t> fastMixed(samples, random() % 16, random, 255), plainMixed = fastMixed;
      const auto nearWeight = static_cast<int32_t>(2 + random() % 3);
      kernels::mixCorrectionRow(fastMixed.data(), near.data(), far.data(), nearWeight, samples);
      reference::mixCorrectionRow(plainMixed.data(), near.data(), far.data(), nearWeight, samples);
      REQUIRE(fastMixed == plainMixed);
      REQUIRE(fastMixed.guardsHold());

      Guarded<int32_t> correction(samples + 2, random() % 16, random, 0);
      makeCorrections(correction, samples + 2, 4, random);
      const Guarded<uint8_t> luma(count, random() % 64, random, 255);
      Guarded<uint8_t> fast(count, random() % 64, random, 255), plain = fast;
      for (const bool isCentred : {false, true}) {
        kernels::correctLumaRow(fast.data(), luma.data(), correction.data() + 1, matrix, isCentred, count);
        reference::correctLumaRow(plain.data(), luma.data(), correction.data() + 1, matrix, isCentred, count);
        REQUIRE(fast == plain);
        REQUIRE(fast.guardsHold());
      }
    }
  });
}

TEST_CASE("scaled samples and separated chroma equal their references on every instruction set") {
  forEachTarget([&](const std::string&) {
    std::mt19937 random(43);
    for (int round = 0; round < 100; ++round) {
      const size_t count = 1 + random() % 300;
      const YcbcrMatrix matrix = randomMatrix(random);
      const Guarded<uint8_t> source(2 * count, random() % 64, random, 255);
      Guarded<uint8_t> fast(count, random() % 64, random, 255), plain = fast, fastCr = fast, plainCr = fast;
      kernels::scaleSampleRow(fast.data(), source.data(), matrix.luma, matrix.lumaOffset, count);
      reference::scaleSampleRow(plain.data(), source.data(), matrix.luma, matrix.lumaOffset, count);
      REQUIRE(fast == plain);
      REQUIRE(fast.guardsHold());
      kernels::splitChromaRow({fast.data(), fastCr.data()}, source.data(), count);
      reference::splitChromaRow({plain.data(), plainCr.data()}, source.data(), count);
      REQUIRE((fast == plain && fastCr == plainCr));
      REQUIRE((fast.guardsHold() && fastCr.guardsHold()));
    }
  });
}

TEST_CASE("YCbCr kernels: time") {
  constexpr size_t kCount = 1920;
  const YcbcrMatrix matrix;
  std::vector<uint8_t> a(2 * kCount, 100), b(kCount), c(kCount);
  std::vector<int32_t> near(kCount + 2, 5000), mixed(kCount + 2);
  forEachTarget([&](const std::string& target) {
    printTime("scaleSampleRow", target, kCount,
              [&] { kernels::scaleSampleRow(b.data(), a.data(), matrix.luma, matrix.lumaOffset, kCount); });
    printTime("convertChromaRow", target, kCount, [&] {
      kernels::convertChromaRow({b.data(), c.data()}, mixed.data(), {a.data(), a.data()}, matrix, kCount);
    });
    printTime("mixCorrectionRow", target, kCount,
              [&] { kernels::mixCorrectionRow(mixed.data(), near.data(), near.data(), 3, kCount); });
    printTime("correctLumaRow", target, kCount,
              [&] { kernels::correctLumaRow(b.data(), a.data(), near.data() + 1, matrix, true, kCount); });
    printTime("splitChromaRow", target, kCount, [&] {
      kernels::splitChromaRow({b.data(), c.data()}, a.data(), kCount);
    });
  });
}
