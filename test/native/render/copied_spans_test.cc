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
constexpr size_t kFrameBytes = kWidth * kHeight * 3 / 2;
const std::string kTags = " -pix_fmt yuv420p -colorspace bt709 -color_primaries bt709 -color_trc bt709 ";

// Three seconds in which every frame differs.
std::string video(const std::string& name, const std::string& encode, const std::string& filter = "null",
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
  timeline.sources.push_back({SourceKind::kVideo, path, "video"});
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
  std::vector<uint8_t> frames;
  std::string warnings;
};

Decoded decode(const std::string& path) {
  const std::string raw = path + ".yuv";
  Decoded decoded;
  decoded.warnings =
      fixture::outputOf("ffmpeg -y -nostdin -v warning -err_detect explode+crccheck+bitstream+buffer -i '" +
                        path + "' -fps_mode passthrough -f rawvideo -pix_fmt yuv420p '" + raw + "' 2>&1");
  decoded.frames = fixture::readFile(raw);
  return decoded;
}

struct Movie : Decoded {
  std::string path;
  int64_t copied = 0;
};

// Renders each scene as a segment.
Movie movieOf(const Timeline& timeline, const std::string& name) {
  Movie movie;
  std::vector<std::string> segments;
  for (const Section& section : timeline.sections) {
    segments.push_back(fixture::path(name + std::to_string(segments.size()) + ".nut"));
    const FrameRange range{section.start, section.start + section.frames};
    int64_t reported = 0;
    const auto result = renderSegment(
        timeline, range, segments.back(), [&](int64_t done) { reported = done; }, never);
    if (!result.ok()) FAIL(result.error().message << " " << result.error().detail);
    CHECK(result.value().frames == section.frames);
    CHECK(reported == section.frames);
    movie.copied += result.value().copiedFrames;
  }
  movie.path = fixture::path(name + ".mp4");
  const auto output = stitch({segments, "", movie.path}, never);
  if (!output.ok()) FAIL(output.error().message << " " << output.error().detail);
  static_cast<Decoded&>(movie) = decode(movie.path);
  REQUIRE(movie.frames.size() == kFrameBytes * static_cast<size_t>(timeline.frames));
  return movie;
}

double psnr(const uint8_t* a, const uint8_t* b) {
  double sum = 0;
  for (size_t i = 0; i < kFrameBytes; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum == 0 ? 100 : 10 * std::log10(255.0 * 255.0 * kFrameBytes / sum);
}

// Checks that copying does not change a frame (neighbouring frames have a PSNR of at most 25 dB). Returns the
// number of copied frames.
int64_t copiedOf(Timeline timeline, const std::string& name) {
  const Movie movie = movieOf(timeline, name);
  timeline.encode.copy = false;
  const Movie plain = movieOf(timeline, name + "-plain");
  CHECK(plain.copied == 0);
  CHECK(movie.warnings == "");
  for (int64_t k = 0; k < timeline.frames; ++k) {
    CAPTURE(k);
    const size_t at = static_cast<size_t>(k) * kFrameBytes;
    CHECK(psnr(movie.frames.data() + at, plain.frames.data() + at) > 31);
  }
  return movie.copied;
}

}  // namespace

TEST_CASE("copied spans: concatenated videos of any encoder keep their coded frames") {
  const std::vector<std::string> videos{
      video("copied-a.mp4", kPlain),
      video("copied-b.mp4", "-c:v libx264 -profile:v baseline -crf 24" + kTags, "hue=h=90"),
      video("copied-c.mp4", "-c:v libx264 -preset slow -bf 2 -crf 22 -x264-params slices=3" + kTags,
            "hue=h=180"),
      video("copied-d.mkv", "-c:v libx264 -preset ultrafast -crf 26 -movflags negative_cts_offsets" + kTags,
            "hue=h=270"),
      video("copied-a2.mp4", kPlain + "-movflags negative_cts_offsets", "negate")};
  Timeline timeline = emptyTimeline();
  std::vector<uint8_t> wanted;
  for (const std::string& path : videos) {
    addScene(timeline, path, 90);
    const std::vector<uint8_t> frames = decode(path).frames;
    wanted.insert(wanted.end(), frames.begin(), frames.end());
  }
  const Movie movie = movieOf(timeline, "concat");
  CHECK(movie.copied == timeline.frames);
  CHECK(movie.warnings == "");
  CHECK(movie.frames == wanted);
  CHECK(fixture::outputOf("ffprobe -v error -select_streams v -show_entries packet=dts -of csv=p=0 '" +
                          movie.path + "' | awk -F, 'NR>1{print $1-last}{last=$1}' | sort -u | wc -l") ==
        "1");
}

TEST_CASE("copied spans: frames with an overlay or before the first key frame are encoded") {
  const std::string path = video("copied-around.mp4", kPlain);
  Timeline timeline = oneScene(path, 80, 7.0 / 30);
  // From the key frame at 40 to the last frame before 87 without references beyond it.
  const int64_t between = copiedOf(timeline, "between");
  CHECK(between <= 47);
  CHECK(between >= 44);
  Clip over;
  over.id = 7;
  over.fill = Color{255, 0, 0, 255};
  over.start = 70;
  over.frames = 10;
  over.box = {20, 20, 40, 40};
  timeline.sections[0].clips.push_back(over);
  const int64_t before = copiedOf(timeline, "under");
  CHECK(before <= 37);
  CHECK(before >= 34);
  timeline.sections[0].clips[0].effects.correction = CorrectionCurves{{0.1, {}}};
  CHECK(copiedOf(timeline, "corrected") == 0);
  // Two passes, and a rest that is too short to copy.
  Timeline loop = oneScene(path, 200);
  loop.sections[0].clips[0].media.loops = -1;
  CHECK(copiedOf(loop, "loop") == 180);
  Timeline lossless = oneScene(path);
  lossless.encode.crf = 0;
  CHECK(movieOf(lossless, "lossless").copied == 0);
}

TEST_CASE("copied spans: frames of variable rate are copied where they are near the movie's times") {
  const std::string even = video("copied-even.mp4", kPlain);
  // Times vary by up to 0.4 of a frame, as those of phones do.
  const std::string path =
      fixture::media("copied-jitter.mp4",
                     "-i '" + even + "' -c copy -bsf:v \"setts=pts='PTS+round(200*sin(N*2))':dts=DTS-1024\"");
  const Movie movie = movieOf(oneScene(path), "jitter");
  CHECK(movie.copied == 90);
  CHECK(movie.frames == decode(path).frames);
  CHECK(movie.warnings == "");
}

TEST_CASE("copied spans: a movie of one clip keeps its colours in its tags") {
  const std::string x264 = "-c:v libx264 -crf 20 -g 40 -sc_threshold 0 -pix_fmt yuv420p ";
  const auto tagsOf = [](const std::string& path) {
    return fixture::outputOf(
        "ffprobe -v error -show_entries stream=color_space,color_primaries,color_transfer "
        "-of csv=p=0 '" +
        path + "'");
  };
  struct Case {
    std::string name, tags, expected;
  };
  for (const Case& one :
       {Case{"copied-sd.mp4", "", "smpte170m,bt709,bt709"},
        Case{"copied-ntsc.mp4", "-colorspace smpte170m -color_primaries smpte170m -color_trc smpte170m",
             "smpte170m,smpte170m,smpte170m"},
        Case{"copied-pal.mp4", "-colorspace bt470bg -color_primaries bt470bg -color_trc bt709",
             "bt470bg,bt709,bt470bg"}}) {
    CAPTURE(one.name);
    const std::string path = video(one.name, x264 + one.tags);
    Timeline timeline = oneScene(path);
    CHECK(movieOf(timeline, "tags").copied == 0);
    timeline.encode.copyColors = true;
    const Movie movie = movieOf(timeline, "tags");
    CHECK(movie.copied == 90);
    CHECK(movie.frames == decode(path).frames);
    CHECK(movie.warnings == "");
    CHECK(tagsOf(movie.path) == one.expected);
    // From the first frame to the last or not at all.
    timeline = oneScene(path, 80, 7.0 / 30);
    timeline.encode.copyColors = true;
    const Movie part = movieOf(timeline, "tags");
    CHECK(part.copied == 0);
    CHECK(tagsOf(part.path) == "bt709,bt709,bt709");
  }
}

TEST_CASE("copied spans: videos that differ from the movie's format or are damaged are encoded") {
  const std::string x264 = "-c:v libx264 -crf 20 -g 40 -sc_threshold 0 ";
  struct Case {
    std::string name, path;
    int64_t maxCopied;
    double in = 0;
    int64_t minCopied = 0;
  };
  const std::string whole = video("copied-whole.mp4", kPlain);
  const std::string copyOf = "-i '" + whole + "' -c copy ";
  const std::string straight = video("copied-straight.mp4", kPlain + "-bf 0");
  const std::vector<Case> cases{
      {"much higher quality", video("copied-better.mp4", "-c:v libx264 -crf 3" + kTags), 0},
      {"full range", video("copied-full.mp4", x264 + "-pix_fmt yuvj420p", "scale=out_range=pc"), 0},
      {"other colours", video("copied-601.mp4", x264 + "-pix_fmt yuv420p -colorspace smpte170m"), 0},
      {"small and untagged", video("copied-untagged.mp4", x264 + "-pix_fmt yuv420p"), 0},
      {"10 bits", video("copied-ten.mp4", x264 + "-pix_fmt yuv420p10le -colorspace bt709"), 0},
      {"interlaced", video("copied-tff.mp4", kPlain + "-flags +ildct+ilme -x264-params tff=1"), 0},
      {"another frame rate", video("copied-fast.mp4", kPlain, "null", "60"), 0},
      {"variable frame rate",
       video("copied-vfr.mp4", kPlain + "-fps_mode vfr", "select=not(eq(mod(n\\,9)\\,4))"), 0},
      {"another size", video("copied-sized.mp4", kPlain, "scale=318:180"), 0},
      {"open GOPs", video("copied-open.mp4", kPlain + "-x264-params open-gop=1"), 0, 0.1},
      {"rotated", fixture::media("copied-rotated.mp4", copyOf + "-metadata:s:v rotate=180"), 0},
      {"a missing frame",
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
    CHECK(copied <= one.maxCopied);
    CHECK(copied >= one.minCopied);
  }
  // The headers change in the middle.
  const std::string list = fixture::path("list.txt"),
                    other = video("copied-other.mp4", kPlain + "-preset ultrafast");
  const std::string lines = "file '" + whole + "'\nfile '" + other + "'\n";
  fixture::writeFile(list, {lines.begin(), lines.end()});
  const std::string mixed = fixture::media("copied-mixed.mp4", "-f concat -safe 0 -i '" + list + "' -c copy");
  CHECK(copiedOf(oneScene(mixed, 180), "mixed") <= 90);
}
