#include "kernels/page_curl.h"

#include <random>

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
