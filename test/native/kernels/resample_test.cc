#include "kernels/resample.h"

#include "compositor/cpu/layers/column_tables.h"
#include "kernels/kernel_testing.h"

using namespace framewright;
namespace kernels = framewright::kernels;
namespace reference = framewright::kernels::reference;

TEST_CASE("filterColumns equals its reference on every instruction set") {
  forEachTarget([&](const std::string&) {
    std::mt19937 random(11);
    for (int round = 0; round < 120; ++round) {
      const int count = 1 + static_cast<int>(random() % 300);
      const double scales[] = {0.3, 0.87, 1, -0.9, 1.7, 2.3, -3.1, 4};
      AxisFilter filter;
      const FilterKernel kernel = random() % 2 == 0 ? FilterKernel::kCatmullRom : FilterKernel::kLanczos3;
      buildAxisFilter(filter, {scales[random() % 8], static_cast<double>(random() % 1000) / 7}, 0, count,
                      -5000, 5000, kernel);
      ColumnTables tables;
      packColumns(tables, filter);
      const auto length = static_cast<size_t>(tables.lineLength);
      Guarded<uint8_t> line(length, random() % 64, random, 255);
      const auto outputs = static_cast<size_t>(tables.groups * kernels::kColumnGroup);
      Guarded<int16_t> fast(outputs, random() % 32, random, 1000), plain = fast;
      kernels::filterColumns(fast.data(), line.data(), tables.filter());
      reference::filterColumns(plain.data(), line.data(), tables.filter());
      REQUIRE(fast == plain);
      REQUIRE(fast.guardsHold());
      // Compares with the filter's definition, not its packed layout.
      for (int i = 0; i < count; ++i) {
        int sum = 0;
        for (int t = 0; t < filter.taps; ++t) {
          sum += line.data()[filter.firsts[static_cast<size_t>(i)] - tables.origin + t] *
                 filter.weights[static_cast<size_t>(i * filter.taps + t)];
        }
        REQUIRE(plain.data()[i] == (sum + 128) >> 8);
      }
    }
  });
}

TEST_CASE("filterRows equals its reference on every instruction set") {
  forEachTarget([&](const std::string&) {
    std::mt19937 random(12);
    for (int round = 0; round < 200; ++round) {
      const size_t count = 1 + random() % 300;
      const int taps = 4 * (1 + static_cast<int>(random() % 3));
      std::vector<Guarded<int16_t>> samples;
      for (int t = 0; t < taps; ++t) samples.emplace_back(count, random() % 32, random, 20000);
      std::vector<const int16_t*> rows;
      for (const auto& row : samples) rows.push_back(row.data());
      std::vector<int16_t> weights;
      for (int t = 0; t < taps; ++t)
        weights.push_back(static_cast<int16_t>(static_cast<int>(random() % 8000) - 3000));
      Guarded<uint8_t> fast(count, random() % 64, random, 255), plain = fast;
      kernels::filterRows(fast.data(), rows.data(), weights.data(), taps, count);
      reference::filterRows(plain.data(), rows.data(), weights.data(), taps, count);
      REQUIRE(fast == plain);
      REQUIRE(fast.guardsHold());
    }
  });
}

TEST_CASE("sampleRow equals its reference on every instruction set, to the last byte of the plane") {
  forEachTarget([&](const std::string&) {
    std::mt19937 random(13);
    for (int round = 0; round < 200; ++round) {
      const int width = 4 + static_cast<int>(random() % 60), height = 1 + static_cast<int>(random() % 40);
      const int stride = width + static_cast<int>(random() % 9);
      std::vector<uint8_t> bytes(static_cast<size_t>(stride * (height - 1) + width));
      for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
      const int left = static_cast<int>(random() % static_cast<unsigned>(width));
      const int top = static_cast<int>(random() % static_cast<unsigned>(height));
      const kernels::SamplePlane plane{
          bytes.data(),
          stride,
          left,
          left + static_cast<int>(random() % static_cast<unsigned>(width - left)),
          top,
          top + static_cast<int>(random() % static_cast<unsigned>(height - top)),
          static_cast<int32_t>(bytes.size()) - 4};
      const auto fixed = [&](int range) {
        return static_cast<int32_t>(random() % static_cast<unsigned>(range << 16));
      };
      // Long steps leave the range of 16.16.
      const int reach = round % 4 == 0 ? 16000 : 2;
      const kernels::SampleWalk walk{fixed(80) - (10 << 16), fixed(60) - (10 << 16),
                                     fixed(2 * reach) - (reach << 16), fixed(2 * reach) - (reach << 16)};
      const size_t count = 1 + random() % 128;
      Guarded<uint8_t> fast(count, random() % 64, random, 255), plain = fast;
      kernels::sampleRow(fast.data(), plane, walk, count);
      reference::sampleRow(plain.data(), plane, walk, count);
      REQUIRE(fast == plain);
      REQUIRE(fast.guardsHold());
    }
  });
}

TEST_CASE("halveRows equals its reference on every instruction set") {
  forEachTarget([&](const std::string&) {
    std::mt19937 random(14);
    for (int round = 0; round < 200; ++round) {
      const size_t count = 1 + random() % 300;
      const Guarded<uint8_t> top(2 * count, random() % 64, random, 255),
          bottom(2 * count, random() % 64, random, 255);
      Guarded<uint8_t> fast(count, random() % 64, random, 255), plain = fast;
      kernels::halveRows(fast.data(), top.data(), bottom.data(), count);
      reference::halveRows(plain.data(), top.data(), bottom.data(), count);
      REQUIRE(fast == plain);
      REQUIRE(fast.guardsHold());
    }
  });
}

TEST_CASE("resample kernels: time") {
  constexpr int kCount = 1920;
  AxisFilter filter;
  ColumnTables tables;
  std::vector<uint8_t> line(8000, 77), out(kCount);
  std::vector<int16_t> filtered(kCount + 8);
  const int16_t* const rows[4] = {filtered.data(), filtered.data(), filtered.data(), filtered.data()};
  const int16_t weights[4] = {-500, 8000, 9384, -500};
  const kernels::SamplePlane plane{line.data(), 80, 0, 79, 0, 99, 7990};
  forEachTarget([&](const std::string& target) {
    for (const double scale : {0.9, 1.6}) {
      buildAxisFilter(filter, {scale, 0}, 0, kCount, 0, 5000, FilterKernel::kCatmullRom);
      packColumns(tables, filter);
      printTime(scale < 1 ? "filterColumns 4 taps" : "filterColumns 8 taps", target, kCount,
                [&] { kernels::filterColumns(filtered.data(), line.data() + 16, tables.filter()); });
    }
    printTime("filterRows 4 taps", target, kCount,
              [&] { kernels::filterRows(out.data(), rows, weights, 4, kCount); });
    printTime("sampleRow", target, 128, [&] {
      kernels::sampleRow(out.data(), plane, {0, 0, 40000, 30000}, 128);
    });
    printTime("halveRows", target, kCount,
              [&] { kernels::halveRows(out.data(), line.data(), line.data() + 3900, kCount); });
  });
}
