#include "audio/effects/equalizer.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <doctest/doctest.h>

using namespace framewright;

TEST_CASE("an equalizer gives the same samples in blocks of any size, and none is infinite") {
  using enum EqualizerBand::Type;
  std::vector<EqualizerBand> bands;
  for (const auto type : {kLowShelf, kPeak, kHighShelf, kHighPass, kLowPass}) {
    bands.push_back({type, 20, 24, 10});
    bands.push_back({type, 20000, 24, 0.1});
  }
  std::mt19937 random(7);
  std::uniform_real_distribution<float> sample(-1, 1);
  std::vector<float> left(48000);
  std::generate(left.begin(), left.end(), [&] { return sample(random); });
  std::vector<float> right = left, blockLeft = left, blockRight = left;
  Equalizer whole(bands), blocks(bands);
  whole.process(left.data(), right.data(), 48000);
  for (int64_t at = 0; at < 48000; at += 1000)
    blocks.process(blockLeft.data() + at, blockRight.data() + at, 1000);
  CHECK(left == blockLeft);
  CHECK(left == right);
  CHECK(std::all_of(left.begin(), left.end(), [](float value) { return std::isfinite(value); }));
}

TEST_CASE("an equalizer without bands changes nothing") {
  std::vector<float> left{0.5f, -1}, right{0.25f, 1};
  Equalizer({}).process(left.data(), right.data(), 2);
  CHECK(left == std::vector<float>{0.5f, -1});
  CHECK(right == std::vector<float>{0.25f, 1});
}
