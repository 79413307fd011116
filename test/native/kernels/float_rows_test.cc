#include "kernels/deep/float_rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/blend/blend_formulas.h"
#include "kernels/deep/blend_rows.h"
#include "kernels/deep/float_samples.h"
#include "kernels/kernel_testing.h"

namespace framewright::kernels {
namespace {

constexpr size_t kCount = 203;  // no multiple of any vector
constexpr size_t kMargin = 16;

// Rows that all kernels have been applied to, one after the other.
std::vector<float> resultsOnThisTarget() {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> share(0, 1);
  const auto row = [&] {
    std::vector<float> values(kCount + 2 * kMargin + kFilterReach);
    for (float& value : values) value = share(random);
    return values;
  };
  std::vector<float> rows[8] = {row(), row(), row(), row(), row(), row(), row(), row()};
  const auto at = [&](size_t i) { return rows[i].data() + kMargin; };
  std::vector<uint8_t> bytes(4 * kCount);
  std::vector<uint16_t> words(kCount), cb(kCount), cr(kCount);
  for (uint8_t& value : bytes) value = static_cast<uint8_t>(random());
  for (uint16_t& value : words) value = static_cast<uint16_t>(random() % 1024);
  std::vector<int32_t> firsts(kCount);
  for (int32_t& first : firsts)
    first = static_cast<int32_t>(static_cast<size_t>(&first - firsts.data()) * 3 / 4);
  std::vector<float> taps(4 * kCount);
  for (float& tap : taps) tap = share(random);

  const FloatRow dst{at(0), at(1), at(2), at(3)};
  const ConstFloatRow src{at(4), at(5), at(6), at(7)};
  const YcbcrScale scale = ycbcrScale(10, true);
  overFloats(dst, src, nullptr, 0.3f, kCount);
  overFloats(dst, {src.r, src.g, src.b, nullptr}, at(7), 0.9f, kCount);
  fillFloats(dst, {0.1f, 0.2f, 0.3f, 0.4f}, at(6), 0.7f, kCount);
  lerpFloats(at(0), at(5), 0.37f, kCount);
  mixFloats(at(1), at(4), at(7), kCount);
  filterFloats(at(0), at(4), firsts.data(), taps.data(), 4, kCount);
  limitPremultiplied(dst, scale, kCount);
  const float* const tapRows[] = {at(4), at(5), at(6), at(7), at(5), at(6), at(7), at(4)};
  sumFloats(at(2), tapRows, at(0), 8, kCount);
  sampleFloats(at(1), {at(4), 20, 2, 1, 17, 8}, {-3.2, 0.7, 0.31, 0.05}, kCount);
  addScaledFloats(at(2), at(5), 0.11f, kCount);
  multiplyFloats(at(3), at(4), kCount);
  std::vector<float> results;
  for (const auto& values : rows) results.insert(results.end(), values.begin(), values.end());

  const std::vector<float> thresholds(kThresholdPeriod, 0.41f);
  lumaOfSignals(words.data(), src, scale, thresholds.data(), kCount);
  chromaOfSignals(cb.data(), cr.data(), src, {at(0), at(1), at(2), nullptr}, scale, thresholds.data(),
                  kCount);
  for (const auto* samples : {&words, &cb, &cr})
    results.insert(results.end(), samples->begin(), samples->end());
  floatsOfRgba(dst, bytes.data(), true, kCount);
  mixSamples(at(4), words.data(), cb.data(), kCount / 2);
  widenFloats(at(5), at(4), true, kCount);
  widenFloats(at(6), at(4), false, kCount);
  for (const auto& values : rows) results.insert(results.end(), values.begin(), values.end());
  signalsOfYcbcr(dst, words.data(), at(5), at(6), scale, kCount);
  for (const auto& values : rows) results.insert(results.end(), values.begin(), values.end());
  return results;
}

TEST_CASE("float rows are the same bytes with every instruction set") {
  std::vector<float> first;
  int count = 0;
  forEachTarget([&](const std::string&) {
    const std::vector<float> results = resultsOnThisTarget();
    if (first.empty()) first = results;
    CHECK(results.size() == first.size());
    CHECK(std::memcmp(results.data(), first.data(), first.size() * sizeof(float)) == 0);
    ++count;
  });
  CHECK(count > 1);
}

TEST_CASE("blend modes of float rows follow their formulas on all instruction sets") {
  std::mt19937 random(11);
  std::uniform_real_distribution<float> share(-0.1f, 1.1f);
  std::vector<float> backdrop(3 * kCount), colours(3 * kCount), alpha(kCount), weights(kCount);
  for (float& value : backdrop) value = share(random);
  for (float& value : weights) value = std::clamp(share(random), 0.0f, 1.0f);
  for (size_t i = 0; i < kCount; ++i)
    alpha[i] = i % 4 == 0 ? 0.0f : i % 4 == 1 ? 1.0f : std::abs(share(random));
  for (size_t i = 0; i < colours.size(); ++i) colours[i] = share(random) * alpha[i % kCount];
  const auto rowOf = [](auto& values, auto* own) {
    return ConstFloatRow{values.data(), values.data() + kCount, values.data() + 2 * kCount, own};
  };
  for (int index = 0; index <= static_cast<int>(BlendMode::kExclusion); ++index) {
    const auto mode = static_cast<BlendMode>(index);
    for (const bool hasAlpha : {false, true}) {
      std::vector<float> first;
      forEachTarget([&](const std::string&) {
        std::vector<float> drawn(4 * kCount, 0.0f);
        const FloatRow to{drawn.data(), drawn.data() + kCount, drawn.data() + 2 * kCount,
                          drawn.data() + 3 * kCount};
        blendFloats(to, rowOf(backdrop, static_cast<const float*>(nullptr)),
                    rowOf(colours, hasAlpha ? alpha.data() : nullptr), weights.data(), 0.7f, kCount, mode);
        if (first.empty()) first = drawn;
        CHECK(std::memcmp(first.data(), drawn.data(), drawn.size() * sizeof(float)) == 0);
      });
      for (size_t i = 0; i < colours.size(); ++i) {
        const float own = hasAlpha ? alpha[i % kCount] : 1, weight = own * weights[i % kCount] * 0.7f;
        const float s = own > 0 ? std::clamp(colours[i] / own, 0.0f, 1.0f) : 0,
                    b = std::clamp(backdrop[i], 0.0f, 1.0f);
        const float wanted =
            mode == BlendMode::kAdd ? std::min(s * weight, 1 - b) : mixedChannel(mode, b, s) * weight;
        REQUIRE(first[i] == doctest::Approx(wanted).epsilon(1e-5));
      }
    }
  }
}

}  // namespace
}  // namespace framewright::kernels
