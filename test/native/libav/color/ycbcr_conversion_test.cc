#include "libav/decode/color/ycbcr_conversion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "libav/decode/color/color_space.h"

using namespace framewright;

namespace {

constexpr AVColorSpace kMatrices[] = {AVCOL_SPC_BT709, AVCOL_SPC_SMPTE170M, AVCOL_SPC_SMPTE240M,
                                      AVCOL_SPC_FCC, AVCOL_SPC_BT2020_NCL};

// Planes without padding between rows. NV12 has two.
struct Planes {
  int width, height;
  bool isInterleaved;
  std::vector<uint8_t> samples[3];

  Planes(AVPixelFormat format, int w, int h) : width(w), height(h), isInterleaved(format == AV_PIX_FMT_NV12) {
    for (int i = 0; i < (isInterleaved ? 2 : 3); ++i)
      samples[i].resize(static_cast<size_t>(stride(i)) * static_cast<size_t>(rows(i)), 0xEE);
  }
  int columns(int plane) const { return plane == 0 ? width : (width + 1) / 2; }
  int rows(int plane) const { return plane == 0 ? height : (height + 1) / 2; }
  int stride(int plane) const { return columns(plane) * (plane > 0 && isInterleaved ? 2 : 1); }
  double value(int plane, int x, int y) { return at(plane, x, y); }
  uint8_t& at(int plane, int x, int y) {
    const bool isPair = plane > 0 && isInterleaved;
    return samples[isPair ? 1 : plane]
                  [static_cast<size_t>(y * stride(plane) + (isPair ? 2 * x + plane - 1 : x))];
  }
  void fill(std::mt19937& random) {
    for (auto& plane : samples)
      for (uint8_t& sample : plane) sample = static_cast<uint8_t>(random());
  }
};

// Converts `source`; with the last row first in memory if `isFlipped`.
Planes convert(ColorConversion& conversion, Planes& source, bool isFlipped = false) {
  Planes made(AV_PIX_FMT_YUV420P, source.width, source.height);
  const uint8_t* from[4] = {};
  uint8_t* to[4] = {};
  int fromStrides[4] = {}, toStrides[4] = {};
  for (int i = 0; i < 3; ++i) {
    const int sign = isFlipped ? -1 : 1, firstRow = isFlipped ? made.rows(i) - 1 : 0;
    to[i] = made.samples[i].data() + firstRow * made.stride(i);
    toStrides[i] = sign * made.stride(i);
    if (source.samples[i].empty()) continue;
    from[i] = source.samples[i].data() + firstRow * source.stride(i);
    fromStrides[i] = sign * source.stride(i);
  }
  REQUIRE(conversion.run(from, fromStrides, to, toStrides).ok());
  return made;
}

Planes convert(const ColorLayout& from, const ColorLayout& to, Planes& source, bool isFlipped = false) {
  REQUIRE(YcbcrConversion::supports(from, to));
  auto conversion = ColorConversion::create(source.width, source.height, from, to);
  REQUIRE(conversion.ok());
  return convert(*conversion.value(), source, isFlipped);
}

struct Ycbcr {
  double y, cb, cr;
};

// The definition: Y, Cb and Cr to R'G'B' and back, in real numbers.
Ycbcr convertExactly(const Ycbcr& codes, const ColorLayout& from, const ColorLayout& to) {
  const auto black = [](const ColorLayout& layout) { return layout.fullRange ? 0.0 : 16.0; };
  const auto luma = [](const ColorLayout& layout) { return layout.fullRange ? 255.0 : 219.0; };
  const auto chroma = [](const ColorLayout& layout) { return layout.fullRange ? 255.0 : 224.0; };
  const double y = (codes.y - black(from)) / luma(from), cb = (codes.cb - 128) / chroma(from),
               cr = (codes.cr - 128) / chroma(from);
  const LumaShares a = lumaShares(from.matrix), b = lumaShares(to.matrix);
  const double red = y + 2 * (1 - a.red) * cr, blue = y + 2 * (1 - a.blue) * cb;
  const double green = (y - a.red * red - a.blue * blue) / (1 - a.red - a.blue);
  const double newY = b.red * red + (1 - b.red - b.blue) * green + b.blue * blue;
  return {black(to) + luma(to) * newY, 128 + chroma(to) * (blue - newY) / (2 * (1 - b.blue)),
          128 + chroma(to) * (red - newY) / (2 * (1 - b.red))};
}

// A chroma plane at a luma position, bilinearly; its edges are repeated.
double chromaAt(Planes& planes, int plane, int x, int y, const ColorLayout& layout) {
  const double column = layout.siting == ChromaSiting::kCenter ? (x - 0.5) / 2 : x / 2.0;
  const double row = layout.isTopSited ? y / 2.0 : (y - 0.5) / 2;
  const auto sample = [&](double c, double r) {
    return planes.value(plane, std::clamp(static_cast<int>(c), 0, planes.columns(plane) - 1),
                        std::clamp(static_cast<int>(r), 0, planes.rows(plane) - 1));
  };
  const double left = std::floor(column), top = std::floor(row);
  const double right = column - left, bottom = row - top;
  return (sample(left, top) * (1 - right) + sample(left + 1, top) * right) * (1 - bottom) +
         (sample(left, top + 1) * (1 - right) + sample(left + 1, top + 1) * right) * bottom;
}

struct Errors {
  double max = 0, sum = 0;
  size_t count = 0, misrounded = 0;

  void add(int made, double exact) {
    const double wanted = std::clamp(exact, 0.0, 255.0), error = std::abs(made - wanted);
    max = std::max(max, error);
    sum += error;
    ++count;
    misrounded += error > 0.5 + 1e-9;
  }
  void add(const Errors& others) {
    max = std::max(max, others.max);
    sum += others.sum;
    count += others.count;
    misrounded += others.misrounded;
  }
  double mean() const { return sum / static_cast<double>(count); }
};

Errors errorsOf(Planes& source, Planes& made, const ColorLayout& from, const ColorLayout& to) {
  Errors errors;
  for (int y = 0; y < source.height; ++y) {
    for (int x = 0; x < source.width; ++x) {
      const Ycbcr codes{source.value(0, x, y), chromaAt(source, 1, x, y, from),
                        chromaAt(source, 2, x, y, from)};
      errors.add(made.at(0, x, y), convertExactly(codes, from, to).y);
    }
  }
  for (int y = 0; y < source.rows(1); ++y) {
    for (int x = 0; x < source.columns(1); ++x) {
      const Ycbcr exact = convertExactly({0, source.value(1, x, y), source.value(2, x, y)}, from, to);
      errors.add(made.at(1, x, y), exact.cb);
      errors.add(made.at(2, x, y), exact.cr);
    }
  }
  return errors;
}

template <typename Body>
void forEachLayout(Body body) {
  for (const AVPixelFormat format : {AV_PIX_FMT_YUV420P, AV_PIX_FMT_NV12}) {
    for (const AVColorSpace matrix : kMatrices) {
      for (const bool fullRange : {false, true}) {
        for (const ChromaSiting siting : {ChromaSiting::kLeft, ChromaSiting::kCenter}) {
          for (const bool isTopSited : {false, true})
            body(ColorLayout{format, matrix, fullRange, siting, isTopSited});
        }
      }
    }
  }
}

// The errors of this conversion and of swscale's, for all luma levels and uniform chroma up to so far from
// 128.
std::array<Errors, 2> compareWithSwscale(const ColorLayout& from, const ColorLayout& to, int lumaReach,
                                         int chromaReach) {
  std::array<Errors, 2> errors;
  Planes source(from.format, 2 * lumaReach, 2), scaled(to.format, 2 * lumaReach, 2);
  for (int x = 0; x < source.width; ++x)
    source.at(0, x, 0) = source.at(0, x, 1) = static_cast<uint8_t>(128 - lumaReach + x);
  auto conversion = ColorConversion::create(source.width, source.height, from, to);
  auto scaler = createScaler(source.width, source.height, from, to);
  REQUIRE(conversion.ok());
  REQUIRE(scaler.ok());
  const int strides[4] = {source.stride(0), source.stride(1), source.stride(2), 0};
  for (int cb = 128 - chromaReach; cb <= 128 + chromaReach; cb += chromaReach / 8) {
    for (int cr = 128 - chromaReach; cr <= 128 + chromaReach; cr += chromaReach / 8) {
      std::fill(source.samples[1].begin(), source.samples[1].end(), static_cast<uint8_t>(cb));
      std::fill(source.samples[2].begin(), source.samples[2].end(), static_cast<uint8_t>(cr));
      Planes direct = convert(*conversion.value(), source);
      const uint8_t* planes[4] = {source.samples[0].data(), source.samples[1].data(),
                                  source.samples[2].data()};
      uint8_t* targets[4] = {scaled.samples[0].data(), scaled.samples[1].data(), scaled.samples[2].data()};
      REQUIRE(sws_scale(scaler.value().get(), planes, strides, 0, source.height, targets, strides) ==
              source.height);
      errors[0].add(errorsOf(source, direct, from, to));
      errors[1].add(errorsOf(source, scaled, from, to));
    }
  }
  return errors;
}

}  // namespace

TEST_CASE("8-bit 4:2:0 of another matrix or range is the correctly rounded one") {
  std::mt19937 random(51);
  Errors all;
  forEachLayout([&](const ColorLayout& from) {
    for (const AVColorSpace matrix : {AVCOL_SPC_BT709, AVCOL_SPC_SMPTE170M, AVCOL_SPC_BT2020_NCL}) {
      for (const bool fullRange : {false, true}) {
        const ColorLayout to{AV_PIX_FMT_YUV420P, matrix, fullRange};
        if (!YcbcrConversion::supports(from, to)) continue;
        CAPTURE(from.matrix);
        CAPTURE(from.fullRange);
        CAPTURE(to.matrix);
        CAPTURE(to.fullRange);
        Planes source(from.format, 113, 61);
        source.fill(random);
        Planes made = convert(from, to, source);
        const Errors errors = errorsOf(source, made, from, to);
        CHECK(errors.max < 0.5003);
        all.add(errors);
      }
    }
  });
  // Rounding alone has a mean error of a quarter; clamped samples have none.
  CHECK(all.mean() < 0.25);
  CHECK(static_cast<double>(all.misrounded) < 1e-4 * static_cast<double>(all.count));
}

TEST_CASE("small frames and odd sizes are converted without a sample beyond their planes") {
  std::mt19937 random(52);
  constexpr int kSizes[][2] = {{1, 1}, {2, 2},  {3, 1},   {1, 9},    {4, 3},    {8, 64},
                               {5, 7}, {33, 2}, {127, 5}, {2001, 3}, {64, 1000}};
  const ColorLayout to{AV_PIX_FMT_YUV420P};
  for (const auto& [width, height] : kSizes) {
    CAPTURE(width);
    CAPTURE(height);
    forEachLayout([&](const ColorLayout& from) {
      if (!YcbcrConversion::supports(from, to)) return;
      Planes source(from.format, width, height);
      source.fill(random);
      Planes made = convert(from, to, source);
      CHECK(errorsOf(source, made, from, to).max < 0.5003);
    });
  }
}

TEST_CASE("frames whose rows go upwards in memory are converted like others") {
  std::mt19937 random(53);
  const ColorLayout to{AV_PIX_FMT_YUV420P};
  forEachLayout([&](ColorLayout from) {
    from.isTopSited = false;  // the flipped frame would be sited at the bottom
    if (!YcbcrConversion::supports(from, to)) return;
    Planes source(from.format, 51, 34);
    source.fill(random);
    Planes made = convert(from, to, source), flipped = convert(from, to, source, true);
    for (int i = 0; i < 3; ++i) CHECK(made.samples[i] == flipped.samples[i]);
  });
}

TEST_CASE("grey stays grey, and consecutive frames do not influence each other") {
  std::mt19937 random(54);
  const ColorLayout from{AV_PIX_FMT_YUV420P, AVCOL_SPC_SMPTE170M, false}, to{AV_PIX_FMT_YUV420P};
  auto conversion = ColorConversion::create(256, 4, from, to);
  REQUIRE(conversion.ok());
  Planes noise(AV_PIX_FMT_YUV420P, 256, 4), grey = noise;
  noise.fill(random);
  for (const int plane : {1, 2}) std::fill(grey.samples[plane].begin(), grey.samples[plane].end(), 128);
  for (size_t i = 0; i < grey.samples[0].size(); ++i) grey.samples[0][i] = static_cast<uint8_t>(i);
  convert(*conversion.value(), noise);
  const Planes made = convert(*conversion.value(), grey);
  for (int i = 0; i < 3; ++i) CHECK(made.samples[i] == grey.samples[i]);
}

TEST_CASE("the conversion without R'G'B' is closer to the exact colours than swscale's") {
  const ColorLayout to{AV_PIX_FMT_YUV420P};
  for (const ColorLayout& from : {ColorLayout{AV_PIX_FMT_YUV420P, AVCOL_SPC_SMPTE170M, false},
                                  ColorLayout{AV_PIX_FMT_YUV420P, AVCOL_SPC_SMPTE170M, true},
                                  ColorLayout{AV_PIX_FMT_YUV420P, AVCOL_SPC_BT2020_NCL, false}}) {
    CAPTURE(from.matrix);
    CAPTURE(from.fullRange);
    // Colours that 8-bit R'G'B' can have, and all. Uniform chroma, so that filters play no part.
    for (const auto& [lumaReach, chromaReach] : {std::array{64, 24}, std::array{112, 96}}) {
      const auto [direct, scaled] = compareWithSwscale(from, to, lumaReach, chromaReach);
      CHECK(direct.mean() < scaled.mean());
      CHECK(direct.max < scaled.max);
    }
  }
  // swscale changes the range alone without R'G'B'.
  const auto [direct, scaled] = compareWithSwscale({AV_PIX_FMT_YUV420P, AVCOL_SPC_BT709, true}, to, 112, 96);
  CHECK(direct.mean() <= scaled.mean());
  CHECK(direct.max <= scaled.max);
}
