#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "libav/media_fixture.h"
#include "render/audio/audio_mixer.h"
#include "render/render.h"

using namespace framewright;

namespace {

const CancelToken never;

std::string syllables() {
  return fixture::media("loud_syllables.wav",
                        "-f lavfi -i \"aevalsrc='0.9*pow(sin(PI*t*1.7),6)*sin(2*PI*(170+30*sin(3*t))*t)|"
                        "0.5*pow(sin(PI*t*1.3),4)*sin(2*PI*300*t)':s=48000:d=12\"");
}

Timeline timelineWith(const AudioClip& clip, int64_t frames) {
  Timeline timeline;
  timeline.width = timeline.height = 2;
  timeline.fps = {25, 1};
  timeline.frames = frames;
  timeline.sources.push_back({SourceKind::kAudio, syllables(), "elements.0"});
  timeline.audio.push_back(clip);
  return timeline;
}

struct Mixed {
  std::vector<float> left, right;
};

Mixed mixed(const Timeline& timeline, int64_t from, int64_t count, int64_t block) {
  AudioMixer mixer(timeline, never);
  Mixed mixed{std::vector<float>(static_cast<size_t>(count)), std::vector<float>(static_cast<size_t>(count))};
  for (int64_t done = 0; done < count; done += block) {
    const Status status = mixer.mix(from + done, std::min(block, count - done), mixed.left.data() + done,
                                    mixed.right.data() + done);
    if (!status.ok()) FAIL(status.error().message);
  }
  return mixed;
}

float difference(const std::vector<float>& whole, int64_t from, const std::vector<float>& part) {
  float largest = 0;
  for (size_t i = 0; i < part.size(); ++i)
    largest = std::max(largest, std::fabs(part[i] - whole[static_cast<size_t>(from) + i]));
  return largest;
}

AudioClip clipWith(int64_t start, int64_t frames) {
  AudioClip clip;
  clip.start = start;
  clip.frames = frames;
  return clip;
}

}  // namespace

TEST_CASE("sound effects: a mix that starts inside a clip equals one that started earlier") {
  const auto check = [](const AudioClip& clip, float tolerance) {
    const Timeline timeline = timelineWith(clip, 375);
    const Mixed whole = mixed(timeline, 0, 48000 * 15, 4096);
    for (const int64_t from : {int64_t{48000} + 17, int64_t{48000} * 5, int64_t{48000} * 11 + 999}) {
      CAPTURE(from);
      const Mixed part = mixed(timeline, from, 48000, 1000);
      CHECK(difference(whole.left, from, part.left) < tolerance);
      CHECK(difference(whole.right, from, part.right) < tolerance);
    }
  };
  AudioClip clip = clipWith(10, 365);
  clip.compressor = CompressorSettings{-30, 8, 0.01, 0.3, 6, 12};
  SUBCASE("the compressor") { check(clip, 1e-6f); }
  SUBCASE("the compressor after the equalizer") {
    clip.equalizer = {{EqualizerBand::Type::kHighPass, {100, {}}, {}, {0.71, {}}}};
    check(clip, 1e-5f);
  }
  SUBCASE("the reverb, and its tail") {
    clip.frames = 265;
    clip.reverb = ReverbSettings{0.4, 1.2, 0.4, 0.02, 0.2};
    check(clip, 1e-5f);
  }
  SUBCASE("an equalizer and a reverb that change") {
    clip.frames = 265;
    clip.compressor.reset();
    const Curve falling{0, {{0, 12000, {}}, {200, 200, {}}}};
    clip.equalizer = {{EqualizerBand::Type::kLowPass, falling, {}, {0.71, {}}}};
    clip.reverb = ReverbSettings{0.4, 1.2, 0.4, 0.02, 0.2};
    clip.reverbWet.keyframes = {{0, 0, {}}, {200, 0.8, {}}};
    check(clip, 1e-5f);
  }
  SUBCASE("the limiter, and a balance that moves") {
    clip.compressor.reset();
    clip.limiter = LimiterSettings{-12, 12};
    clip.balance.keyframes = {{0, -1, {}}, {300, 1, {}}};
    check(clip, 1e-5f);
  }
  SUBCASE("the noise reduction, also at another speed") {
    clip.compressor.reset();
    clip.denoise = 20;
    check(clip, 1e-5f);
    clip.media.speed = SpeedCurve(0.8);
    clip.media.keepsPitch = false;
    // The stretcher's own difference.
    check(clip, 5e-2f);
  }
  SUBCASE("media that stands still before") {
    clip.media.speed = SpeedCurve({{0, 1, 1}, {4, 0, 0}, {4.3, 1, 1}});
    check(clip, 1e-5f);
  }
}

TEST_CASE("sound effects: a limiter raises a sound up to its ceiling, in time with the other sounds") {
  AudioClip clip = clipWith(0, 250);
  const Mixed plain = mixed(timelineWith(clip, 250), 0, 480000, 4096);
  clip.limiter = LimiterSettings{0, 0};
  CHECK(mixed(timelineWith(clip, 250), 0, 480000, 4096).left == plain.left);
  clip.limiter = LimiterSettings{-12, 12};
  const Mixed limited = mixed(timelineWith(clip, 250), 0, 480000, 4096);
  const auto loudest = [](const std::vector<float>& samples) {
    return std::abs(*std::max_element(samples.begin(), samples.end(),
                                      [](float a, float b) { return std::abs(a) < std::abs(b); }));
  };
  CHECK(loudest(plain.left) > 0.8f);
  CHECK(loudest(limited.left) <= 0.2512f);
  CHECK(loudest(limited.left) > 0.24f);
}

TEST_CASE("sound effects: a balance moves from one channel to the other without steps") {
  AudioClip clip = clipWith(0, 250);
  clip.balance.keyframes = {{0, -1, {}}, {250, 1, {}}};
  const Mixed plain = mixed(timelineWith(clipWith(0, 250), 250), 0, 480000, 4096);
  const Mixed moved = mixed(timelineWith(clip, 250), 0, 480000, 4096);
  for (const size_t at : {size_t{1000}, size_t{120000}, size_t{239999}, size_t{400000}}) {
    CAPTURE(at);
    const double balance = -1 + 2 * static_cast<double>(at) / 480000;
    const double far = std::cos(std::abs(balance) * 3.14159265358979 / 2);
    CHECK(moved.left[at] == doctest::Approx(plain.left[at] * (balance > 0 ? far : 1)).epsilon(1e-3));
    CHECK(moved.right[at] == doctest::Approx(plain.right[at] * (balance > 0 ? 1 : far)).epsilon(1e-3));
  }
}

TEST_CASE("sound effects: a reverb rings on after its clip and is silent after its tail") {
  AudioClip clip = clipWith(0, 75);
  clip.reverb = ReverbSettings{0.3, 1, 0.5, 0, 0.2};
  const auto levels = [&](const AudioClip& of, int64_t frames) {
    const Mixed sound = mixed(timelineWith(of, frames), 0, 48000 * frames / 25, 4096);
    std::vector<double> tenths;
    for (size_t at = 0; at < sound.left.size(); at += 4800) {
      double sum = 0;
      for (size_t i = at; i < at + 4800; ++i) sum += double{sound.left[i]} * sound.left[i];
      tenths.push_back(10 * std::log10(sum / 4800 + 1e-20));
    }
    return tenths;
  };
  const std::vector<double> ringing = levels(clip, 125);
  CHECK(ringing[31] > -40);
  CHECK(ringing[36] == doctest::Approx(ringing[31] - 30).epsilon(0.1));
  CHECK(ringing[44] < -150);

  // Samples change without a step, also where the movie ends within the tail.
  const Mixed sound = mixed(timelineWith(clip, 80), 0, 48000 * 80 / 25, 4096);
  float step = 0;
  for (size_t i = 48000 * 29 / 10; i < sound.left.size(); ++i)
    step = std::max(step, std::abs(sound.left[i] - sound.left[i - 1]));
  CHECK(step < 0.03f);
  CHECK(std::abs(sound.left.back()) < 1e-3f);

  clip.fadeOut = 10;
  const std::vector<double> faded = levels(clip, 125);
  CHECK(faded[20] > -40);
  CHECK(faded[30] < -150);
}

TEST_CASE("sound effects: a reverb rings on after the end of the media inside its clip") {
  AudioClip clip = clipWith(0, 375);
  clip.reverb = ReverbSettings{0.3, 1, 0.5, 0, 0.2};
  const Mixed sound = mixed(timelineWith(clip, 400), 0, 48000 * 16, 4096);
  const auto peak = [&](size_t from) {
    return std::abs(*std::max_element(sound.left.begin() + static_cast<ptrdiff_t>(from),
                                      sound.left.begin() + static_cast<ptrdiff_t>(from) + 4800));
  };
  CHECK(peak(48000 * 12 + 4800) > 1e-3f);
  CHECK(peak(48000 * 15) < 1e-6f);
}
