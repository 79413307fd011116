#include <vector>

#include "compositor/effect_testing.h"

using namespace framewright;

namespace {

LayerEffects blurring(double sigma) {
  LayerEffects effects;
  effects.blur = sigma;
  return effects;
}

// Reference Gaussian in doubles, cut at six sigmas; the field is 0 outside.
std::vector<double> blurred(const std::vector<double>& field, int width, int height, double sigma) {
  const int reach = static_cast<int>(std::ceil(6 * sigma));
  std::vector<double> weights;
  double total = 0;
  for (int k = -reach; k <= reach; ++k) total += weights.emplace_back(std::exp(-k * k / (2 * sigma * sigma)));
  const auto pass = [&](const std::vector<double>& from, int stepX, int stepY) {
    std::vector<double> to(from.size());
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        double sum = 0;
        for (int k = -reach; k <= reach; ++k) {
          const int atX = x + k * stepX, atY = y + k * stepY;
          if (atX < 0 || atY < 0 || atX >= width || atY >= height) continue;
          sum +=
              weights[static_cast<size_t>(k + reach)] / total * from[static_cast<size_t>(atY * width + atX)];
        }
        to[static_cast<size_t>(y * width + x)] = sum;
      }
    }
    return to;
  };
  return pass(pass(field, 1, 0), 0, 1);
}

int noise(int x, int y) {
  return static_cast<int>((static_cast<unsigned>(x) * 73856093u ^ static_cast<unsigned>(y) * 19349663u) >> 7 &
                          255);
}

}  // namespace

TEST_CASE("a blur equals a Gaussian within two levels, for every sigma") {
  constexpr int kWidth = 192, kHeight = 144;
  // Bars, a chessboard, noise and a flat area reveal a filter's flaws.
  const auto paint = [](int x, int y) {
    const int value = y < 24   ? (x / 2 % 2) * 255
                      : y < 48 ? ((x / 8 + y / 8) % 2) * 255
                      : y < 72 ? noise(x, y)
                               : 200;
    return Color{static_cast<uint8_t>(value), static_cast<uint8_t>(value), static_cast<uint8_t>(value), 255};
  };
  Composing composing;
  const int image = composing.add(*paintRgba(96, 96, paint));
  const Rect rect{48, 24, 96, 96};
  for (const double sigma : {0.4, 0.8, 1.5, 2.3, 3.0, 4.4, 6.0, 9.7, 17.0, 40.0}) {
    std::vector<double> luma(kWidth * kHeight, 0), alpha(kWidth * kHeight, 0);
    for (int y = 0; y < 96; ++y) {
      for (int x = 0; x < 96; ++x) {
        const auto at = static_cast<size_t>((y + 24) * kWidth + x + 48);
        luma[at] = std::round(16 + 219 * paint(x, y).r / 255.0);
        alpha[at] = 1;
      }
    }
    luma = blurred(luma, kWidth, kHeight, sigma);
    alpha = blurred(alpha, kWidth, kHeight, sigma);
    const auto frame = composing.compose(kWidth, kHeight,
                                         {fillLayer({90, 90, 90, 255}, {0, 0, kWidth, kHeight}),
                                          withEffects(imageLayer(image, rect), blurring(sigma), 96, 96)});
    const double ground =
        sampleAt(*composing.compose(8, 8, {fillLayer({90, 90, 90, 255}, {0, 0, 8, 8})}), 0, 0, 0);
    double largest = 0;
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        const auto at = static_cast<size_t>(y * kWidth + x);
        const double expected = luma[at] + ground * (1 - alpha[at]);
        largest = std::max(largest, std::abs(sampleAt(*frame, 0, x, y) - expected));
      }
    }
    CAPTURE(sigma);
    CHECK(largest <= 2);
  }
}

TEST_CASE("a blur's edge keeps the colour of the blurred content") {
  Composing composing;
  const auto frame =
      composing.compose(96, 96,
                        {fillLayer(kWhiteColor, {0, 0, 96, 96}),
                         withEffects(fillLayer({200, 30, 30, 255}, {32, 32, 32, 32}), blurring(6), 32, 32)});
  for (int x = 20; x < 48; x += 2) {
    // Between white and red: green and blue are equal, red is full.
    const Rgb c = rgbAt(*frame, x, 48);
    const double share = (255 - c.g) / 225;
    // One chroma level is two levels of red or blue.
    CHECK(std::abs(c.b - c.g) <= 6);
    CHECK(std::abs(c.r - (255 - 55 * share)) <= 6);
  }
}

TEST_CASE("content outside the canvas is blurred into it, and a window clips the blur") {
  Composing composing;
  const LayerEffects soft = blurring(8);
  // The edge is far outside, so the border does not fade.
  const auto covered =
      composing.compose(64, 64, {withEffects(fillLayer(kWhiteColor, {-60, -60, 184, 184}), soft, 184, 184)});
  CHECK(sampleAt(*covered, 0, 0, 0) == 235);
  CHECK(sampleAt(*covered, 0, 63, 63) == 235);
  const auto outside =
      composing.compose(64, 64, {withEffects(fillLayer(kWhiteColor, {-40, 0, 40, 64}), soft, 40, 64)});
  CHECK(std::abs(sampleAt(*outside, 0, 0, 32) - (16 + 219 * 0.475)) <= 4);
  Layer cut = withEffects(fillLayer(kWhiteColor, {16, 16, 32, 32}), soft, 32, 32);
  cut.window = Rect{20, 20, 24, 24};
  const auto window = composing.compose(64, 64, {cut});
  CHECK(sampleAt(*window, 0, 19, 32) == 16);
  CHECK(sampleAt(*window, 0, 20, 32) > 100);
}

TEST_CASE("a large opaque box is blurred as its small copy is") {
  // Sizes differ by a multiple of all reductions, and only in the uniform middle.
  constexpr int kSmall = 320, kAdded = 192, kBeside = 60;
  for (const double sigma : {0.7, 2.0, 3.3, 12.0, 20.0}) {
    CAPTURE(sigma);
    const auto blurred = [&](int width, int height) {
      Composing composing;
      LayerEffects effects;
      effects.blur = sigma;
      const Rect box{kBeside + 0.25, kBeside, width - 2.0 * kBeside, height - 2.0 * kBeside - 0.5};
      return composing.compose(width, height,
                               {withEffects(fillLayer({255, 255, 255, 255}, box), effects, 9, 9)});
    };
    const auto small = blurred(kSmall, kSmall), large = blurred(kSmall + kAdded, kSmall + kAdded);
    for (int y = 0; y < kSmall; ++y) {
      for (int x = 0; x < kSmall; ++x) {
        const auto there = [](int at) { return at < kSmall / 2 ? at : at + kAdded; };
        REQUIRE(sampleAt(*small, 0, x, y) == sampleAt(*large, 0, there(x), there(y)));
      }
    }
  }
}
