#include "audio/effects/clip_limiter.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <doctest/doctest.h>

using namespace framewright;

namespace {

std::vector<float> tone(int64_t count, float level) {
  std::vector<float> samples(static_cast<size_t>(count));
  for (size_t i = 0; i < samples.size(); ++i)
    samples[i] =
        level * static_cast<float>(std::sin(2 * std::numbers::pi * 441 * static_cast<double>(i) / 48000));
  return samples;
}

// The output for a sound, read in blocks.
std::vector<float> limited(const std::vector<float>& sound, const LimiterSettings& settings, int64_t block) {
  ClipLimiter limiter(settings);
  size_t at = 0;
  const SampleSource source = [&](float* left, float* right, int64_t count) -> Result<int64_t> {
    const int64_t got = std::min<int64_t>(count, static_cast<int64_t>(sound.size() - at));
    std::copy_n(sound.data() + at, got, left);
    std::copy_n(sound.data() + at, got, right);
    at += static_cast<size_t>(got);
    return got;
  };
  std::vector<float> left(sound.size() + 1000), right(left.size());
  int64_t done = 0;
  while (true) {
    const auto got = limiter.read(left.data() + done, right.data() + done, block, source);
    REQUIRE(got.ok());
    done += got.value();
    if (got.value() < block) break;
  }
  left.resize(static_cast<size_t>(done));
  return left;
}

}  // namespace

TEST_CASE("ClipLimiter: what is below the ceiling passes without delay, to its end") {
  const std::vector<float> sound = tone(10000, 0.5f);
  CHECK(limited(sound, {-1, 0}, 512) == sound);
}

TEST_CASE("ClipLimiter: raises a sound up to the ceiling") {
  const std::vector<float> sound = tone(48000, 0.5f);
  const std::vector<float> loud = limited(sound, {-6, 20}, 480);
  REQUIRE(loud.size() == sound.size());
  const float highest = *std::max_element(loud.begin() + 24000, loud.end());
  CHECK(highest <= 0.5013f);
  CHECK(highest > 0.45f);
  CHECK(limited(sound, {-6, 20}, 333) == loud);
}
