#include "libav/decode/audio_decoder.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "libav/media_fixture.h"

using namespace framewright;
using fixture::media;

namespace {

const CancelToken never;

std::unique_ptr<AudioDecoder> opened(const std::string& path) {
  auto decoder = AudioDecoder::open(path, never);
  if (!decoder.ok()) FAIL(decoder.error().message);
  return decoder.take();
}

struct Sound {
  std::vector<float> left, right;
};

Sound readFrom(AudioDecoder& decoder, int64_t sample, int64_t count) {
  REQUIRE(decoder.seek(sample).ok());
  Sound sound{std::vector<float>(static_cast<size_t>(count)), std::vector<float>(static_cast<size_t>(count))};
  auto got = decoder.read(sound.left.data(), sound.right.data(), count);
  REQUIRE(got.ok());
  sound.left.resize(static_cast<size_t>(got.value()));
  sound.right.resize(sound.left.size());
  return sound;
}

// Delay in samples relative to the reference sine (440 Hz, amplitude `level`), by phase.
double lagOf(const std::vector<float>& sound, int64_t at, double& level) {
  double cosine = 0, sine = 0;
  const size_t count = sound.size() / 4800 * 4800;  // whole periods
  for (size_t i = 0; i < count; ++i) {
    const double phase = 2 * M_PI * 440 * static_cast<double>(at + static_cast<int64_t>(i)) / 48000;
    sine += sound[i] * std::sin(phase);
    cosine += sound[i] * std::cos(phase);
  }
  level = 2 * std::hypot(sine, cosine) / static_cast<double>(count);
  return -std::atan2(cosine, sine) / (2 * M_PI * 440) * 48000;
}

}  // namespace

TEST_CASE("audio of every codec is sample-exact at the start and after seeking") {
  struct Case {
    std::string name;
    int rate;
    const char* options;
  };
  for (const Case& one : {Case{"s48.wav", 48000, "-c:a pcm_s16le"},
                          Case{"s44.wav", 44100, "-c:a pcm_s16le"},
                          Case{"s.flac", 44100, "-c:a flac"},
                          Case{"s48.m4a", 48000, "-c:a aac -b:a 192k"},
                          Case{"s44.m4a", 44100, "-c:a aac -b:a 192k"},
                          Case{"s48.mp3", 48000, "-c:a libmp3lame -b:a 192k"},
                          Case{"s44.mp3", 44100, "-c:a libmp3lame -q:a 2"},
                          Case{"s.ogg", 48000, "-c:a libvorbis -q:a 6"},
                          Case{"s.aiff", 44100, "-c:a pcm_s16be"},
                          Case{"s.caf", 48000, "-c:a alac"},
                          Case{"float.aiff", 48000, "-c:a pcm_f32be"},
                          Case{"s.w64", 48000, "-c:a pcm_s24le"},
                          Case{"s.au", 48000, "-c:a pcm_s16be"},
                          Case{"s.wv", 44100, "-c:a wavpack"},
                          Case{"s8.mov", 48000, "-c:a pcm_s8"},
                          Case{"s32.mov", 48000, "-c:a pcm_s32be"},
                          Case{"ima.mov", 44100, "-c:a adpcm_ima_qt"},
                          Case{"s.ac3", 48000, "-c:a ac3 -b:a 256k"},
                          Case{"s.eac3", 48000, "-c:a eac3 -b:a 256k"},
                          Case{"truehd.mkv", 48000, "-c:a truehd -strict -2"},
                          Case{"s.webm", 48000, "-c:a libopus -b:a 160k"},
                          Case{"s.mkv", 48000, "-c:a aac -b:a 192k"}}) {
    CAPTURE(one.name);
    const std::string path =
        media(one.name, "-f lavfi -i \"aevalsrc=0.5*sin(2*PI*440*t):s=" + std::to_string(one.rate) +
                            ":d=6:c=mono\" -ac 2 " + one.options);
    auto decoder = opened(path);
    // ffmpeg's AAC in Matroska does not say how much priming to drop, nor does AC-3.
    const bool hasPriming = one.name == "s.mkv" || one.name == "s.ac3" || one.name == "s.eac3";
    // After seeking, the resampler starts on the nearest sample of the new clock.
    const double slack = one.rate == 48000 ? 0.2 : 0.55;
    for (const int64_t at :
         {int64_t{0}, int64_t{48000 * 3 + 17}, int64_t{24001}, int64_t{0}, int64_t{48000 * 5}}) {
      CAPTURE(at);
      const Sound sound = readFrom(*decoder, at, 24000);
      REQUIRE(sound.left.size() == 24000);
      double level = 0;
      const double lag = lagOf(sound.left, at, level);
      if (!hasPriming) CHECK(std::fabs(lag) < slack);
      CHECK(level == doctest::Approx(0.5 * M_SQRT1_2).epsilon(0.02));
    }
  }
}

TEST_CASE("seeking in an AVI finds the audio position") {
  for (const auto& [name, codec] : {std::pair{std::string("pcm.avi"), std::string("-c:a pcm_s16le")},
                                    {"mp3.avi", "-c:a libmp3lame -b:a 192k"}}) {
    CAPTURE(name);
    auto decoder = opened(media(name,
                                "-f lavfi -i testsrc2=s=64x48:r=25:d=6 -f lavfi -i "
                                "\"aevalsrc=0.5*sin(2*PI*440*t):s=48000:d=6:c=mono\" -ac 2 -c:v mpeg4 " +
                                    codec));
    double first = 0;
    for (const int64_t at : {int64_t{24000}, int64_t{48000 * 3 + 17}, int64_t{24001}, int64_t{48000 * 5}}) {
      CAPTURE(at);
      double level = 0;
      const double lag = lagOf(readFrom(*decoder, at, 24000).left, at, level);
      if (at == 24000) first = lag;
      if (name == "pcm.avi") CHECK(std::fabs(lag) < 0.2);
      CHECK(std::fabs(lag - first) < 0.2);
      CHECK(level == doctest::Approx(0.5 * M_SQRT1_2).epsilon(0.02));
    }
  }
}

TEST_CASE("decoded audio has its exact length") {
  const auto lengthOf = [](const std::string& path) {
    auto decoder = opened(path);
    return static_cast<int64_t>(readFrom(*decoder, 0, 48000 * 4).left.size());
  };
  CHECK(lengthOf(media("n48.wav", "-f lavfi -i sine=r=48000:d=2 -c:a pcm_s16le")) == 96000);
  CHECK(std::abs(lengthOf(media("n44.wav", "-f lavfi -i sine=r=44100:d=2 -c:a pcm_s16le")) - 96000) <= 20);
  CHECK(std::abs(lengthOf(media("n48.mp3", "-f lavfi -i sine=r=48000:d=2 -c:a libmp3lame")) - 96000) <= 1);
  CHECK(lengthOf(media("n48.m4a", "-f lavfi -i sine=r=48000:d=2 -c:a aac")) == 96000);
}

TEST_CASE("mono is played at full level on both channels") {
  auto decoder = opened(
      media("mono.wav", "-f lavfi -i \"aevalsrc=0.5*sin(2*PI*440*t):s=48000:d=1:c=mono\" -c:a pcm_f32le"));
  const Sound sound = readFrom(*decoder, 0, 24000);
  double level = 0;
  lagOf(sound.left, 0, level);
  CHECK(level == doctest::Approx(0.5).epsilon(0.001));
  CHECK(sound.left == sound.right);
}

TEST_CASE("5.1 is mixed down with the centre in both channels") {
  auto decoder = opened(media("surround.wav",
                              "-f lavfi -i \"aevalsrc=0|0|0.5*sin(2*PI*440*t)|0|0|0:s=48000:d=1:c=5.1\" "
                              "-c:a pcm_f32le"));
  const Sound sound = readFrom(*decoder, 0, 24000);
  double level = 0;
  lagOf(sound.left, 0, level);
  CHECK(level == doctest::Approx(0.5 * M_SQRT1_2).epsilon(0.01));
  CHECK(sound.left == sound.right);
}

TEST_CASE("audio that starts after the video keeps its offset") {
  const std::string path =
      media("late.mp4",
            "-f lavfi -i color=s=64x48:r=25:d=2 -itsoffset 0.5 -f lavfi -i "
            "\"aevalsrc=0.5*sin(2*PI*440*t):s=48000:d=1:c=stereo\" -map 0 -map 1 -c:v libx264 -c:a aac");
  auto decoder = opened(path);
  CHECK(decoder->endsWithVideo());
  CHECK(decoder->endSample() == 96000);
  const Sound sound = readFrom(*decoder, 0, 48000);
  double before = 0;
  for (int i = 0; i < 22000; ++i)
    before = std::max<double>(before, std::fabs(sound.left[static_cast<size_t>(i)]));
  CHECK(before < 0.01);
  const Sound heard = readFrom(*decoder, 28800, 24000);
  double level = 0;
  const double lag = lagOf(heard.left, 28800 - 24000, level);
  CHECK(std::fabs(lag) < 48);  // the file's edit list counts in milliseconds
}

TEST_CASE("a gap of a year in the audio becomes silence without memory") {
  const std::string path = media("hole.mkv",
                                 "-f lavfi -i \"aevalsrc=0.5*sin(2*PI*440*t):s=48000:d=0.4:c=stereo\" "
                                 "-af \"asetpts='PTS+gt(PTS\\,8000)*1440000000000'\" -c:a pcm_s16le");
  auto decoder = opened(path);
  const Sound before = readFrom(*decoder, 0, 4800);
  double level = 0;
  lagOf(before.left, 0, level);
  CHECK(level == doctest::Approx(0.5).epsilon(0.01));
  const Sound within = readFrom(*decoder, 40 * 48000, 48000);
  CHECK(std::all_of(within.left.begin(), within.left.end(), [](float value) { return value == 0; }));
}

TEST_CASE("a file without audio is reported as such") {
  const auto decoder =
      AudioDecoder::open(media("mute.mp4", "-f lavfi -i color=s=64x48:d=0.2 -c:v libx264"), never);
  REQUIRE(!decoder.ok());
  CHECK(decoder.error().code == ErrorCode::MEDIA_UNREADABLE);
  CHECK(decoder.error().message == "the file has no audio stream");
}
