#include <cmath>
#include <cstdlib>
#include <string>

#include <doctest/doctest.h>

#include "libav/media_fixture.h"
#include "render/render.h"

using namespace framewright;

namespace {

const CancelToken never;

// Measured by ffmpeg's ebur128 filter.
struct Measured {
  double loudness = 0;  // LUFS
  double truePeak = 0;  // dBTP
};

double valueAfter(const std::string& text, const std::string& name) {
  const size_t at = text.rfind(name);
  return at == std::string::npos ? NAN : std::strtod(text.c_str() + at + name.size(), nullptr);
}

Measured measured(const std::string& path) {
  const std::string text = fixture::outputOf("ffmpeg -hide_banner -nostdin -i '" + path +
                                             "' -map 0:a -af ebur128=peak=true -f null - 2>&1");
  return {valueAfter(text, " I:"), valueAfter(text, "Peak:")};
}

std::string rendered(const std::string& name, const std::string& source, double seconds, double gain,
                     std::optional<double> loudness, int bitrate = 192000) {
  Timeline timeline;
  timeline.width = timeline.height = 64;
  timeline.frames = std::lround(seconds * 30);
  Section section;
  section.frames = timeline.frames;
  timeline.sections.push_back(section);
  timeline.sources.push_back({SourceKind::kAudio, source, "elements.0"});
  timeline.audio.push_back({0, 0, timeline.frames, {gain, {}}, 0, 0, {}});
  timeline.encode.loudness = loudness;
  timeline.encode.audioBitrate = bitrate;
  const std::string path = fixture::path(name + ".nut");
  const auto result = renderAudio(timeline, path, {}, never);
  if (!result.ok()) FAIL(result.error().message << " " << result.error().detail);
  return path;
}

std::string quietNoise() {
  return fixture::media("quiet.wav", "-f lavfi -i \"anoisesrc=c=pink:a=0.1:d=6:r=48000:seed=3\" -ac 2");
}
// Like drums: bursts far louder than the gaps.
std::string bursts() {
  return fixture::media("bursts.wav",
                        "-f lavfi -i \"aevalsrc='(0.95*exp(-25*mod(t,0.5))+0.02)*"
                        "sin(2*PI*(90+900*exp(-20*mod(t,0.5)))*t)|0.9*exp(-40*mod(t+0.25,0.5))*"
                        "(random(0)*2-1)':s=48000:d=6,lowpass=f=7000,lowpass=f=9000\"");
}
std::string hotSquares() {
  return fixture::media("squares.wav",
                        "-f lavfi -i \"aevalsrc='0.9*sgn(sin(2*PI*311*t))*(0.7+0.3*sin(2*PI*t))':s=48000:"
                        "d=6:c=stereo\"");
}

}  // namespace

TEST_CASE("renderAudio: reaches the target loudness below the true-peak ceiling") {
  for (const auto& [name, source] :
       {std::pair{std::string("noise"), quietNoise()}, {"drums", bursts()}, {"squares", hotSquares()}}) {
    for (const double target : {-23.0, -15.0}) {
      CAPTURE(name);
      CAPTURE(target);
      const Measured sound = measured(rendered(name, source, 6, 1, target));
      MESSAGE(name << " " << target << ": " << sound.loudness << " LUFS, " << sound.truePeak << " dBTP");
      CHECK(std::abs(sound.loudness - target) <= 0.5);
      CHECK(sound.truePeak <= -0.9);
    }
  }
}

TEST_CASE("renderAudio: silence stays silent, and the gain is limited to 30 dB") {
  const std::string silence = fixture::media("silence.wav", "-f lavfi -i anullsrc=r=48000:cl=stereo -t 3");
  CHECK(measured(rendered("silence", silence, 3, 1, -14.0)).truePeak < -90);
  const std::string trace =
      fixture::media("trace.wav", "-f lavfi -i \"anoisesrc=c=pink:a=0.002:d=3:r=48000:seed=4\" -ac 2");
  const double before = measured(trace).loudness;
  CHECK(std::abs(measured(rendered("trace", trace, 3, 1, -14.0)).loudness - before - 30) < 1);
}

TEST_CASE(
    "renderAudio: without a target the mix keeps its level, and an overdriven mix does not clip when "
    "decoded") {
  const std::string noise = quietNoise();
  CHECK(std::abs(measured(rendered("plain", noise, 6, 1, std::nullopt)).loudness - measured(noise).loudness) <
        0.5);
  for (const int bitrate : {96000, 192000}) {
    CAPTURE(bitrate);
    const Measured hot = measured(rendered("hot", hotSquares(), 6, 4, std::nullopt, bitrate));
    MESSAGE("hot " << bitrate << ": " << hot.loudness << " LUFS, " << hot.truePeak << " dBTP");
    CHECK(hot.truePeak <= 0);
  }
}
