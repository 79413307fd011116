#include "audio/effects/reverb.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <vector>

#include <doctest/doctest.h>

using namespace framewright;

namespace {

struct Stereo {
  std::vector<float> left, right;
};

constexpr ReverbSettings kRoom{0.25, 0.5, 1, 0, 0.5};
constexpr ReverbSettings kHall{0.8, 2.2, 1, 0.025, 0.5};
constexpr ReverbSettings kPlate{0.4, 1.4, 1, 0, 0.1};

Stereo responseOf(const ReverbSettings& settings, double seconds) {
  Stereo sound{std::vector<float>(static_cast<size_t>(seconds * 48000)), {}};
  sound.left[0] = 1;
  sound.right = sound.left;
  Reverb(settings).process(sound.left.data(), sound.right.data(), static_cast<int64_t>(sound.left.size()));
  return sound;
}

// One octave around `hertz`, by two second-order band passes.
std::vector<float> octave(std::vector<float> samples, double hertz) {
  const double w = 2 * std::numbers::pi * hertz / 48000;
  const double alpha = std::sin(w) / 2.8;
  for (int pass = 0; pass < 2; ++pass) {
    double x1 = 0, x2 = 0, y1 = 0, y2 = 0;
    for (float& sample : samples) {
      const double y = (alpha * sample - alpha * x2 + 2 * std::cos(w) * y1 - (1 - alpha) * y2) / (1 + alpha);
      x2 = x1, x1 = sample, y2 = y1, y1 = y;
      sample = static_cast<float>(y);
    }
  }
  return samples;
}

// Decay time for 60 dB by Schroeder's integral, from -5 to -35 dB.
double decayOf(const std::vector<float>& samples) {
  double total = 0;
  for (const float sample : samples) total += double{sample} * sample;
  double rest = total, first = 0, last = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    const double level = 10 * std::log10(rest / total + 1e-30);
    if (first == 0 && level < -5) first = static_cast<double>(i);
    if (last == 0 && level < -35) last = static_cast<double>(i);
    rest -= double{samples[i]} * samples[i];
  }
  return (last - first) / 48000 * 2;
}

double decibels(const std::vector<float>& samples, size_t from = 0) {
  double sum = 0;
  for (size_t i = from; i < samples.size(); ++i) sum += double{samples[i]} * samples[i];
  return 10 * std::log10(sum / static_cast<double>(samples.size() - from) + 1e-30);
}

}  // namespace

TEST_CASE("a reverb decays in its time, and faster at high frequencies") {
  for (const ReverbSettings& settings : {kRoom, kHall, kPlate, ReverbSettings{0.3, 1, 1, 0, 1}}) {
    const Stereo sound = responseOf(settings, 1.5 * settings.decay + 0.5);
    CAPTURE(settings.decay);
    CAPTURE(settings.damping);
    for (const double hertz : {250., 500., 1000.}) {
      if (hertz == 1000 && settings.damping == 1) continue;
      CAPTURE(hertz);
      CHECK(decayOf(octave(sound.left, hertz)) == doctest::Approx(settings.decay).epsilon(0.1));
      CHECK(decayOf(octave(sound.right, hertz)) == doctest::Approx(settings.decay).epsilon(0.1));
    }
    const double high = decayOf(octave(sound.left, 8000)) / settings.decay;
    CHECK(high < 1.02 - settings.damping / 4);
  }
}

TEST_CASE("a reverb starts after its delay, soon has dense echoes, and stands on no side") {
  ReverbSettings settings = kHall;
  settings.preDelay = 0.1;
  const Stereo sound = responseOf(settings, 4);
  const auto isSilent = [](float sample) { return sample == 0; };
  CHECK(std::all_of(sound.left.begin(), sound.left.begin() + 4800, isSilent));
  CHECK(!std::all_of(sound.left.begin(), sound.left.begin() + 4800 + 4800, isSilent));
  CHECK(std::abs(decibels(sound.left) - decibels(sound.right)) < 1);
  // Of dense echoes as of noise, 0.32 of the samples are above the standard deviation.
  const std::vector<float> late(sound.left.begin() + 14400, sound.left.begin() + 16800);
  const double deviation = std::pow(10, decibels(late) / 20);
  const auto above =
      std::count_if(late.begin(), late.end(), [&](float x) { return std::abs(x) > deviation; });
  CHECK(static_cast<double>(above) / static_cast<double>(late.size()) ==
        doctest::Approx(0.317).epsilon(0.15));
  // Neither channel cancels the other in mono: it is as of unrelated sounds, 3 dB quieter.
  std::vector<float> mono(sound.left.size());
  for (size_t i = 0; i < mono.size(); ++i) mono[i] = (sound.left[i] + sound.right[i]) / 2;
  CHECK(decibels(mono) - decibels(sound.left) > -4.5);
}

TEST_CASE("a reverb keeps the level of sounds below 6 kHz at any share") {
  std::mt19937 random(5);
  std::normal_distribution<float> sample(0, 0.1f);
  std::vector<float> noise(48000 * 8);
  std::generate(noise.begin(), noise.end(), [&] { return sample(random); });
  noise = octave(noise, 1000);
  for (ReverbSettings settings : {kRoom, kHall, kPlate}) {
    for (const double wet : {0., 0.2, 0.5, 1.}) {
      settings.wet = wet;
      std::vector<float> left = noise, right = noise;
      Reverb(settings).process(left.data(), right.data(), static_cast<int64_t>(noise.size()));
      CAPTURE(wet);
      CHECK(std::abs(decibels(left, 48000 * 4) - decibels(noise, 48000 * 4)) < 1.5);
      CHECK(std::abs(decibels(right, 48000 * 4) - decibels(noise, 48000 * 4)) < 1.5);
      if (wet == 0) CHECK(left == noise);
    }
  }
}

TEST_CASE("a reverb gives the same samples in blocks of any size, and after it has settled") {
  std::mt19937 random(9);
  std::uniform_real_distribution<float> sample(-1, 1);
  std::vector<float> input(48000 * 6);
  std::generate(input.begin(), input.end(), [&] { return sample(random); });
  const int64_t count = static_cast<int64_t>(input.size());
  std::vector<float> left = input, right = input, blocks = input, blocksRight = input;
  Reverb whole(kPlate), parts(kPlate), late(kPlate);
  whole.process(left.data(), right.data(), count);
  for (int64_t at = 0; at < count; at += 1000)
    parts.process(blocks.data() + at, blocksRight.data() + at, 1000);
  CHECK(left == blocks);
  CHECK(right == blocksRight);
  const int64_t settling = Reverb::settlingSamples(kPlate);
  const int64_t from = 48000 * 4;
  REQUIRE(settling < from);
  std::vector<float> lateLeft(input.begin() + from - settling, input.end()), lateRight = lateLeft;
  late.process(lateLeft.data(), lateRight.data(), static_cast<int64_t>(lateLeft.size()));
  float difference = 0;
  for (size_t i = 0; i < static_cast<size_t>(count - from); ++i) {
    const size_t k = i + static_cast<size_t>(settling);
    difference = std::max(difference, std::abs(lateLeft[k] - left[i + static_cast<size_t>(from)]));
  }
  CHECK(difference < 3e-6f);
}

TEST_CASE("a reverb stays finite, and silence after it is as fast as sound") {
  for (const ReverbSettings& settings :
       {ReverbSettings{0, 0.1, 1, 0, 0}, ReverbSettings{1, 20, 1, 0.5, 1}, ReverbSettings{1, 0.1, 1, 0, 1}}) {
    Reverb reverb(settings);
    std::vector<float> left(48000, 1e6f), right(48000, -1e6f);
    const auto secondsOf = [&] {
      const auto start = std::chrono::steady_clock::now();
      reverb.process(left.data(), right.data(), 48000);
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    double sound = secondsOf();
    CHECK(std::all_of(left.begin(), left.end(), [](float value) { return std::isfinite(value); }));
    double silence = 1e9;
    for (int k = 0; k < 200; ++k) {
      std::fill(left.begin(), left.end(), 0.0f);
      std::fill(right.begin(), right.end(), 0.0f);
      const double seconds = secondsOf();
      if (k >= 190) silence = std::min(silence, seconds);
    }
    CHECK(std::all_of(left.begin(), left.end(), [](float value) { return std::abs(value) < 1e-6f; }));
    CHECK(silence < 4 * sound);
  }
}
