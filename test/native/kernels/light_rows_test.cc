#include "kernels/deep/light_rows.h"

#include <algorithm>
#include <cmath>

#include "kernels/kernel_testing.h"

namespace framewright::kernels {
namespace {

constexpr size_t kCount = 203;  // no multiple of any vector

// A pair of rows of 4:2:0.
struct Rows {
  std::vector<uint16_t> top, bottom, cb, cr;

  explicit Rows(size_t count)
      : top(count, 64), bottom(count, 64), cb((count + 1) / 2, 512), cr((count + 1) / 2, 512) {}
  LightRows rows() const { return {top.data(), bottom.data(), cb.data(), cr.data()}; }
};

struct Codes {
  std::vector<uint16_t> top, bottom;

  explicit Codes(const Rows& rows) : top(rows.top.size()), bottom(rows.top.size()) {
    lightCodes(top.data(), bottom.data(), rows.rows(), rows.top.size());
  }
  uint16_t peak() const {
    return std::max(*std::ranges::max_element(top), *std::ranges::max_element(bottom));
  }
};

Rows randomRows(size_t count, std::mt19937& random) {
  Rows rows(count);
  for (auto* row : {&rows.top, &rows.bottom, &rows.cb, &rows.cr}) {
    for (uint16_t& code : *row) code = static_cast<uint16_t>(4 + random() % 1016);
  }
  return rows;
}

// Y', Cb and Cr of R'G'B' signals by BT.2020.
struct Pixel {
  double y, cb, cr;
};
Pixel pixelOf(double r, double g, double b) {
  const double y = 0.2627 * r + 0.678 * g + 0.0593 * b;
  return {64 + 876 * y, 512 + 896 * (b - y) / 1.8814, 512 + 896 * (r - y) / 1.4746};
}

uint16_t codeOf(double value) { return static_cast<uint16_t>(std::lround(value)); }

void checkFlat(double r, double g, double b) {
  const Pixel pixel = pixelOf(r, g, b);
  Rows rows(64);
  for (auto* row : {&rows.top, &rows.bottom}) std::ranges::fill(*row, codeOf(pixel.y));
  std::ranges::fill(rows.cb, codeOf(pixel.cb));
  std::ranges::fill(rows.cr, codeOf(pixel.cr));
  const double wanted = (64 + 876 * std::max({r, g, b})) * (1 << kLightFraction);
  const Codes codes(rows);
  for (const auto* row : {&codes.top, &codes.bottom}) {
    for (const uint16_t code : *row) CHECK(std::abs(code - wanted) <= 6);  // 1.5 codes of luma
  }
}

}  // namespace

TEST_CASE("light codes are the largest of R', G' and B'") {
  checkFlat(0.5, 0.5, 0.5);
  checkFlat(0.75, 0.2, 0.1);
  checkFlat(0.1, 0.7, 0.3);
  checkFlat(0.2, 0.1, 0.65);
  checkFlat(0, 0, 0);
  checkFlat(1, 1, 1);
}

TEST_CASE("edges between colors are not brighter than the colors") {
  // White on blue, with luma at full size and chroma filtered as the compositor does.
  const Pixel white = pixelOf(0.58, 0.58, 0.58), blue = pixelOf(0.1, 0.1, 0.58);
  for (size_t edge = 9; edge < 13; ++edge) {
    for (const bool isBlueLeft : {false, true}) {
      Rows rows(32);
      const auto at = [&](size_t x) { return (x < edge) == isBlueLeft ? blue : white; };
      for (size_t x = 0; x < 32; ++x) rows.top[x] = rows.bottom[x] = codeOf(at(x).y);
      for (size_t i = 0; i < 16; ++i) {
        const Pixel left = at(i == 0 ? 0 : 2 * i - 1), here = at(2 * i), right = at(2 * i + 1);
        rows.cb[i] = codeOf((left.cb + 2 * here.cb + right.cb) / 4);
        rows.cr[i] = codeOf((left.cr + 2 * here.cr + right.cr) / 4);
      }
      CAPTURE(edge);
      CAPTURE(isBlueLeft);
      CHECK(Codes(rows).peak() <= (64 + 876 * 0.58) * (1 << kLightFraction) + 8);
    }
  }
}

TEST_CASE("light is the same with every instruction set") {
  LightTable table;
  for (size_t i = 0; i < table.size(); ++i) table[i] = static_cast<int32_t>(i * i / 50);
  std::vector<uint16_t> first;
  LightSum firstSum;
  forEachTarget([&](const std::string& target) {
    std::mt19937 random(3);
    std::vector<uint16_t> all;
    LightSum sum;
    for (const size_t count : {size_t{1}, size_t{2}, size_t{3}, size_t{64}, kCount, size_t{9000}}) {
      const Codes codes(randomRows(count, random));
      for (const auto* row : {&codes.top, &codes.bottom}) {
        all.insert(all.end(), row->begin(), row->end());
        addLight(sum, row->data(), table, count);
      }
    }
    if (first.empty()) first = all, firstSum = sum;
    CHECK(all == first);
    CHECK(sum.sum == firstSum.sum);
    CHECK(sum.peak == *std::ranges::max_element(all));
    constexpr size_t kWidth = 1920;
    const Rows rows = randomRows(kWidth, random);
    Codes codes(rows);
    printTime("lightCodes", target, 2 * kWidth,
              [&] { lightCodes(codes.top.data(), codes.bottom.data(), rows.rows(), kWidth); });
    printTime("addLight", target, kWidth, [&] { addLight(sum, codes.top.data(), table, kWidth); });
  });
}

}  // namespace framewright::kernels
