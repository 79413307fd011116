#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "libav/decode/video_decoder.h"
#include "libav/media_fixture.h"
#include "render/audio/audio_mixer.h"
#include "render/playing_clip.h"
#include "render/render.h"

using namespace framewright;

// Freezes, changing speeds and reversed clips: which frame of the source shows, and which samples are heard.
namespace {

const CancelToken never;
constexpr int kRate = 48000;

struct Clipped {
  std::string path;
  std::vector<double> times;  // of the frames, in seconds
  std::vector<int> numbers;   // of the frames
  double end = 0;
};

Clipped constantRate(const std::string& name, int fps, int frames, const std::string& encode) {
  Clipped clip{fixture::countingVideo(name, std::to_string(fps), "64x48", frames, encode), {}, {}, 0};
  for (int k = 0; k < frames; ++k) {
    clip.times.push_back(double{1} * k / fps);
    clip.numbers.push_back(k);
  }
  clip.end = double{1} * frames / fps;
  return clip;
}

// 25 fps without every frame of a number that is 3 or 4 modulo 5.
Clipped variableRate() {
  const std::string whole = fixture::countingVideo("rate25.mp4", "25", "64x48", 90, fixture::kH264);
  Clipped clip;
  clip.path = fixture::media("vfr.mkv", "-i '" + whole + "' -vf \"select='lt(mod(n,5),3)'\" -fps_mode vfr " +
                                            fixture::kH264 + " -g 10");
  for (int k = 0; k < 88; ++k) {
    if (k % 5 > 2) continue;
    clip.times.push_back(k / 25.0);
    clip.numbers.push_back(k);
  }
  clip.end = 88 / 25.0;
  return clip;
}

Timeline playing(const Clipped& clip, const MediaRange& media, int64_t frames, Rational fps) {
  return playingClip(clip.path, media, frames, fps, 4);
}

// Numbers of the frames in a movie rendered in segments that end at `cuts`.
std::vector<int> shownFrames(const Timeline& timeline, const std::vector<int64_t>& cuts) {
  return readMovie(timeline, "playback", cuts,
                   [](const Image& frame) { return fixture::frameNumber(frame); });
}

// The frame on screen when a player has played `media` seconds of the clip's part from `from` to `to`.
int frameAfter(const Clipped& clip, double media, double from, double to, bool isReversed) {
  const double length = to - from;
  const bool hasEnded = media >= length - 1e-6;
  double at = isReversed ? to - media : from + media;
  if (hasEnded) at = isReversed ? from : to;
  size_t index = 0;
  const bool isOpen = isReversed != hasEnded;  // the frame that ends here, not the one that starts
  while (index + 1 < clip.times.size() &&
         (isOpen ? clip.times[index + 1] < at - 1e-4 : clip.times[index + 1] <= at + 1e-4))
    ++index;
  return clip.numbers[index];
}

// The integral of a speed by small steps.
double integral(const std::function<double(double)>& speed, double seconds) {
  constexpr double kStep = 1e-5;
  double sum = 0;
  for (double at = 0; at + kStep / 2 < seconds; at += kStep) sum += speed(at + kStep / 2) * kStep;
  return sum;
}

SpeedCurve ramped() {
  return SpeedCurve({{0, 0.5, 0.5}, {0.4, 0.5, 2.5}, {1.4, 0, 0}, {1.7, 2.5, 0.25}, {2.5, 0.25, 0.25}});
}

double rampedSpeed(double at) {
  if (at < 0.4) return 0.5;
  if (at < 1.4) return 0.5 + 2 * (at - 0.4);
  if (at < 1.7) return 0;
  if (at < 2.5) return 2.5 - 2.25 * (at - 1.7) / 0.8;
  return 0.25;
}

std::vector<float> mixed(const Timeline& timeline, int64_t from, int64_t count) {
  AudioMixer mixer(timeline, never);
  std::vector<float> left(static_cast<size_t>(count)), right(left.size());
  for (int64_t done = 0; done < count; done += 1000) {
    const int64_t part = std::min<int64_t>(1000, count - done);
    const Status status = mixer.mix(from + done, part, left.data() + done, right.data() + done);
    if (!status.ok()) FAIL(status.error().message);
  }
  return left;
}

Timeline heard(const std::string& path, const MediaRange& media, int64_t frames) {
  Timeline timeline;
  timeline.width = timeline.height = 2;
  timeline.fps = {25, 1};
  timeline.frames = frames;
  timeline.sources.push_back({SourceKind::kAudio, path, "elements.0"});
  timeline.audio.push_back({0, 0, frames, {1, {}}, 0, 0, media});
  return timeline;
}

// Beeps of 60 ms at these seconds.
std::string beeps(const std::string& name, const std::vector<double>& times, double seconds) {
  std::string gate = "0";
  for (const double at : times)
    gate += "+between(t," + std::to_string(at) + "," + std::to_string(at + 0.06) + ")";
  return fixture::media(name, "-f lavfi -i \"aevalsrc='0.5*sin(2*PI*1000*t)*(" + gate +
                                  ")':s=48000:c=stereo:d=" + std::to_string(seconds) + "\" -c:a pcm_s16le");
}

std::vector<double> beginnings(const std::vector<float>& samples) {
  std::vector<double> times;
  int64_t last = -kRate;
  for (size_t i = 0; i < samples.size(); ++i) {
    if (std::abs(samples[i]) < 0.1f) continue;
    const auto at = static_cast<int64_t>(i);
    if (at - last > 1000) times.push_back(double{1} * at / kRate);
    last = at;
  }
  return times;
}

}  // namespace

TEST_CASE("speed curve: plays the integral of its pieces") {
  const SpeedCurve curve = ramped();
  for (double at = 0; at < 4; at += 0.037) {
    CAPTURE(at);
    CHECK(curve.mediaAt(at) == doctest::Approx(integral(rampedSpeed, at)).epsilon(1e-4));
  }
  REQUIRE(curve.holds().size() == 1);
  CHECK(curve.holds()[0].start == 1.4);
  CHECK(curve.holds()[0].end == doctest::Approx(1.7));
  CHECK(curve.withoutHolds().mediaAt(2.0) == doctest::Approx(curve.mediaAt(2.3)));
  CHECK(!curve.constant());
  CHECK(SpeedCurve({{0, 2}, {1, 0}, {2, 2}}).withoutHolds().constant() == std::nullopt);
  CHECK(SpeedCurve({{0, 2, 2}, {1, 0, 0}, {2, 2, 2}}).withoutHolds().constant() == 2);
}

TEST_CASE("playback: every frame is that of the media time, in one segment and in many") {
  const std::vector<Clipped> clips = {
      constantRate("closed.mp4", 25, 80, fixture::kH264 + " -g 12"),
      constantRate("open.mp4", 30, 90, "-c:v libx264 -crf 4 -bf 3 -g 15 -x264-params open-gop=1"),
      constantRate("one-gop.mp4", 25, 80, fixture::kH264 + " -g 250"),
      constantRate("fast50.mp4", 50, 99, fixture::kH264 + " -g 40"),
      constantRate("intra.mkv", 30, 90, "-c:v mjpeg -q:v 2 -pix_fmt yuvj420p"),
      variableRate(),
  };
  for (const Clipped& clip : clips) {
    for (const bool isReversed : {false, true}) {
      for (const Rational& fps : {Rational{30, 1}, Rational{25, 1}}) {
        CAPTURE(clip.path);
        CAPTURE(isReversed);
        CAPTURE(fps.num);
        const MediaRange media{0.2, std::nullopt, 1, ramped(), true, isReversed};
        const int64_t frames = 3 * fps.num;
        const Timeline timeline = playing(clip, media, frames, fps);
        std::vector<int> expected;
        for (int64_t k = 0; k < frames; ++k) {
          const double played = integral(rampedSpeed, double{1} * k / fps.num);
          expected.push_back(frameAfter(clip, played, 0.2, clip.end, isReversed));
        }
        const std::vector<int> whole = shownFrames(timeline, {frames});
        for (size_t k = 0; k < whole.size(); ++k) {
          if (whole[k] == expected[k]) continue;
          // Where an instant falls on the boundary of two frames, the tolerance for rounded times decides.
          const double played = integral(rampedSpeed, double{1} * static_cast<double>(k) / fps.num);
          const double at = isReversed ? clip.end - played : 0.2 + played;
          double distance = 1;
          for (const double time : clip.times) distance = std::min(distance, std::abs(time - at));
          CAPTURE(k);
          CAPTURE(whole[k]);
          CAPTURE(expected[k]);
          CHECK(distance < (clip.path.ends_with(".mkv") ? 0.0016 : 0.0004));
        }
        CHECK(shownFrames(timeline, {1, 7, 20, 41, 44, 46, 60, 61, frames}) == whole);
      }
    }
  }
}

TEST_CASE("playback: a reversed clip shows every frame once, in passes and in ranges") {
  const Clipped clip = constantRate("closed.mp4", 25, 80, fixture::kH264 + " -g 12");
  const auto backwards = [&](double in, std::optional<double> out, int loops) {
    return shownFrames(playing(clip, {in, out, loops, 1, true, true}, 80, {25, 1}), {33, 80});
  };
  std::vector<int> expected(80);
  for (int k = 0; k < 80; ++k) expected[static_cast<size_t>(k)] = 79 - k;
  CHECK(backwards(0, std::nullopt, 1) == expected);
  // Two passes from 1 s to 2 s; then the frame at 1 s stays.
  for (int k = 0; k < 80; ++k) expected[static_cast<size_t>(k)] = k < 50 ? 49 - k % 25 : 25;
  CHECK(backwards(1, 2, 2) == expected);
}

TEST_CASE("playback: a GOP larger than the memory for it is decoded in pieces") {
  // 256 MiB are 55 frames of this size.
  const std::string path = fixture::countingVideo("large.mp4", "25", "2048x1536", 60,
                                                  "-c:v libx264 -preset ultrafast -crf 10 -g 250 -bf 2");
  const DecodeOptions backwards{HardwareDecode::kOff, 0, Deinterlace::kOff, true};
  auto decoder = VideoDecoder::open(path, 2, never, backwards).take();
  for (int k = 59; k >= 0; --k) {
    CAPTURE(k);
    CHECK(fixture::frameNumber(*decoder->frameAt(k * 40'000 + 30'000).take()) == k);
  }
  CHECK(fixture::frameNumber(*decoder->frameAt(1'030'000).take()) == 25);
}

TEST_CASE("playback: frozen frames are composed once") {
  const Clipped clip = constantRate("closed.mp4", 25, 80, fixture::kH264 + " -g 12");
  const SpeedCurve frozen({{0, 1, 1}, {1, 0, 0}, {3, 1, 1}});
  const Timeline timeline = playing(clip, {0, std::nullopt, 1, frozen}, 100, {25, 1});
  const auto result = renderSegment(timeline, {0, 100}, fixture::path("frozen.nut"), {}, never);
  REQUIRE(result.ok());
  CHECK(result.value().composedFrames == 50);
}

TEST_CASE("playback: sound follows holds, ramps and the direction") {
  const std::vector<double> times = {0.1, 0.3, 0.55, 0.9, 1.3, 1.8, 2.2};
  const std::string path = beeps("beeps.wav", times, 2.5);
  for (const bool keepsPitch : {true, false}) {
    for (const bool isReversed : {false, true}) {
      CAPTURE(keepsPitch);
      CAPTURE(isReversed);
      const Timeline timeline = heard(path, {0, std::nullopt, 1, ramped(), keepsPitch, isReversed}, 75);
      const std::vector<float> samples = mixed(timeline, 0, 3 * kRate);
      std::vector<double> expected;
      for (double at = 0; at < 3; at += 0.0005) {
        const double before = ramped().mediaAt(at), after = ramped().mediaAt(at + 0.0005);
        for (const double beep : times) {
          const double begin = isReversed ? 2.5 - beep - 0.06 : beep;
          if (begin >= before && begin < after) expected.push_back(at);
        }
      }
      const std::vector<double> found = beginnings(samples);
      for (const double at : expected) {
        double nearest = 9;
        for (const double begin : found)
          nearest = std::abs(begin - at) < std::abs(nearest) ? begin - at : nearest;
        CAPTURE(at);
        CHECK(std::abs(nearest) < (keepsPitch ? 0.02 : 0.002));
      }
      // Silent while the media stands still.
      for (int64_t i = 1.4 * kRate + 1; i < 1.7 * kRate - 1; ++i) {
        if (samples[static_cast<size_t>(i)] != 0) FAIL("not silent at " << i);
      }
      // A mix that begins inside sounds the same.
      const std::vector<double> late = beginnings(mixed(timeline, 2 * kRate, kRate));
      for (const double begin : late) {
        double nearest = 9;
        for (const double other : found) nearest = std::min(nearest, std::abs(begin + 2 - other));
        CHECK(nearest < 0.01);
      }
    }
  }
}
