#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "libav/media_fixture.h"
#include "render/render.h"

using namespace framewright;

namespace {

const CancelToken never;
constexpr int kWidth = 320, kHeight = 180;
constexpr size_t kPictureBytes = kWidth * kHeight * 3 / 2;
const std::string kTags = " -pix_fmt yuv420p -colorspace bt709 -color_primaries bt709 -color_trc bt709 ";

// Three seconds in which every picture is another.
std::string film(const std::string& name, const std::string& encode, const std::string& filter = "null",
                 const std::string& rate = "30") {
  return fixture::media(name,
                        "-f lavfi -i testsrc2=s=320x180:r=" + rate + ":d=3 -vf '" + filter + "' " + encode);
}
const std::string kPlain = "-c:v libx264 -crf 20 -g 40 -sc_threshold 0" + kTags;

void addScene(Timeline& timeline, const std::string& path, int64_t frames, double in = 0) {
  Clip clip;
  clip.id = static_cast<int>(timeline.sections.size());
  clip.source = static_cast<int>(timeline.sources.size());
  clip.frames = frames;
  clip.box = {0, 0, kWidth, kHeight};
  clip.media.in = in;
  timeline.sources.push_back({SourceKind::kVideo, path, "film"});
  Section section;
  section.label = "scene";
  section.start = timeline.frames;
  section.frames = frames;
  section.background = {0, 0, 0, 255};
  section.clips.push_back(clip);
  timeline.sections.push_back(section);
  timeline.frames += frames;
}

Timeline emptyTimeline() {
  Timeline timeline;
  timeline.width = kWidth;
  timeline.height = kHeight;
  timeline.encode.copy = true;
  return timeline;
}

Timeline oneScene(const std::string& path, int64_t frames = 90, double in = 0) {
  Timeline timeline = emptyTimeline();
  addScene(timeline, path, frames, in);
  return timeline;
}

struct Decoded {
  std::vector<uint8_t> pictures;
  std::string complaints;
};

Decoded decode(const std::string& path) {
  const std::string raw = path + ".yuv";
  Decoded decoded;
  decoded.complaints =
      fixture::outputOf("ffmpeg -y -nostdin -v warning -err_detect explode+crccheck+bitstream+buffer -i '" +
                        path + "' -fps_mode passthrough -f rawvideo -pix_fmt yuv420p '" + raw + "' 2>&1");
  decoded.pictures = fixture::readFile(raw);
  return decoded;
}

struct Movie : Decoded {
  std::string path;
  int64_t copied = 0;
};

// A segment for each scene.
Movie movieOf(const Timeline& timeline, const std::string& name) {
  Movie movie;
  std::vector<std::string> segments;
  for (const Section& section : timeline.sections) {
    segments.push_back(fixture::path(name + std::to_string(segments.size()) + ".nut"));
    const FrameRange range{section.start, section.start + section.frames};
    int64_t told = 0;
    const auto facts = renderSegment(
        timeline, range, segments.back(), [&](int64_t done) { told = done; }, never);
    if (!facts.ok()) FAIL(facts.error().message << " " << facts.error().detail);
    CHECK(facts.value().frames == section.frames);
    CHECK(told == section.frames);
    movie.copied += facts.value().copiedFrames;
  }
  movie.path = fixture::path(name + ".mp4");
  const auto output = stitch({segments, "", movie.path}, never);
  if (!output.ok()) FAIL(output.error().message << " " << output.error().detail);
  static_cast<Decoded&>(movie) = decode(movie.path);
  REQUIRE(movie.pictures.size() == kPictureBytes * static_cast<size_t>(timeline.frames));
  return movie;
}

double psnr(const uint8_t* a, const uint8_t* b) {
  double sum = 0;
  for (size_t i = 0; i < kPictureBytes; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum == 0 ? 100 : 10 * std::log10(255.0 * 255.0 * kPictureBytes / sum);
}

// Renders with copying and without it: every frame shows the same. Neighbouring pictures are 25 dB apart at
// most. How many frames were copied.
int64_t copiedOf(Timeline timeline, const std::string& name) {
  const Movie movie = movieOf(timeline, name);
  timeline.encode.copy = false;
  const Movie plain = movieOf(timeline, name + "-plain");
  CHECK(plain.copied == 0);
  CHECK(movie.complaints == "");
  for (int64_t k = 0; k < timeline.frames; ++k) {
    CAPTURE(k);
    const size_t at = static_cast<size_t>(k) * kPictureBytes;
    CHECK(psnr(movie.pictures.data() + at, plain.pictures.data() + at) > 31);
  }
  return movie.copied;
}

}  // namespace

TEST_CASE("films end to end keep the very pictures that are coded in their files, whoever coded them") {
  const std::vector<std::string> films{
      film("copied-a.mp4", kPlain),
      film("copied-b.mp4", "-c:v libx264 -profile:v baseline -crf 24" + kTags, "hue=h=90"),
      film("copied-c.mp4", "-c:v libx264 -preset slow -bf 2 -crf 22 -x264-params slices=3" + kTags,
           "hue=h=180"),
      film("copied-d.mkv", "-c:v libx264 -preset ultrafast -crf 26 -movflags negative_cts_offsets" + kTags,
           "hue=h=270"),
      film("copied-a2.mp4", kPlain + "-movflags negative_cts_offsets", "negate")};
  Timeline timeline = emptyTimeline();
  std::vector<uint8_t> wanted;
  for (const std::string& path : films) {
    addScene(timeline, path, 90);
    const std::vector<uint8_t> pictures = decode(path).pictures;
    wanted.insert(wanted.end(), pictures.begin(), pictures.end());
  }
  const Movie movie = movieOf(timeline, "concat");
  CHECK(movie.copied == timeline.frames);
  CHECK(movie.complaints == "");
  CHECK(movie.pictures == wanted);
  CHECK(fixture::outputOf("ffprobe -v error -select_streams v -show_entries packet=dts -of csv=p=0 '" +
                          movie.path + "' | awk -F, 'NR>1{print $1-last}{last=$1}' | sort -u | wc -l") ==
        "1");
}

TEST_CASE("what lies over a film, and where it begins between key frames, is encoded around what is copied") {
  const std::string path = film("copied-around.mp4", kPlain);
  Timeline timeline = oneScene(path, 80, 7.0 / 30);
  // From the key frame 40 on, up to where no picture refers over the edge at 87.
  const int64_t between = copiedOf(timeline, "between");
  CHECK(between <= 47);
  CHECK(between >= 44);
  Clip over;
  over.id = 7;
  over.fill = {255, 0, 0, 255};
  over.start = 70;
  over.frames = 10;
  over.box = {20, 20, 40, 40};
  timeline.sections[0].clips.push_back(over);
  const int64_t before = copiedOf(timeline, "under");
  CHECK(before <= 37);
  CHECK(before >= 34);
  timeline.sections[0].clips[0].effects.correction = Correction{0.1, 1, 1, 1};
  CHECK(copiedOf(timeline, "corrected") == 0);
  // Twice around, and a rest that is too short.
  Timeline loop = oneScene(path, 200);
  loop.sections[0].clips[0].media.loops = -1;
  CHECK(copiedOf(loop, "loop") == 180);
  Timeline lossless = oneScene(path);
  lossless.encode.crf = 0;
  CHECK(movieOf(lossless, "lossless").copied == 0);
}

TEST_CASE("films that are not what the movie is, or not what they say, are encoded") {
  const std::string x264 = "-c:v libx264 -crf 20 -g 40 -sc_threshold 0 ";
  struct Case {
    std::string name, path;
    int64_t most;  // frames that may be copied
    double in = 0;
    int64_t least = 0;
  };
  const std::string whole = film("copied-whole.mp4", kPlain);
  const std::string copyOf = "-i '" + whole + "' -c copy ";
  const std::string straight = film("copied-straight.mp4", kPlain + "-bf 0");
  const std::vector<Case> cases{
      {"much better", film("copied-better.mp4", "-c:v libx264 -crf 3" + kTags), 0},
      {"full range", film("copied-full.mp4", x264 + "-pix_fmt yuvj420p", "scale=out_range=pc"), 0},
      {"other colours", film("copied-601.mp4", x264 + "-pix_fmt yuv420p -colorspace smpte170m"), 0},
      {"small and untagged", film("copied-untagged.mp4", x264 + "-pix_fmt yuv420p"), 0},
      {"10 bits", film("copied-ten.mp4", x264 + "-pix_fmt yuv420p10le -colorspace bt709"), 0},
      {"interlaced", film("copied-tff.mp4", kPlain + "-flags +ildct+ilme -x264-params tff=1"), 0},
      {"another rate", film("copied-fast.mp4", kPlain, "null", "60"), 0},
      {"no constant rate", film("copied-vfr.mp4", kPlain + "-fps_mode vfr", "select=not(eq(mod(n\\,9)\\,4))"),
       0},
      {"half a pixel off", film("copied-sized.mp4", kPlain, "scale=318:180"), 0},
      {"open groups", film("copied-open.mp4", kPlain + "-x264-params open-gop=1"), 0, 0.1},
      {"turned", fixture::media("copied-turned.mp4", copyOf + "-metadata:s:v rotate=180"), 0},
      {"a picture missing",
       fixture::media("copied-missing.mp4",
                      "-i '" + straight +
                          "' -c copy -bsf:v "
                          "noise=drop='eq(n\\,20)+eq(n\\,55)',setts=pts=N*512:dts=N*512"),
       0},
      {"damaged",
       fixture::media("copied-damaged.mp4", copyOf + "-bsf:v noise=amount='if(eq(n\\,9)\\,-20\\,0)'"), 0},
      {"cut between key frames", fixture::media("copied-edited.mp4", "-ss 0.7 " + copyOf), 69, 0, 30},
      {"out of order",
       fixture::media("copied-shuffled.mp4",
                      "-i '" + straight +
                          "' -c copy -bsf:v "
                          "setts=pts='(N+if(mod(N\\,2)\\,-1\\,1))*512+1024':dts=N*512"),
       0},
  };
  for (const Case& one : cases) {
    CAPTURE(one.name);
    const int64_t copied = copiedOf(oneScene(one.path, 60, one.in), "hostile");
    CHECK(copied <= one.most);
    CHECK(copied >= one.least);
  }
  // Headers that change in the middle.
  const std::string list = fixture::path("list.txt"),
                    other = film("copied-other.mp4", kPlain + "-preset ultrafast");
  const std::string lines = "file '" + whole + "'\nfile '" + other + "'\n";
  fixture::writeFile(list, {lines.begin(), lines.end()});
  const std::string mixed = fixture::media("copied-mixed.mp4", "-f concat -safe 0 -i '" + list + "' -c copy");
  CHECK(copiedOf(oneScene(mixed, 180), "mixed") <= 90);
}
