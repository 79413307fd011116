#include "kernels/deep/sample_effects.h"

#include <algorithm>
#include <cmath>

#include "kernels/blend/blend.h"
#include "kernels/kernel_testing.h"

namespace framewright::kernels {
namespace {

constexpr size_t kRow = 211;  // no multiple of any vector

std::vector<int16_t> samplesBetween(std::mt19937& random, int low, int high) {
  std::vector<int16_t> row(kRow);
  for (int16_t& value : row)
    value = static_cast<int16_t>(low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1)));
  return row;
}

// Results of all kernels.
std::vector<int16_t> effectsOnThisTarget() {
  std::mt19937 random(3);
  std::vector<int16_t> all;
  const auto changed = [&](const auto& change) {
    std::vector<int16_t> row = samplesBetween(random, -2000, 20000);
    change(row);
    all.insert(all.end(), row.begin(), row.end());
  };
  for (const double slope : {0.0, 0.3, 1.0, 1.7, 7.9, 16.0}) {
    for (const double offset : {-9000.0, 0.0, 5000.5})
      changed([&](auto& row) { scaleSamples(row.data(), {slope, offset}, kRow); });
  }
  SampleCurve curve;
  for (int32_t& point : curve)
    point = static_cast<int32_t>(random() % 16000) | static_cast<int32_t>(random() % 300) << 16;
  changed([&](auto& row) { curveSamples(row.data(), curve, kRow); });
  std::vector<uint16_t> weights(kRow), factors(kRow);
  for (uint16_t& weight : weights) weight = static_cast<uint16_t>(random() % (kFullWeight + 1));
  for (uint16_t& factor : factors) factor = static_cast<uint16_t>(random() % (kFullWeight + 1));
  changed([&](auto& row) { shadeSamples(row.data(), weights.data(), kBlackSample, kRow); });
  std::vector<int8_t> noise(kRow);
  for (int8_t& value : noise) value = static_cast<int8_t>(random() % 255 - 127);
  for (const int strength : {0, 20, 218000})
    changed([&](auto& row) { grainSamples(row.data(), noise.data(), strength, kRow); });
  multiplyWeights(weights.data(), factors.data(), kRow);
  for (const uint16_t weight : weights) all.push_back(static_cast<int16_t>(weight));
  std::vector<uint16_t> chroma(kRow / 2);
  chromaOfWeights(chroma.data(), weights.data() + 1, factors.data() + 1, chroma.size());
  for (const uint16_t weight : chroma) all.push_back(static_cast<int16_t>(weight));
  weightsOfLuma(weights.data(), samplesBetween(random, -2000, 20000).data(), kRow);
  for (const uint16_t weight : weights) all.push_back(static_cast<int16_t>(weight));
  return all;
}

TEST_CASE("effects on samples are the same on all instruction sets") {
  std::vector<int16_t> first;
  forEachTarget([&](const std::string&) {
    const std::vector<int16_t> own = effectsOnThisTarget();
    if (first.empty()) first = own;
    CHECK(own == first);
  });
}

TEST_CASE("a slope is exact to a sample") {
  std::vector<int16_t> row(kHighestSample + 1);
  for (const double slope : {0.25, 1.0, 1.3, 2.5}) {
    for (size_t i = 0; i < row.size(); ++i) row[i] = static_cast<int16_t>(i);
    scaleSamples(row.data(), {slope, -100}, row.size());
    for (size_t i = 0; i < row.size(); ++i) {
      const double exact = (static_cast<double>(i) - kNeutralSample) * slope + kNeutralSample - 100;
      REQUIRE(std::abs(row[i] - std::clamp<double>(exact, 0, kHighestSample)) <= 1);
    }
  }
}

TEST_CASE("weights of chroma are means around even columns of two rows") {
  std::vector<uint16_t> chroma(20);
  std::vector<uint16_t> top(41, kFullWeight), bottom = top;
  chromaOfWeights(chroma.data(), top.data() + 1, bottom.data() + 1, chroma.size());
  CHECK(chroma == std::vector<uint16_t>(20, kFullWeight));
  top[24] = bottom[24] = 0;  // column 23, between two samples of chroma
  top[31] = 0;               // column 30
  chromaOfWeights(chroma.data(), top.data() + 1, bottom.data() + 1, chroma.size());
  CHECK(chroma[10] == kFullWeight);
  CHECK(chroma[11] == (6 * kFullWeight + 4) / 8);
  CHECK(chroma[12] == (6 * kFullWeight + 4) / 8);
  CHECK(chroma[15] == (6 * kFullWeight + 4) / 8);
}

TEST_CASE("full brightness and full weights change nothing") {
  std::mt19937 random(9);
  const std::vector<int16_t> before = samplesBetween(random, 0, kHighestSample);
  std::vector<int16_t> row = before;
  const std::vector<uint16_t> bright(kRow, uint16_t{1} << 15), full(kRow, kFullWeight);
  shadeSamples(row.data(), bright.data(), kBlackSample, kRow);
  CHECK(row == before);
  std::vector<uint16_t> weights(kRow, 12345);
  multiplyWeights(weights.data(), full.data(), kRow);
  CHECK(weights == std::vector<uint16_t>(kRow, 12345));
  weights = full;
  multiplyWeights(weights.data(), full.data(), kRow);
  CHECK(weights == full);
  const std::vector<int16_t> white(kRow, kWhiteSample), black(kRow, kBlackSample);
  weightsOfLuma(weights.data(), white.data(), kRow);
  CHECK(weights == full);
  weightsOfLuma(weights.data(), black.data(), kRow);
  CHECK(weights == std::vector<uint16_t>(kRow, 0));
}

}  // namespace
}  // namespace framewright::kernels
