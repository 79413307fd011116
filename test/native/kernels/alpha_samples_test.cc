#include "kernels/deep/alpha_samples.h"

#include <algorithm>

#include "kernels/deep/plane_rows.h"
#include "kernels/kernel_testing.h"

namespace framewright::kernels {
namespace {

constexpr size_t kCount = 203;  // no multiple of any vector
constexpr int kFullAlpha = 1 << 14;

std::vector<int16_t> rowBetween(std::mt19937& random, int low, int high, size_t count = kCount) {
  std::vector<int16_t> row(count);
  for (int16_t& value : row)
    value = static_cast<int16_t>(low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1)));
  return row;
}

// Results of all kernels.
std::vector<int16_t> resultsOnThisTarget() {
  std::mt19937 random(9);
  std::vector<int16_t> all;
  const auto keep = [&](const std::vector<int16_t>& values) {
    all.insert(all.end(), values.begin(), values.end());
  };
  std::vector<float> floats[4];
  for (auto& values : floats) {
    for (const int16_t value : rowBetween(random, 0, 1000))
      values.push_back(static_cast<float>(value) * 1e-3f);
  }
  std::vector<int16_t> planes[4];
  int16_t* rows[4];
  for (size_t p = 0; p < 4; ++p) {
    planes[p].resize(kCount);
    rows[p] = planes[p].data();
  }
  premultipliedSamples(rows, {floats[0].data(), floats[1].data(), floats[2].data(), floats[3].data()},
                       ycbcrScale(10, true), kCount);
  for (const auto& plane : planes) keep(plane);
  std::vector<int16_t> alpha = rowBetween(random, -2000, kFullAlpha + 2000);
  all.push_back(fullAlpha(alpha.data(), kCount) ? 1 : 0);
  keep(alpha);
  std::vector<int16_t> luma = rowBetween(random, -3000, 16000), cb = rowBetween(random, -9000, 9000), cr = cb;
  limitLuma(luma.data(), alpha.data(), kCount);
  limitChroma(cb.data(), alpha.data(), kCount);
  keep(luma), keep(cb);
  addBlack(luma.data(), alpha.data(), kCount);
  keep(luma);
  const std::vector<int16_t> top = rowBetween(random, 0, kFullSampleWeight, 2 * kCount + 2),
                             bottom = rowBetween(random, 0, kFullSampleWeight, 2 * kCount + 2);
  std::vector<int16_t> halved(kCount);
  halveAlpha(halved.data(), top.data() + 1, bottom.data() + 1, kCount);
  keep(halved);
  limitChroma(cr.data(), alpha.data(), kCount);
  chromaOfAlpha(cb.data(), cr.data(), alpha.data(), halved.data(), kCount);
  keep(cb), keep(cr);
  return all;
}

TEST_CASE("samples of images with alpha are the same with every instruction set") {
  std::vector<int16_t> first;
  forEachTarget([&](const std::string&) {
    const std::vector<int16_t> results = resultsOnThisTarget();
    if (first.empty()) first = results;
    CHECK(results == first);
  });
}

TEST_CASE("filtered alpha is limited to 0 and 1") {
  std::vector<int16_t> alpha{-900, 0, 1, kFullAlpha / 2, kFullAlpha, kFullAlpha + 900};
  CHECK(fullAlpha(alpha.data(), alpha.size()));
  CHECK(alpha == std::vector<int16_t>{0, 0, 2, kFullAlpha, kFullSampleWeight, kFullSampleWeight});
  std::vector<int16_t> none{-5, 0, -1};
  CHECK_FALSE(fullAlpha(none.data(), none.size()));
}

TEST_CASE("opaque samples stay the same, and transparent ones become 0") {
  std::mt19937 random(3);
  const std::vector<int16_t> opaque(kCount, kFullSampleWeight), none(kCount, 0);
  const std::vector<int16_t> before = rowBetween(random, 0, 876 << kCodeFraction);
  std::vector<int16_t> luma = before;
  limitLuma(luma.data(), opaque.data(), kCount);
  CHECK(luma == before);
  addBlack(luma.data(), opaque.data(), kCount);
  for (size_t i = 0; i < kCount; ++i) REQUIRE(luma[i] == before[i] + (64 << kCodeFraction));
  limitLuma(luma.data(), none.data(), kCount);
  CHECK(luma == none);
  const std::vector<int16_t> differences = rowBetween(random, -7168, 7168);
  std::vector<int16_t> cb = differences, cr = differences;
  limitChroma(cb.data(), opaque.data(), kCount);
  CHECK(cb == differences);
  chromaOfAlpha(cb.data(), cr.data(), opaque.data(), opaque.data(), kCount);
  for (size_t i = 0; i < kCount; ++i) REQUIRE(cb[i] == differences[i] + (512 << kCodeFraction));
  CHECK(cr == cb);
  chromaOfAlpha(cb.data(), cr.data(), opaque.data(), none.data(), kCount);
  CHECK(cb == none);
}

}  // namespace
}  // namespace framewright::kernels
