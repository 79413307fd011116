#include "kernels/projection.h"

#include <random>

#include "kernels/kernel_testing.h"

using namespace framewright;
using namespace framewright::kernels;

namespace {

constexpr size_t kCounts[] = {1, 2, 7, 16, 31, 64, 65, 129, 1003};

}  // namespace

TEST_CASE("sampling in perspective equals its reference on every instruction set") {
  std::mt19937 random(14);
  constexpr int kWidth = 61, kHeight = 40;
  const Guarded<uint8_t> plane(kWidth * kHeight, 0, random, 255);
  const SamplePlane source{plane.data(), kWidth, 0, kWidth - 1, 0, kHeight - 1, kWidth * kHeight - 4};
  const auto position = [&](int side) {
    return static_cast<int32_t>((static_cast<int>(random() % 200) - 50) * side * 655);
  };
  forEachTarget([&](const std::string&) {
    for (const size_t count : kCounts) {
      const size_t entries = (count + kProjectionStep - 1) / kProjectionStep + 1;
      std::vector<int32_t> here, below;
      for (size_t i = 0; i < entries; ++i) {
        for (auto* row : {&here, &below}) {
          row->push_back(i % 3 == 0 ? -(1 << 29) : position(kWidth));
          row->push_back(position(kHeight));
        }
      }
      for (const int across : {1, 2, 4}) {
        for (const int down : {1, 2, 4}) {
          Guarded<uint8_t> made(count, 1, random, 0), wanted = made;
          sampleProjected(made.data(), source, {here.data(), below.data(), across, down}, count);
          reference::sampleProjected(wanted.data(), source, {here.data(), below.data(), across, down}, count);
          CHECK(made == wanted);
          CHECK(made.guardsHold());
        }
      }
    }
  });
}

TEST_CASE("gentle perspective equals its reference on every instruction set") {
  constexpr int kWidth = 300, kHeight = 60;
  std::mt19937 random(16);
  const Guarded<uint8_t> samples(kWidth * kHeight, 0, random, 255);
  const SamplePlane source{samples.data(), kWidth, 0, kWidth - 1, 0, kHeight - 1, kWidth * kHeight - 4};
  forEachTarget([&](const std::string&) {
    for (const double stepX : {0.4, 1.0, -1.3, 2.4, 4.5}) {
      for (const double stepY : {0.0, 0.06, -0.11, 0.9}) {
        constexpr size_t kCount = 200, kEntries = kCount / kProjectionStep + 1;
        std::vector<int32_t> here, below;
        for (size_t i = 0; i < kEntries; ++i) {
          const auto at = static_cast<double>(i * kProjectionStep);
          const auto add = [&](std::vector<int32_t>& row, double x, double y) {
            row.push_back(static_cast<int32_t>((x + stepX * at * (1 + at / 2000)) * 65536));
            row.push_back(static_cast<int32_t>((y + stepY * at) * 65536));
          };
          add(here, stepX < 0 ? kWidth - 0.3 : -3.4, 21.7);
          add(below, stepX < 0 ? kWidth - 0.1 : -3.1, 22.9);
        }
        for (const int across : {1, 2, 4}) {
          for (const int down : {1, 2, 4}) {
            Guarded<uint8_t> made(kCount, 1, random, 0), wanted = made;
            sampleProjected(made.data(), source, {here.data(), below.data(), across, down}, kCount);
            reference::sampleProjected(wanted.data(), source, {here.data(), below.data(), across, down},
                                       kCount);
            CHECK(made == wanted);
            CHECK(made.guardsHold());
          }
        }
      }
    }
  });
}
