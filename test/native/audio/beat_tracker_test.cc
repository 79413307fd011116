#include "audio/beat_tracker.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "audio/onset_envelope.h"

using namespace framewright;

namespace {

constexpr double kSeconds = 16;

struct Track {
  std::vector<float> samples = std::vector<float>(static_cast<size_t>(kSeconds * 48000));
  std::vector<double> beats;

  void add(double at, double seconds, const std::function<double(double)>& sound) {
    const auto first = static_cast<size_t>(at * 48000);
    const auto count = static_cast<size_t>(seconds * 48000);
    for (size_t i = 0; i < count && first + i < samples.size(); ++i)
      samples[first + i] += static_cast<float>(sound(static_cast<double>(i) / 48000));
  }
};

double click(double t) { return 0.5 * std::exp(-120 * t) * std::sin(2 * std::numbers::pi * 1500 * t); }
double kick(double t) { return 0.7 * std::exp(-25 * t) * std::sin(2 * std::numbers::pi * 60 * t); }

// A click at each beat; `drift`: share by which the tempo changes to and fro.
Track clicks(double tempo, double drift = 0) {
  Track track;
  for (double t = 0.43; t < kSeconds - 0.1;) {
    track.beats.push_back(t);
    track.add(t, 0.05, click);
    t += 60 / (tempo * (1 + drift * std::sin(t * 0.42)));
  }
  return track;
}

Beats beatsOf(const std::vector<float>& samples, std::optional<double> tempo = {}, int64_t block = 4096) {
  OnsetEnvelope envelope;
  const auto count = static_cast<int64_t>(samples.size());
  for (int64_t at = 0; at < count; at += block)
    envelope.add(samples.data() + at, samples.data() + at, std::min(block, count - at));
  return trackBeats(envelope.finish(), OnsetEnvelope::kRate, tempo);
}

// Harmonic mean of precision and recall within 70 ms.
double fMeasure(const std::vector<double>& found, const std::vector<double>& expected) {
  double hits = 0;
  for (const double beat : expected) {
    hits +=
        std::any_of(found.begin(), found.end(), [&](double time) { return std::abs(time - beat) < 0.07; });
  }
  return 2 * hits / static_cast<double>(found.size() + expected.size());
}

}  // namespace

TEST_CASE("beats: those of clicks at any usual tempo, to a few milliseconds") {
  for (double tempo = 60; tempo <= 180; tempo += 15) {
    CAPTURE(tempo);
    const Track track = clicks(tempo);
    const Beats found = beatsOf(track.samples);
    CHECK(std::abs(found.tempo - tempo) < 0.01 * tempo);
    REQUIRE(found.times.size() == track.beats.size());
    for (size_t i = 0; i < found.times.size(); ++i) CHECK(std::abs(found.times[i] - track.beats[i]) < 0.01);
  }
}

TEST_CASE("beats: those of a changing tempo, and below noise") {
  std::mt19937 random(3);
  std::normal_distribution<float> noise(0, 0.04f);
  for (double tempo = 65; tempo <= 180; tempo += 23) {
    CAPTURE(tempo);
    const Track drifting = clicks(tempo, 0.06);
    CHECK(fMeasure(beatsOf(drifting.samples).times, drifting.beats) > 0.98);
    Track noisy = clicks(tempo);
    for (float& sample : noisy.samples) sample += noise(random);
    CHECK(fMeasure(beatsOf(noisy.samples).times, noisy.beats) > 0.95);
  }
}

TEST_CASE("beats: those of drums with hi-hats between, where the tempo is known about") {
  std::mt19937 random(4);
  std::normal_distribution<double> noise(0, 0.15);
  for (const double tempo : {64., 90., 128., 170.}) {
    CAPTURE(tempo);
    Track track;
    for (double t = 0.43; t < kSeconds - 0.1; t += 60 / tempo) {
      const auto hat = [&](double at) { return noise(random) * std::exp(-90 * at); };
      track.beats.push_back(t);
      track.add(t, 0.15, kick);
      track.add(t, 0.05, hat);
      track.add(t + 30 / tempo, 0.05, hat);
    }
    CHECK(fMeasure(beatsOf(track.samples, tempo * 1.03).times, track.beats) > 0.98);
  }
}

TEST_CASE("beats: none in silence, and only where the music plays") {
  CHECK(beatsOf(std::vector<float>(480000)).times.empty());
  CHECK(beatsOf({}).times.empty());
  CHECK(beatsOf(std::vector<float>(100, 0.5f)).times.empty());
  Track track = clicks(120);
  std::fill(track.samples.begin() + 48000 * 10, track.samples.end(), 0.0f);
  std::fill(track.samples.begin(), track.samples.begin() + 48000 * 3, 0.0f);
  const Beats found = beatsOf(track.samples);
  REQUIRE(!found.times.empty());
  CHECK(found.times.front() > 2.9);
  CHECK(found.times.back() < 10.1);
}

TEST_CASE("beats: the same in blocks of any size, and finite for any input") {
  Track track = clicks(100);
  CHECK(beatsOf(track.samples).times == beatsOf(track.samples, {}, 777).times);
  for (size_t i = 0; i < track.samples.size(); i += 9999) track.samples[i] = i % 2 == 0 ? NAN : INFINITY;
  for (const double time : beatsOf(track.samples).times) CHECK(std::isfinite(time));
}
