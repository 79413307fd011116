#include "kernels/page_curl.h"

#include <random>

#include "kernels/deep/curl_rows.h"
#include "kernels/deep/plane_rows.h"
#include "kernels/kernel_testing.h"

using namespace framewright;
using namespace framewright::kernels;

TEST_CASE("page curls equal their reference on every instruction set") {
  constexpr int kWidth = 64, kHeight = 48, kSteps = 160;
  std::mt19937 random(21);
  const auto upTo = [&](int max) { return static_cast<int32_t>(random() % static_cast<unsigned>(max + 1)); };
  const Guarded<uint8_t> samples(kWidth * kHeight, 0, random, 255);
  std::vector<CurlStep> steps(kSteps + 1);
  for (int i = 0; i <= kSteps; ++i) {
    CurlStep& step = steps[static_cast<size_t>(i)];
    // Flat, then rolled, then the new side.
    step = {
        upTo(60 * 16), i < 60 ? 0 : upTo(20 * 16),     i < 120 ? 256 : upTo(256),     upTo(256), upTo(4500),
        upTo(4096),    {upTo(1 << 20), upTo(1 << 20)}, {upTo(1 << 18), upTo(1 << 18)}};
  }
  forEachTarget([&](const std::string&) {
    for (const bool isChroma : {false, true}) {
      for (const int normalX : {4014, -4014, 813}) {
        const int side = isChroma ? 2 : 1;
        const SamplePlane plane{samples.data(), kWidth, 0, kWidth - 1, 0, kHeight - 1, kWidth * kHeight - 4};
        const CurledPage page{plane,        isChroma, kWidth * side, kHeight * side,   normalX, 813,
                              steps.data(), 119,      900,           (256 << 16) / 900};
        const int perSample = (isChroma ? 8 : 4) * normalX, end = kSteps << kCurlStepBits;
        const int first = normalX > 0 ? 0 : end - 1;
        const auto count = static_cast<size_t>(std::min(kWidth, end / std::abs(perSample)));
        for (const int y : {0, 17, kHeight - 1}) {
          Guarded<uint8_t> drawn(count, 1, random, 255), expected = drawn;
          const Guarded<uint8_t> flat(count, 2, random, 255);
          curlRow(drawn.data(), flat.data(), page, 0, y, first, count);
          reference::curlRow(expected.data(), flat.data(), page, 0, y, first, count);
          CHECK(drawn == expected);
          CHECK(drawn.guardsHold());
        }
      }
    }
  });
}

TEST_CASE(
    "page curls of 16 bits are those of 8 bits without their rounding, the same on every instruction set") {
  constexpr int kWidth = 61, kHeight = 40, kSteps = 160;
  std::vector<CurlStep> steps(kSteps + 1);
  for (int i = 0; i <= kSteps; ++i) {
    // Flat, then rolled, then the new side.
    steps[static_cast<size_t>(i)] = {i * 5,
                                     std::max(0, i - 60),
                                     std::clamp(256 * (140 - i) / 20, 0, 256),
                                     i,
                                     3000,
                                     4000 - 10 * i,
                                     {900000, 400000},
                                     {20000, 30000}};
  }
  std::vector<uint8_t> levels(kWidth * kHeight + 64);
  std::vector<int16_t> samples(levels.size());
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const auto at = static_cast<size_t>(y * kWidth + x);
      levels[at] = static_cast<uint8_t>(30 + x * 2 + y);
      samples[at] = static_cast<int16_t>(levels[at] * 64);
    }
  }
  for (const bool isChroma : {false, true}) {
    for (const int normalX : {4014, -4014, 813}) {
      const int side = isChroma ? 2 : 1;
      const SamplePlane plane{levels.data(), kWidth, 0, kWidth - 1, 0, kHeight - 1, kWidth * kHeight - 4};
      const CodePlane deep{samples.data(), kWidth, 0, kWidth - 1, 0, kHeight - 1, kCodeFraction};
      const CurledPage page{plane,        isChroma, kWidth * side, kHeight * side,   normalX, 813,
                            steps.data(), 119,      900,           (256 << 16) / 900};
      const int first = normalX > 0 ? 0 : (kSteps << kCurlStepBits) - 1;
      const auto count = static_cast<size_t>(
          std::min(kWidth, (kSteps << kCurlStepBits) / std::abs((isChroma ? 8 : 4) * normalX)));
      const int y = 17;
      std::vector<uint8_t> coarse(count, 200),
          flat(levels.begin() + y * kWidth, levels.begin() + y * kWidth + kWidth);
      curlRow(coarse.data(), flat.data(), page, 0, y, first, count);
      const std::vector<int16_t> deepFlat(samples.begin() + y * kWidth,
                                          samples.begin() + y * kWidth + kWidth);
      std::vector<int16_t> expected;
      forEachTarget([&](const std::string& target) {
        std::vector<int16_t> drawn(count, 200 * 64);
        curlSamples(drawn.data(), deepFlat.data(), deep, page, 0, y, first, count);
        if (expected.empty()) expected = drawn;
        CHECK_MESSAGE(drawn == expected, target);
      });
      for (size_t i = 0; i < count; ++i) REQUIRE(std::abs(expected[i] - coarse[i] * 64) <= 4 * 64);
    }
  }
}
