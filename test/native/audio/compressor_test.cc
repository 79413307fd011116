#include "audio/effects/compressor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "audio/effects/effect_chain.h"

using namespace framewright;

namespace {

std::vector<float> tone(double peak, double hertz, size_t count) {
  std::vector<float> samples(count);
  for (size_t i = 0; i < count; ++i) {
    samples[i] =
        static_cast<float>(peak * std::sin(2 * std::numbers::pi * hertz * static_cast<double>(i) / 48000));
  }
  return samples;
}

double decibels(double gain) { return 20 * std::log10(gain); }
double gainOf(double decibels) { return std::pow(10, decibels / 20); }

// Peak in dBFS of the last second.
double peakOf(const std::vector<float>& samples) {
  float peak = 0;
  for (auto sample = samples.end() - 48000; sample != samples.end(); ++sample)
    peak = std::max(peak, std::abs(*sample));
  return decibels(peak);
}

// Sample after which the gain of `signal` stays within 1 dB of its last value.
size_t settledAt(const std::vector<float>& before, const std::vector<float>& after, size_t from, size_t to) {
  double last = 0;
  size_t settled = from;
  for (size_t i = to; i-- > from;) {
    if (std::abs(before[i]) < 1e-3f) continue;
    const double gain = decibels(after[i] / before[i]);
    if (last == 0) last = gain;
    if (std::abs(gain - last) > 1) {
      settled = i;
      break;
    }
  }
  return settled - from;
}

}  // namespace

TEST_CASE("a compressor has the gain of its curve, with the knee and the makeup") {
  const CompressorSettings settings{-24, 4, 0.005, 0.2, 8, 3};
  const auto expected = [](double level) {
    if (level <= -28) return level + 3;
    if (level >= -20) return -24 + (level + 24) / 4 + 3;
    return level - 0.75 * (level + 28) * (level + 28) / 16 + 3;
  };
  for (const double hertz : {100., 1000., 7900.}) {
    for (const double level : {-50., -30., -26., -24., -22., -18., -6., 0.}) {
      std::vector<float> left = tone(gainOf(level), hertz, 96000), right = left;
      Compressor(settings).process(left.data(), right.data(), 96000);
      CAPTURE(hertz);
      CAPTURE(level);
      CHECK(std::abs(peakOf(left) - expected(level)) < 0.1);
      CHECK(left == right);
    }
  }
}

TEST_CASE("a compressor follows a rise with its attack and a fall with its release") {
  // 20 dB of reduction; a time constant lasts until 1 dB remains of e^3.
  std::vector<float> left(144000, 0.01f), right(144000, 0.01f);
  std::fill(left.begin() + 48000, left.begin() + 96000, 1.0f);
  std::fill(right.begin() + 48000, right.begin() + 96000, 1.0f);
  const std::vector<float> before = left;
  Compressor({-20, 100, 0.02, 0.1, 0, 0}).process(left.data(), right.data(), 144000);
  const auto seconds = [&](size_t from) {
    return static_cast<double>(settledAt(before, left, from, from + 48000)) / 48000;
  };
  CHECK(seconds(48000) == doctest::Approx(0.02 * std::log(19.8)).epsilon(0.05));
  // The attack delays the release a little.
  CHECK(seconds(96000) == doctest::Approx(0.1 * std::log(19.8 / 0.8)).epsilon(0.05));
}

TEST_CASE("a compressor lowers both channels alike") {
  std::vector<float> left = tone(1, 1000, 96000), right = tone(0.01, 1000, 96000);
  Compressor({-20, 100, 0.005, 0.2, 0, 0}).process(left.data(), right.data(), 96000);
  CHECK(std::abs(peakOf(left) + 19.8) < 0.1);
  CHECK(std::abs(peakOf(right) + 59.8) < 0.1);
}

TEST_CASE("a compressor gives the same samples in blocks of any size, and after it has settled") {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> sample(-1, 1);
  std::vector<float> left(480000);
  std::generate(left.begin(), left.end(), [&] { return sample(random) * sample(random); });
  const std::vector<float> input = left;
  std::vector<float> right = left, blocks = left, blocksRight = left;
  const CompressorSettings settings;
  Compressor whole(settings), parts(settings), late(settings);
  whole.process(left.data(), right.data(), 480000);
  for (int64_t at = 0; at < 480000; at += 1000)
    parts.process(blocks.data() + at, blocksRight.data() + at, 1000);
  CHECK(left == blocks);
  const int64_t settling = Compressor::settlingSamples(settings);
  REQUIRE(settling < 240000);
  std::vector<float> lateLeft(input.begin() + 240000 - settling, input.end()), lateRight = lateLeft;
  late.process(lateLeft.data(), lateRight.data(), static_cast<int64_t>(lateLeft.size()));
  double difference = 0;
  for (size_t i = 240000; i < 480000; ++i) {
    const double other = lateLeft[i - 240000 + static_cast<size_t>(settling)];
    difference = std::max(difference, std::abs(left[i] - other));
  }
  CHECK(difference < 1e-6);
}

TEST_CASE("effects give finite samples for any input") {
  const float invalid[] = {NAN, INFINITY, -INFINITY, std::numeric_limits<float>::max(), 1e-42f, 0, -0.0f, 1};
  std::vector<float> left(48000), right(48000);
  for (size_t i = 0; i < left.size(); ++i) {
    left[i] = invalid[i / 7 % 8];
    right[i] = invalid[i / 5 % 8];
  }
  const EqualizerBand bands[] = {{EqualizerBand::Type::kPeak, 20, 24, 10}};
  EffectChain chain(bands, CompressorSettings{-60, 100, 0.0001, 0.005, 24, 40}, ReverbSettings{});
  chain.process(left.data(), right.data(), 48000);
  const auto isFinite = [](float value) { return std::isfinite(value); };
  CHECK(std::all_of(left.begin(), left.end(), isFinite));
  CHECK(std::all_of(right.begin(), right.end(), isFinite));
  for (int k = 0; k < 30; ++k) {
    std::fill(left.begin(), left.end(), 0.0f);
    std::fill(right.begin(), right.end(), 0.0f);
    chain.process(left.data(), right.data(), 48000);
  }
  CHECK(std::all_of(left.begin(), left.end(), [](float value) { return std::abs(value) < 1e-6f; }));
}
