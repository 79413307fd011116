#include "kernels/deep/plane_rows.h"

#include <algorithm>

#include "compositor/deep/planes/images/sample_resampler.h"
#include "compositor/plan/axis_filter.h"
#include "kernels/deep/plane_filters.h"
#include "kernels/kernel_testing.h"
#include "kernels/resample.h"

namespace framewright::kernels {
namespace {

constexpr size_t kCount = 203;  // no multiple of any vector

std::vector<int16_t> randomRow(std::mt19937& random, int max, size_t count = kCount) {
  std::vector<int16_t> row(count);
  for (int16_t& value : row) value = static_cast<int16_t>(random() % static_cast<unsigned>(max + 1));
  return row;
}

// Results of all kernels of rows.
std::vector<int16_t> resultsOnThisTarget() {
  std::mt19937 random(5);
  std::vector<int16_t> all, row = randomRow(random, 16368);
  const auto keep = [&](const std::vector<int16_t>& values) {
    all.insert(all.end(), values.begin(), values.end());
  };
  const std::vector<int16_t> src = randomRow(random, 16368), alpha = randomRow(random, kFullSampleWeight);
  std::vector<uint16_t> weights(kCount);
  for (uint16_t& weight : weights) weight = static_cast<uint16_t>(random() % (kFullSampleWeight + 1));
  for (const uint16_t weight : {uint16_t{12345}, uint16_t{kFullSampleWeight}}) {
    overSamples(row.data(), src.data(), nullptr, nullptr, weight, kCount);
    keep(row);
    overSamples(row.data(), src.data(), nullptr, weights.data(), weight, kCount);
    keep(row);
    overSamples(row.data(), src.data(), alpha.data(), nullptr, weight, kCount);
    keep(row);
    overSamples(row.data(), src.data(), alpha.data(), weights.data(), weight, kCount);
    fillSamples(row.data(), 9000, 30000, nullptr, weight, kCount);
    fillSamples(row.data(), 9000, 30000, weights.data(), weight, kCount);
    keep(row);
  }
  std::vector<uint16_t> codes(kCount);
  roundSamples(codes.data(), row.data(), sampleThresholds(11, true), 77, kCount);
  all.insert(all.end(), codes.begin(), codes.end());
  std::vector<int16_t> half(kCount / 2);
  for (const int bits : {0, kCodeFraction}) {
    halveSamples(half.data(), src.data(), row.data(), bits, half.size());
    keep(half);
  }
  samplesOfCodes(half.data(), randomRow(random, 1023).data(), half.size());
  keep(half);
  std::vector<float> floats[4];
  for (auto& values : floats) {
    for (const int16_t value : randomRow(random, 1000, kCount + 32))
      values.push_back(static_cast<float>(value) * 1e-3f);
  }
  const ConstFloatRow pixels{floats[0].data() + 16, floats[1].data() + 16, floats[2].data() + 16,
                             floats[3].data() + 16};
  std::vector<int16_t> a(kCount), b(kCount), c(kCount);
  premultipliedLuma(a.data(), b.data(), pixels, ycbcrScale(10, true), kCount);
  keep(a), keep(b);
  premultipliedChroma(a.data(), b.data(), c.data(), pixels, pixels, ycbcrScale(10, true), kCount);
  keep(a), keep(b), keep(c);
  return all;
}

TEST_CASE("rows of planes are the same with every instruction set") {
  std::vector<int16_t> first;
  forEachTarget([&](const std::string&) {
    const std::vector<int16_t> results = resultsOnThisTarget();
    if (first.empty()) first = results;
    CHECK(results == first);
  });
}

TEST_CASE("blended samples are exact for weights of 0 and 1") {
  std::mt19937 random(6);
  std::vector<int16_t> row = randomRow(random, 16368);
  const std::vector<int16_t> before = row, src = randomRow(random, 16368), opaque(kCount, kFullSampleWeight),
                             none(kCount, 0);
  overSamples(row.data(), src.data(), nullptr, nullptr, 0, kCount);
  overSamples(row.data(), none.data(), none.data(), nullptr, kFullSampleWeight, kCount);
  CHECK(row == before);
  overSamples(row.data(), src.data(), opaque.data(), nullptr, kFullSampleWeight, kCount);
  CHECK(row == src);
}

TEST_CASE("rounded samples are exact codes, and keep the mean of a flat area when dithered") {
  std::vector<uint16_t> codes(kRoundingPeriod);
  for (int code = 64; code < 72; ++code) {
    for (const int off : {-1, 0, 1}) {
      const std::vector<int16_t> flat(kRoundingPeriod, static_cast<int16_t>((code << kCodeFraction) + off));
      roundSamples(codes.data(), flat.data(), sampleThresholds(code, true), 0, codes.size());
      for (const uint16_t rounded : codes) REQUIRE(rounded == code);
    }
  }
  for (int fraction = 3; fraction < 14; ++fraction) {
    const std::vector<int16_t> flat(kRoundingPeriod, static_cast<int16_t>((500 << kCodeFraction) + fraction));
    double sum = 0;
    for (int y = 0; y < 64; ++y) {
      roundSamples(codes.data(), flat.data(), sampleThresholds(y, true), 0, codes.size());
      for (const uint16_t rounded : codes) sum += rounded;
    }
    CHECK(sum / 64 / kRoundingPeriod == doctest::Approx(500 + fraction / 16.0).epsilon(1e-4));
  }
}

TEST_CASE("columns and rows of 16 bits are filtered as the filter says on every instruction set") {
  forEachTarget([&](const std::string&) {
    std::mt19937 random(8);
    for (int round = 0; round < 60; ++round) {
      const int count = 1 + static_cast<int>(random() % 150);
      const double scales[] = {0.4, 0.9, 1, -1.1, 1.7, 2.6};
      AxisFilter filter;
      buildAxisFilter(filter, {scales[random() % 6], 700.25}, 0, count, -5000, 5000,
                      FilterKernel::kCatmullRom);
      const int lowest = *std::min_element(filter.firsts.begin(), filter.firsts.end());
      for (int32_t& first : filter.firsts) first -= lowest;
      const std::vector<int16_t> line = randomRow(random, 1023, 900);
      const SampleColumns columns{static_cast<size_t>(count), filter.taps, filter.firsts.data(),
                                  filter.weights.data()};
      std::vector<int16_t> filtered(static_cast<size_t>(count) + kSampleBlock);
      filterSampleColumns(filtered.data(), line.data(), columns, 0);
      for (int i = 0; i < count; ++i) {
        int sum = 512;
        for (int t = 0; t < filter.taps; ++t)
          sum += line[static_cast<size_t>(filter.firsts[static_cast<size_t>(i)] + t)] *
                 filter.weights[static_cast<size_t>(i * filter.taps + t)];
        REQUIRE(filtered[static_cast<size_t>(i)] == sum >> 10);
      }
      // The same by the tables of blocks.
      const SampleColumnTables tables(filter);
      const std::vector<int16_t> single = filtered;
      filterSampleColumns(filtered.data(), line.data(), tables.columns(), 0);
      REQUIRE(std::equal(single.begin(), single.begin() + count, filtered.begin()));
      std::vector<std::vector<int16_t>> rows;
      std::vector<const int16_t*> pointers;
      for (int t = 0; t < filter.taps; ++t) rows.push_back(randomRow(random, 20000));
      for (const auto& row : rows) pointers.push_back(row.data());
      std::vector<int16_t> mixed(kCount);
      filterSampleRows(mixed.data(), pointers.data(), filter.weights.data(), filter.taps, kCount);
      for (size_t i = 0; i < kCount; ++i) {
        int sum = 8192;
        for (int t = 0; t < filter.taps; ++t)
          sum += pointers[static_cast<size_t>(t)][i] * filter.weights[static_cast<size_t>(t)];
        REQUIRE(mixed[i] == std::clamp(sum >> 14, -32768, 32767));
      }
    }
  });
}

TEST_CASE("rotated samples of 16 bits are the same with every instruction set") {
  constexpr int kWidth = 61, kHeight = 33;
  std::mt19937 source(9);
  const std::vector<int16_t> plane = randomRow(source, 1023, kWidth * kHeight);
  for (int round = 0; round < 40; ++round) {
    std::vector<int16_t> first;
    forEachTarget([&](const std::string&) {
      std::mt19937 random(static_cast<unsigned>(round));
      const auto between = [&](int low, int high) {
        return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
      };
      const int left = between(0, kWidth - 1), top = between(0, kHeight - 1);
      const CodePlane codes{plane.data(),
                            kWidth,
                            left,
                            between(left, kWidth - 1),
                            top,
                            between(top, kHeight - 1),
                            round % 2 == 0 ? 0 : kCodeFraction};
      const CodeWalk walk{between(-9 << 16, 70 << 16), between(-9 << 16, 40 << 16), between(-90000, 90000),
                          between(-90000, 90000)};
      std::vector<int16_t> row(kCount);
      sampleCodes(row.data(), codes, walk, kCount);
      if (first.empty()) first = row;
      REQUIRE(row == first);
    });
  }
}

}  // namespace
}  // namespace framewright::kernels
