#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include <doctest/doctest.h>

#include "libav/media_fixture.h"
#include "render/audio/audio_levels.h"
#include "render/audio/audio_mixer.h"
#include "render/render.h"
#include "timeline/draw_list.h"

using namespace framewright;

namespace {

const CancelToken never;

Timeline waveformTimeline(const std::string& sound, int width, int height, int64_t frames,
                          MediaRange media = {}) {
  Timeline timeline;
  timeline.width = width;
  timeline.height = height;
  timeline.frames = frames;
  Section section;
  section.frames = frames;
  section.background = {20, 24, 48, 255};
  Clip clip;
  clip.frames = frames;
  clip.box = {0, 0, static_cast<double>(width), static_cast<double>(height)};
  clip.waveform = Waveform{Color{255, 255, 255, 255}, 5};
  section.clips.push_back(clip);
  timeline.sections.push_back(section);
  timeline.sources.push_back({SourceKind::kAudio, sound, "elements.0"});
  timeline.audio.push_back({0, 0, frames, {1, {}}, 0, 0, media});
  return timeline;
}

// Speech-like: syllables of -20 dBFS four times a second.
std::string syllables(const std::string& name = "syllables.wav", const std::string& encode = "") {
  return fixture::media(name,
                        "-f lavfi -i \"aevalsrc='0.25*sin(2*PI*180*t)*pow(max(0,sin(2*PI*2*t)),0.6)':s=48000:"
                        "d=21:c=stereo\" " +
                            encode);
}

std::vector<uint16_t> barsAt(const Timeline& timeline, int64_t frame, MixLevels& levels) {
  const DrawList list = drawListAt(timeline, frame, &levels);
  return list.layers.back().bars;
}

}  // namespace

TEST_CASE("waveform: bars do not depend on the order of frames") {
  for (const std::string& sound : {syllables(), syllables("syllables.mp3", "-b:a 128k")}) {
    CAPTURE(sound);
    const Timeline timeline = waveformTimeline(sound, 640, 200, 600);
    AudioLevels forward(timeline, never), backward(timeline, never);
    std::vector<std::vector<uint16_t>> bars;
    for (int64_t frame = 0; frame < 600; frame += 7) bars.push_back(barsAt(timeline, frame, forward));
    for (int64_t frame = 595; frame >= 0; frame -= 7) {
      REQUIRE(barsAt(timeline, frame, backward) == bars[static_cast<size_t>(frame / 7)]);
    }
    AudioLevels alone(timeline, never);
    CHECK(barsAt(timeline, 301, alone) == bars[43]);
    REQUIRE(forward.status().ok());
  }
}

TEST_CASE("waveform: speech fills about half the box, silence none, and bars move without jumps") {
  const Timeline timeline = waveformTimeline(syllables(), 640, 200, 600);
  AudioLevels levels(timeline, never);
  int tallest = 0, jump = 0;
  std::vector<uint16_t> before;
  for (int64_t frame = 60; frame < 240; ++frame) {
    const std::vector<uint16_t> bars = barsAt(timeline, frame, levels);
    CHECK(bars.size() % 2 == 1);
    tallest = std::max<int>(tallest, *std::max_element(bars.begin(), bars.end()));
    for (size_t i = 0; i < before.size(); ++i) jump = std::max(jump, std::abs(bars[i] - before[i]));
    before = bars;
  }
  MESSAGE("tallest " << tallest * 100 / kWaveformSteps << " %, jump " << jump * 100 / kWaveformSteps << " %");
  CHECK(tallest > kWaveformSteps * 4 / 10);
  CHECK(tallest < kWaveformSteps * 7 / 10);
  CHECK(jump < kWaveformSteps / 4);

  Timeline silent = timeline;
  silent.audio.clear();
  AudioLevels none(silent, never);
  for (const uint16_t bar : barsAt(silent, 100, none)) CHECK(bar == 0);
}

TEST_CASE(
    "waveform: styles show the moment in the middle or at the top, and frequencies from left to right") {
  Timeline timeline = waveformTimeline(syllables(), 640, 200, 600);
  const auto barsOf = [&](WaveformStyle style) {
    timeline.sections[0].clips[0].waveform->style = style;
    AudioLevels levels(timeline, never);
    return barsAt(timeline, 150, levels);
  };
  const std::vector<uint16_t> plain = barsOf(WaveformStyle::kBars);
  CHECK(barsOf(WaveformStyle::kLine) == plain);

  const std::vector<uint16_t> mirrored = barsOf(WaveformStyle::kMirrored);
  const size_t middle = mirrored.size() / 2;
  REQUIRE(mirrored.size() == plain.size());
  CHECK(mirrored[middle] == plain[middle]);
  CHECK(std::equal(mirrored.begin(), mirrored.begin() + static_cast<int64_t>(middle), mirrored.rbegin()));
  CHECK(std::equal(mirrored.begin(), mirrored.begin() + static_cast<int64_t>(middle), plain.begin()));

  const std::vector<uint16_t> circle = barsOf(WaveformStyle::kCircle);
  for (size_t i = 1; i < circle.size(); ++i) CHECK(circle[i] == circle[circle.size() - i]);
  CHECK(circle[0] == plain[middle]);

  // The tone of 180 Hz lies at a fifth of the way from 60 Hz to 14 kHz.
  const std::vector<uint16_t> spectrum = barsOf(WaveformStyle::kSpectrum);
  const auto highest = std::max_element(spectrum.begin(), spectrum.end()) - spectrum.begin();
  CHECK(static_cast<double>(highest) / static_cast<double>(spectrum.size()) ==
        doctest::Approx(0.2).epsilon(0.15));
  CHECK(spectrum.back() < spectrum[static_cast<size_t>(highest)] / 8);
}

TEST_CASE("audio mixer: a mix that starts inside a looping clip equals one that started earlier") {
  for (const std::string& sound : {syllables(), syllables("syllables.mp3", "-b:a 128k")}) {
    CAPTURE(sound);
    Timeline timeline = waveformTimeline(sound, 640, 200, 30 * 60, {2.5, std::nullopt, -1});
    const int64_t total = sampleAtFrame(timeline, timeline.frames);
    std::vector<float> left(static_cast<size_t>(total)), right(left.size());
    AudioMixer whole(timeline, never);
    REQUIRE(whole.mix(0, total, left.data(), right.data()).ok());
    for (const int64_t from : {int64_t{48000} * 7 + 11, int64_t{48000} * 19, int64_t{48000} * 45 + 5}) {
      CAPTURE(from);
      std::vector<float> l(48000), r(48000);
      AudioMixer part(timeline, never);
      REQUIRE(part.mix(from, 48000, l.data(), r.data()).ok());
      float difference = 0;
      for (size_t i = 0; i < l.size(); ++i) {
        difference = std::max(difference, std::fabs(l[i] - left[static_cast<size_t>(from) + i]));
      }
      CHECK(difference < 1e-3);
    }
  }
}

TEST_CASE("waveform: bars are drawn symmetrically around the middle of the box") {
  const Timeline timeline = waveformTimeline(syllables(), 640, 200, 600);
  const auto frame = composeFrame(timeline, 94, never);
  REQUIRE(frame.ok());
  const Image& image = *frame.value();
  const auto isBar = [&](int x, int y) { return fixture::pixelAt(image, x, y).r > 128; };
  int lit = 0, odd = 0;
  for (int y = 0; y < 100; ++y) {
    for (int x = 0; x < 640; ++x) {
      lit += isBar(x, y);
      odd += isBar(x, y) != isBar(x, 199 - y);
    }
  }
  CHECK(lit > 2000);
  CHECK(odd < 40);
  // The corners show the background.
  CHECK(fixture::pixelAt(image, 2, 2).b < 60);
}
