#include "kernels/deep/surface_rows.h"

#include <algorithm>
#include <cmath>

#include "kernels/color_lut.h"
#include "kernels/deep/key_rows.h"
#include "kernels/deep/plane_filters.h"
#include "kernels/deep/plane_rows.h"
#include "kernels/deep/projected_rows.h"
#include "kernels/deep/transition_kernels.h"
#include "kernels/kernel_testing.h"

namespace framewright::kernels {
namespace {

constexpr size_t kColumns = 307;  // no multiple of any vector

std::vector<int16_t> wordsBetween(std::mt19937& random, int low, int high, size_t count = kColumns) {
  std::vector<int16_t> row(count);
  for (int16_t& value : row)
    value = static_cast<int16_t>(low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1)));
  return row;
}

// Rows of alpha with transparent and opaque samples among others.
std::vector<int16_t> alphaRowOf(std::mt19937& random, size_t count = kColumns) {
  std::vector<int16_t> row = wordsBetween(random, 0, kFullSampleWeight, count);
  for (size_t i = 0; i < count; i += 3) row[i] = i % 2 == 0 ? kFullSampleWeight : int16_t{0};
  return row;
}

struct Results {
  std::vector<int16_t> all;
  void add(const std::vector<int16_t>& row) { all.insert(all.end(), row.begin(), row.end()); }
  void add(const std::vector<uint16_t>& row) { all.insert(all.end(), row.begin(), row.end()); }
};

void addSurfaceRows(Results& results, std::mt19937& random) {
  const std::vector<int16_t> alpha = alphaRowOf(random);
  std::vector<int16_t> row = wordsBetween(random, -500, 17000);
  const auto next = [&] {
    results.add(row);
    row = wordsBetween(random, -500, 17000);
  };
  straightSamples(row.data(), row.data(), alpha.data(), kColumns);
  next();
  premultiplySamples(row.data(), alpha.data(), kColumns);
  next();
  std::vector<uint16_t> brightness(kColumns);
  for (uint16_t& value : brightness) value = static_cast<uint16_t>(random() % 32769);
  shadeSurface(row.data(), alpha.data(), brightness.data(), 1024, kColumns);
  next();
  std::vector<int8_t> noise(kColumns);
  for (int8_t& value : noise) value = static_cast<int8_t>(random() % 255 - 127);
  grainSurface(row.data(), alpha.data(), noise.data(), 90000, kColumns);
  next();
  std::vector<int16_t> lumas[5], alphas[5];
  const int16_t *lumaRows[5], *alphaRows[5];
  for (size_t i = 0; i < 5; ++i) {
    lumas[i] = wordsBetween(random, 0, 16383, kColumns + 4);
    alphas[i] = alphaRowOf(random, kColumns + 4);
    lumaRows[i] = lumas[i].data();
    alphaRows[i] = alphas[i].data();
  }
  sharpenSamples(row.data(), lumaRows, alphaRows, 1.3f, kColumns);
  next();
  sharpenSamples(row.data(), lumaRows, nullptr, 0.7f, kColumns);
  next();
  doubleChromaSamples(row.data(), lumas[0].data(), lumas[1].data(), kColumns);
  next();
  layUnderSamples(row.data(), alpha.data(), lumas[2].data(), 9000, 0.7f, 2.5f, kColumns);
  next();
  shiftSamples(row.data(), alphas[0].data(), alphas[1].data(), 21, 50, kColumns);
  next();
  std::vector<int32_t> sums(kColumns, 5);
  for (int i = 0; i < 7; ++i)
    addShiftedSamples(sums.data(), alphas[2].data(), alphas[3].data(), 9 * i, 63, kColumns);
  averageSamples(row.data(), sums.data(), 7, kColumns);
  next();
  widenSamples(row.data(), lumas[3].data(), kColumns);
  narrowSamples(row.data(), row.data(), kColumns);
  next();
}

void addKeys(Results& results, std::mt19937& random) {
  DifferenceKey key;
  key.luma = 80, key.u = -40, key.v = -30;
  key.unitU = -0.8f, key.unitV = -0.6f;
  key.perChroma = 1 / 50.0f;
  key.wedge = 0.4f, key.low = 0.1f, key.steepness = 1.2f;
  std::vector<int16_t> luma = wordsBetween(random, -300, 17000), cb = wordsBetween(random, 0, 16383),
                       cr = wordsBetween(random, 0, 16383);
  std::vector<float> level(kColumns), mix(kColumns);
  for (float& value : level) value = 0.5f + static_cast<float>(random() % 1000) * 1e-3f;
  std::vector<uint16_t> visible(kColumns);
  mixSampleRow(mix.data(), cb.data(), cr.data(), key, kColumns);
  for (const float value : mix) results.all.push_back(static_cast<int16_t>(value * 1000));
  keyByDistance(visible.data(), luma.data(), cb.data(), cr.data(), {80, 100, 140, 0.6f, 20, 70}, kColumns);
  results.add(visible);
  keyLumaSamples(visible.data(), luma.data(), cb.data(), cr.data(), level.data(), key, kColumns);
  keyChromaSamples(cb.data(), cr.data(), level.data(), key, kColumns);
  for (const auto* row : {&luma, &cb, &cr}) results.add(*row);
  results.add(visible);
}

void addTables(Results& results, std::mt19937& random) {
  const std::vector<int16_t> vertices =
      wordsBetween(random, 0, 16320, size_t{ColorLut::kVertices} * ColorLut::kChannels);
  std::vector<int16_t> lumas(size_t{ColorLut::kVertices} + 1);
  for (size_t i = 0; i + 1 < lumas.size(); ++i) lumas[i] = vertices[i * ColorLut::kChannels];
  std::vector<uint16_t> signals[3];
  for (auto& row : signals) {
    row.resize(kColumns);
    for (uint16_t& value : row) value = static_cast<uint16_t>(random() % (kSignalRange + 1));
  }
  std::vector<int16_t> row(kColumns), next(kColumns);
  const SignalRow src{signals[0].data(), signals[1].data(), signals[2].data()};
  mapRow(row.data(), next.data(), src, vertices.data(), 2, kColumns);
  results.add(row);
  results.add(next);
  mapLumaRow(row.data(), src, lumas.data(), kColumns);
  results.add(row);
}

void addProjections(Results& results, std::mt19937& random) {
  constexpr int kWidth = 40, kHeight = 30;
  const std::vector<int16_t> samples = wordsBetween(random, 0, 32767, kWidth * kHeight);
  const CodePlane plane{samples.data(), kWidth, 0, kWidth - 1, 0, kHeight - 1, kCodeFraction};
  constexpr int kEntries = static_cast<int>(kColumns) / kProjectionStep + 2;
  std::vector<int32_t> here, below;
  for (int i = 0; i < kEntries; ++i) {
    here.insert(here.end(), {(i * 75000) - 90000, i * 40000});
    below.insert(below.end(), {(i * 75000) - 70000, i * 40000 + 70000});
  }
  std::vector<int16_t> row(kColumns), other(kColumns);
  int16_t* const rows[2] = {row.data(), other.data()};
  const int16_t* const planes[2] = {samples.data(), samples.data()};
  for (const int positions : {1, 2, 4}) {
    sampleProjectedCodes(rows, planes, 2, plane, {here.data(), below.data(), positions, positions}, kColumns);
    results.add(row);
    CHECK(other == row);
  }
}

void addTransitions(Results& results, std::mt19937& random) {
  std::vector<int16_t> a = wordsBetween(random, -400, 17000), b = wordsBetween(random, -400, 17000),
                       row(kColumns);
  std::vector<int32_t> sums(kColumns, 123456);
  addSamples(sums.data(), a.data(), kColumns);
  slideBoxes(sums.data(), a.data(), b.data(), kColumns);
  meanOfBoxes(row.data(), sums.data(), a.data(), b.data(), {21, 43, 1 / 800.0f}, kColumns);
  results.add(row);
  scaleSums(row.data(), sums.data(), 1 / 11.0f, kColumns);
  results.add(row);
  reverseSamples(row.data(), a.data(), kColumns);
  results.add(row);
  std::vector<float> squares(kColumns);
  DifferenceTable table;
  for (int32_t& entry : table) entry = static_cast<int32_t>(random() % 9000 << 16 | random() % 9000);
  std::vector<uint16_t> weights(kColumns);
  squaredDistances(squares.data(), a.data(), b.data(), false, kColumns);
  squaredDistances(squares.data(), b.data(), row.data(), true, kColumns);
  weightsOfDistances(weights.data(), a.data(), row.data(), squares.data(), 9000, 777, kColumns);
  results.add(weights);
  addDifferences(a.data(), b.data(), table, kColumns);
  results.add(a);
}

TEST_CASE("effects on surfaces of samples are the same on all instruction sets") {
  std::vector<int16_t> first;
  forEachTarget([&](const std::string& target) {
    std::mt19937 random(4);
    Results results;
    addSurfaceRows(results, random);
    addKeys(results, random);
    addTables(results, random);
    addProjections(results, random);
    addTransitions(results, random);
    if (first.empty()) first = results.all;
    CHECK_MESSAGE(results.all == first, target);
  });
}

TEST_CASE("premultiplied samples become straight again") {
  std::mt19937 random(8);
  const std::vector<int16_t> before = wordsBetween(random, 0, 16383);
  std::vector<int16_t> row = before;
  const std::vector<int16_t> alpha = wordsBetween(random, 16000, kFullSampleWeight);
  premultiplySamples(row.data(), alpha.data(), kColumns);
  straightSamples(row.data(), row.data(), alpha.data(), kColumns);
  for (size_t i = 0; i < kColumns; ++i) CHECK(std::abs(row[i] - before[i]) <= 2);
}

TEST_CASE("equal samples stay under sharpening, shifts and means") {
  const std::vector<int16_t> grey(kColumns + 4, 7777), full(kColumns + 4, kFullSampleWeight);
  const int16_t *lumas[5], *alphas[5];
  std::fill_n(lumas, 5, grey.data());
  std::fill_n(alphas, 5, full.data());
  std::vector<int16_t> row(kColumns);
  const std::vector<int16_t> same(kColumns, 7777), opaque(kColumns, kFullSampleWeight);
  sharpenSamples(row.data(), lumas, nullptr, 2, kColumns);
  CHECK(row == same);
  sharpenSamples(row.data(), lumas, alphas, 2, kColumns);
  CHECK(row == same);
  std::vector<int32_t> sums(kColumns, 0);
  for (int i = 0; i < 31; ++i) addShiftedSamples(sums.data(), full.data(), full.data(), 2 * i, i, kColumns);
  averageSamples(row.data(), sums.data(), 31, kColumns);
  CHECK(row == opaque);
}

}  // namespace
}  // namespace framewright::kernels
