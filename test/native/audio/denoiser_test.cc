#include "audio/effects/denoiser.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <doctest/doctest.h>

using namespace framewright;

namespace {

struct Stereo {
  std::vector<float> left, right;
};

Stereo denoised(const Stereo& input, double reduction, int64_t block = 4096) {
  size_t at = 0;
  const SampleSource source = [&](float* left, float* right, int64_t count) -> Result<int64_t> {
    const size_t got = std::min(static_cast<size_t>(count), input.left.size() - at);
    std::copy_n(input.left.begin() + static_cast<ptrdiff_t>(at), got, left);
    std::copy_n(input.right.begin() + static_cast<ptrdiff_t>(at), got, right);
    at += got;
    return static_cast<int64_t>(got);
  };
  Denoiser denoiser(reduction);
  Stereo output;
  std::vector<float> left(static_cast<size_t>(block)), right(left.size());
  for (int64_t got = block; got == block;) {
    got = denoiser.read(left.data(), right.data(), block, source).value();
    output.left.insert(output.left.end(), left.begin(), left.begin() + got);
    output.right.insert(output.right.end(), right.begin(), right.begin() + got);
  }
  return output;
}

// Syllables of a harmonic voice, with pauses.
std::vector<float> voice(size_t count) {
  std::vector<float> samples(count);
  for (size_t i = 0; i < count; ++i) {
    const double t = static_cast<double>(i) / 48000;
    const double syllable =
        std::max(0.0, std::sin(2 * std::numbers::pi * 1.9 * t)) * (std::fmod(t, 2.5) < 1.8 ? 1 : 0);
    double sum = 0;
    for (int k = 1; k <= 25; ++k)
      sum += std::sin(2 * std::numbers::pi * k * (140 * t + 3 * std::sin(2 * t))) / k;
    samples[i] = static_cast<float>(0.15 * syllable * sum);
  }
  return samples;
}

std::vector<float> noise(size_t count, float level, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> sample(0, level);
  std::vector<float> samples(count);
  std::generate(samples.begin(), samples.end(), [&] { return sample(random); });
  return samples;
}

double decibels(const std::vector<float>& samples, size_t from, size_t to) {
  double sum = 0;
  for (size_t i = from; i < to; ++i) sum += double{samples[i]} * samples[i];
  return 10 * std::log10(sum / static_cast<double>(to - from) + 1e-20);
}

double ratio(const std::vector<float>& mixed, const std::vector<float>& clean) {
  double signal = 0, error = 0;
  for (size_t i = 0; i < clean.size(); ++i) {
    signal += double{clean[i]} * clean[i];
    error += (double{mixed[i]} - clean[i]) * (double{mixed[i]} - clean[i]);
  }
  return 10 * std::log10(signal / error);
}

constexpr size_t kCount = 48000 * 8 + 777;

}  // namespace

TEST_CASE("a denoiser lowers noise alone by its reduction, from the start to the end") {
  for (const double reduction : {6., 15., 25.}) {
    const Stereo input{noise(kCount, 0.02f, 1), noise(kCount, 0.02f, 2)};
    const Stereo output = denoised(input, reduction);
    REQUIRE(output.left.size() == kCount);
    for (size_t at = 0; at + 24000 < kCount; at += 24000) {
      const double change = decibels(output.left, at, at + 24000) - decibels(input.left, at, at + 24000);
      CAPTURE(at);
      CHECK(std::abs(change + reduction) < 0.15 * reduction);
    }
  }
}

TEST_CASE("a denoiser keeps the voice and improves its ratio to noise") {
  const std::vector<float> clean = voice(kCount);
  for (const float level : {0.003f, 0.01f, 0.03f, 0.1f}) {
    const std::vector<float> added = noise(kCount, level, 3);
    Stereo input{clean, clean};
    for (size_t i = 0; i < kCount; ++i) input.left[i] += added[i], input.right[i] += added[i];
    const Stereo output = denoised(input, 15);
    CAPTURE(ratio(input.left, clean));
    CHECK(ratio(output.left, clean) > ratio(input.left, clean) + 4);
    CHECK(std::equal(output.left.begin(), output.left.end(), output.right.begin(),
                     [](float left, float right) { return std::abs(left - right) < 1e-5f; }));
  }
  CHECK(ratio(denoised({clean, clean}, 15).left, clean) > 25);
}

TEST_CASE("a denoiser leaves no musical noise") {
  // Of musical noise, the power of single bins is far above its mean: the kurtosis grows.
  const Stereo input{noise(kCount, 0.02f, 4), noise(kCount, 0.02f, 5)};
  const Stereo output = denoised(input, 20);
  const auto kurtosis = [](const std::vector<float>& samples) {
    const FourierTransform transform(1024);
    double squares = 0, sum = 0, count = 0;
    for (size_t at = 48000; at + 1024 < samples.size(); at += 1024) {
      std::vector<std::complex<float>> bins(samples.begin() + static_cast<ptrdiff_t>(at),
                                            samples.begin() + static_cast<ptrdiff_t>(at) + 1024);
      transform.transform(bins.data());
      for (size_t k = 20; k < 400; ++k) {
        sum += std::norm(bins[k]);
        squares += std::norm(bins[k]) * std::norm(bins[k]);
        ++count;
      }
    }
    return squares / count / (sum / count) / (sum / count);
  };
  CHECK(kurtosis(output.left) / kurtosis(input.left) < 1.35);
}

TEST_CASE("a denoiser changes nothing without noise, and gives the same samples in blocks of any size") {
  Stereo silence{std::vector<float>(30000), std::vector<float>(30000)};
  CHECK(denoised(silence, 20).left == silence.left);
  // Too short for an estimate of its noise.
  const Stereo brief{noise(500, 0.1f, 6), noise(500, 0.1f, 7)};
  const Stereo same = denoised(brief, 20);
  REQUIRE(same.left.size() == 500);
  CHECK(ratio(same.left, brief.left) > 80);
  const Stereo input{noise(kCount, 0.02f, 8), voice(kCount)};
  CHECK(denoised(input, 12).right == denoised(input, 12, 1001).right);
  CHECK(denoised({{}, {}}, 12).left.empty());
}

TEST_CASE("a denoiser gives finite samples for any input") {
  Stereo input{noise(100000, 0.1f, 9), noise(100000, 1e30f, 10)};
  for (size_t i = 0; i < input.left.size(); i += 997) input.left[i] = i % 2 == 0 ? NAN : INFINITY;
  const Stereo output = denoised(input, 40);
  const auto isFinite = [](float value) { return std::isfinite(value); };
  CHECK(std::all_of(output.left.begin(), output.left.end(), isFinite));
  CHECK(std::all_of(output.right.begin(), output.right.end(), isFinite));
}
