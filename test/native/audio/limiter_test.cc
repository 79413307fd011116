#include "audio/limiter.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "audio/loudness_meter.h"
#include "audio/mix.h"
#include "audio/true_peak.h"

using namespace framewright;

namespace {

std::vector<float> noise(size_t count, float level, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> sample(-level, level);
  std::vector<float> sound(count);
  std::generate(sound.begin(), sound.end(), [&] { return sample(random); });
  return sound;
}

std::vector<float> limited(std::vector<float> left, std::vector<float>& right, size_t block) {
  Limiter limiter;
  for (size_t at = 0; at < left.size(); at += block) {
    const size_t count = std::min(block, left.size() - at);
    limiter.process(left.data() + at, right.data() + at, static_cast<int64_t>(count));
  }
  return left;
}

}  // namespace

TEST_CASE("audio below the ceiling passes the limiter unchanged") {
  std::vector<float> left(10000), right = noise(10000, 0.3f, 2);
  for (size_t i = 0; i < left.size(); ++i) {
    left[i] = static_cast<float>(0.88 * std::sin(2 * M_PI * 997 * static_cast<double>(i) / 48000));
  }
  const std::vector<float> before = right;
  const std::vector<float> out = limited(left, right, 777);
  for (size_t i = kLimiterLatency; i < left.size(); ++i) {
    REQUIRE(out[i] == left[i - kLimiterLatency]);
    REQUIRE(right[i] == before[i - kLimiterLatency]);
  }
}

TEST_CASE("inter-sample peaks are attenuated") {
  // A quarter of the sample rate at 45 degrees: samples of 0.707 of a wave with amplitude 1.
  std::vector<float> left(24000);
  for (size_t i = 0; i < left.size(); ++i) {
    left[i] = static_cast<float>(std::sin(M_PI / 2 * static_cast<double>(i) + M_PI / 4));
  }
  std::vector<float> right = left;
  const std::vector<float> out = limited(left, right, 4096);
  for (size_t i = 2000; i < out.size(); ++i) {
    REQUIRE(std::fabs(out[i]) == doctest::Approx(kTruePeakCeiling * M_SQRT1_2).epsilon(0.01));
  }
}

TEST_CASE("quiet passages between peaks keep their level") {
  // Peaks of +4 dBFS for 20 ms, four times a second.
  std::vector<float> left(96000);
  const auto isQuiet = [](size_t i) { return i % 12000 >= 2400 && i % 12000 < 11700; };
  for (size_t i = 0; i < left.size(); ++i) {
    const double level = i % 12000 < 960 ? 1.585 : 0.1;
    left[i] = static_cast<float>(level * std::sin(2 * M_PI * 600 * static_cast<double>(i) / 48000));
  }
  std::vector<float> right = left;
  const std::vector<float> out = limited(left, right, 4096);
  double before = 0, after = 0;
  for (size_t i = 12000; i + kLimiterLatency < left.size(); ++i) {
    if (!isQuiet(i)) continue;
    before += left[i] * left[i];
    after += out[i + kLimiterLatency] * out[i + kLimiterLatency];
  }
  CHECK(10 * std::log10(after / before) > -0.15);
}

TEST_CASE("low tones above the ceiling are attenuated without distortion") {
  for (const double frequency : {40.0, 60.0, 100.0}) {
    CAPTURE(frequency);
    const double step = 2 * M_PI * frequency / 48000;
    std::vector<float> left(96000);
    for (size_t i = 0; i < left.size(); ++i)
      left[i] = static_cast<float>(1.585 * std::sin(step * static_cast<double>(i)));
    std::vector<float> right = left;
    const std::vector<float> out = limited(left, right, 4096);
    double sine = 0, cosine = 0, rest = 0;
    const auto wave = [&](size_t i) { return step * static_cast<double>(i); };
    for (size_t i = 48000; i < 96000; ++i) {
      sine += out[i] * std::sin(wave(i)) / 24000;
      cosine += out[i] * std::cos(wave(i)) / 24000;
    }
    for (size_t i = 48000; i < 96000; ++i) {
      rest += std::pow(out[i] - sine * std::sin(wave(i)) - cosine * std::cos(wave(i)), 2) / 24000;
    }
    CHECK(std::sqrt(rest) / std::hypot(sine, cosine) < 0.0005);
  }
}

TEST_CASE("the true peak of a tone is its amplitude, wherever the samples lie") {
  for (const double frequency : {100.0, 997.0, 5000.0, 11000.0, 15000.0}) {
    CAPTURE(frequency);
    std::vector<float> wave(4800), peaks(wave.size());
    for (size_t i = 0; i < wave.size(); ++i) {
      wave[i] = static_cast<float>(0.5 * std::sin(2 * M_PI * frequency * static_cast<double>(i) / 48000 + 1));
    }
    TruePeakDetector detector;
    detector.detect(wave.data(), static_cast<int64_t>(wave.size()), 0.0f, peaks.data());
    CHECK(*std::max_element(peaks.begin() + 100, peaks.end()) == doctest::Approx(0.5).epsilon(0.05));
  }
}

TEST_CASE("a sum above the ceiling is attenuated without clipping, and the gain recovers") {
  std::vector<float> left(96000), right(96000);
  for (size_t i = 0; i < left.size(); ++i) {
    // The level changes at zeros of the wave.
    const double level = i >= 19200 && i < 38400 ? 2.5 : 0.5;
    left[i] = right[i] =
        static_cast<float>(level * std::sin(2 * M_PI * 440 * static_cast<double>(i) / 48000));
  }
  const std::vector<float> input = left;
  const std::vector<float> out = limited(left, right, 4096);
  float peak = 0;
  int atCeiling = 0;
  double steepest = 0;
  for (size_t i = 1; i < out.size(); ++i) {
    peak = std::max(peak, std::fabs(out[i]));
    atCeiling += std::fabs(out[i]) > 0.9999f * kTruePeakCeiling;
    steepest = std::max<double>(steepest, std::fabs(out[i] - out[i - 1]));
  }
  CHECK(peak <= kTruePeakCeiling * 1.001f);
  // Hard clipping would put most samples of the loud part at the ceiling.
  CHECK(atCeiling < 1500);
  CHECK(steepest < 2 * 2 * M_PI * 440 / 48000);
  for (size_t i = 90000; i < out.size(); ++i) REQUIRE(out[i] == input[i - kLimiterLatency]);
}

TEST_CASE("the limiter does not depend on the block size") {
  const std::vector<float> left = noise(9000, 3.0f, 3);
  std::vector<float> rightA = left, rightB = left;
  CHECK(limited(left, rightA, 4096) == limited(left, rightB, 61));
  CHECK(rightA == rightB);
}

TEST_CASE("mixing applies a linear gain ramp") {
  const std::vector<float> ones(4, 1.0f);
  std::vector<float> left(4, 0.5f), right(4, 0.0f);
  mixInto(left.data(), right.data(), ones.data(), ones.data(), 4, 0.0f, 1.0f);
  CHECK(left == std::vector<float>{0.5f, 0.75f, 1.0f, 1.25f});
  CHECK(right == std::vector<float>{0.0f, 0.25f, 0.5f, 0.75f});
}

TEST_CASE("a full-scale 1 kHz tone on both channels measures 0 LUFS, silence nothing") {
  const auto meter = LoudnessMeter::create().take();
  std::vector<float> tone(48000 * 3);
  for (size_t i = 0; i < tone.size(); ++i) {
    tone[i] = static_cast<float>(0.1 * std::sin(2 * M_PI * 997 * static_cast<double>(i) / 48000));
  }
  REQUIRE(meter->add(tone.data(), tone.data(), static_cast<int64_t>(tone.size())).ok());
  CHECK(meter->integrated().value() == doctest::Approx(-20).epsilon(0.005));

  const auto silent = LoudnessMeter::create().take();
  const std::vector<float> silence(48000, 0.0f);
  REQUIRE(silent->add(silence.data(), silence.data(), 48000).ok());
  CHECK(std::isinf(silent->integrated().value()));
}
