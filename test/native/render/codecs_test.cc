#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "compositor/compositor.h"
#include "libav/media_fixture.h"
#include "render/render.h"
#include "timeline/draw_list.h"

using namespace framewright;

namespace {

const CancelToken never;

struct Codec {
  std::string encoder, preset;
  double quality;
  std::string name, tag;  // as printed by ffprobe
  int bitDepth = 8;
};

const std::vector<Codec> kCodecs{
    {"libx264", "veryfast", 16, "h264", "avc1"}, {"libx265", "veryfast", 16, "hevc", "hvc1"},
    {"libx265", "slow", 16, "hevc", "hvc1"},     {"libsvtav1", "12", 20, "av1", "av01"},
    {"libsvtav1", "8", 20, "av1", "av01"},       {"libx265", "veryfast", 16, "hevc", "hvc1", 10},
    {"libsvtav1", "10", 20, "av1", "av01", 10}};

// Moves, is still from frame 40 to 70, and moves again.
Timeline movingTimeline(const Codec& codec, int64_t frames) {
  Timeline timeline;
  timeline.width = 322;
  timeline.height = 182;
  timeline.fps = {30000, 1001};
  timeline.frames = frames;
  timeline.encode.encoder = codec.encoder;
  timeline.encode.preset = codec.preset;
  timeline.encode.crf = codec.quality;
  timeline.encode.bitDepth = codec.bitDepth;
  timeline.encode.keyframeSeconds = 0.7;
  Section section;
  section.label = "scene_1";
  section.frames = frames;
  section.background = {40, 80, 120, 255};
  for (int id = 0; id < 5; ++id) {
    Clip clip;
    clip.id = id;
    clip.fill = Color{static_cast<uint8_t>(50 * id), static_cast<uint8_t>(220 - 40 * id), 130, 255};
    clip.frames = frames;
    clip.box = {20.0 + 50 * id, 15.0 + 20 * id, 70, 50};
    clip.rotation.constant = 11 * id;
    clip.x.keyframes = {{0, 0, {}}, {40, 60.0 - 25 * id, {}}, {70, 60.0 - 25 * id, {}}, {120, -40, {}}};
    section.clips.push_back(clip);
  }
  timeline.sections.push_back(section);
  return timeline;
}

std::string joined(const Timeline& timeline, const std::string& name, const std::vector<int64_t>& cuts) {
  std::vector<std::string> segments;
  int64_t first = 0;
  for (const int64_t cut : cuts) {
    segments.push_back(fixture::path(name + std::to_string(first) + ".nut"));
    Timeline part = timeline;
    part.encode.crf += first == 0 ? 0 : 3;  // must not change the headers
    const auto result = renderSegment(part, {first, cut}, segments.back(), {}, never);
    if (!result.ok()) FAIL(result.error().message << " " << result.error().detail);
    first = cut;
  }
  const std::string path = fixture::path(name + ".mp4");
  const auto output = stitch({segments, "", path}, never);
  if (!output.ok()) FAIL(output.error().message << " " << output.error().detail);
  CHECK(output.value().frames == timeline.frames);
  return path;
}

std::vector<uint8_t> composed(const Timeline& timeline, int64_t frame) {
  static const auto compositor = createCpuCompositor();
  const auto image = Image::create(PixelFormat::kI420, timeline.width, timeline.height).take();
  REQUIRE(compositor->compose(drawListAt(timeline, frame), {}, *image).ok());
  std::vector<uint8_t> bytes;
  for (int i = 0; i < 3; ++i) {
    const Plane& plane = image->plane(i);
    for (int y = 0; y < plane.height; ++y)
      bytes.insert(bytes.end(), plane.data + y * plane.stride, plane.data + y * plane.stride + plane.width);
  }
  return bytes;
}

double psnr(const uint8_t* a, const uint8_t* b, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum == 0 ? 100 : 10 * std::log10(255.0 * 255.0 * static_cast<double>(count) / sum);
}

}  // namespace

TEST_CASE("codecs: stitched segments decode without errors to the composed frames") {
  for (const Codec& codec : kCodecs) {
    CAPTURE(codec.encoder);
    CAPTURE(codec.preset);
    const Timeline timeline = movingTimeline(codec, 120);
    const std::string path = joined(timeline, "codec-" + codec.name, {33, 34, 75, 120});
    const std::string raw = fixture::path("codec-" + codec.name + ".yuv");
    CHECK(fixture::outputOf("ffmpeg -y -nostdin -v warning -xerror -err_detect explode -i '" + path +
                            "' -fps_mode passthrough -f rawvideo -pix_fmt yuv420p '" + raw + "' 2>&1") == "");
    std::ifstream file(raw, std::ios::binary);
    const std::vector<uint8_t> frames(std::istreambuf_iterator<char>(file), {});
    const size_t size = static_cast<size_t>(timeline.width * timeline.height * 3 / 2);
    REQUIRE(frames.size() == size * static_cast<size_t>(timeline.frames));
    for (int64_t k = 0; k < timeline.frames; ++k) {
      CAPTURE(k);
      const auto expected = composed(timeline, k);
      CHECK(psnr(frames.data() + k * static_cast<int64_t>(size), expected.data(), size) > 33);
    }
  }
}

TEST_CASE("codecs: AV1 repeats still frames with 8 and with 10 bits") {
  for (const Codec& codec : kCodecs) {
    if (codec.encoder != "libsvtav1") continue;
    CAPTURE(codec.bitDepth);
    const auto result =
        renderSegment(movingTimeline(codec, 120), {0, 120}, fixture::path("still-av1.nut"), {}, never);
    REQUIRE(result.ok());
    CHECK(result.value().frames == 120);
    CHECK(result.value().encodedFrames <= 112);
  }
}

TEST_CASE("codecs: the movie has the codec tag, the colour tags and a constant frame duration") {
  for (const Codec& codec : kCodecs) {
    CAPTURE(codec.encoder);
    CAPTURE(codec.preset);
    const Timeline timeline = movingTimeline(codec, 60);
    const std::string path = joined(timeline, "tags-" + codec.name, {31, 60});
    const std::string probe = "ffprobe -v error -select_streams v ";
    CHECK(fixture::outputOf(probe +
                            "-show_entries stream=codec_name,codec_tag_string,width,height,pix_fmt,"
                            "color_range,color_space,color_transfer,color_primaries,r_frame_rate,nb_frames,"
                            "start_pts -of csv=p=0 '" +
                            path + "'") == codec.name + "," + codec.tag + ",322,182," +
                                               (codec.bitDepth == 10 ? "yuv420p10le" : "yuv420p") +
                                               ",tv,bt709,bt709,bt709,30000/1001,0,60");
    // The elementary stream has the same colour tags as the container.
    const std::string colours = fixture::outputOf(
        "ffmpeg -v error -i '" + path + "' -c copy -f " + (codec.name == "av1" ? "obu" : codec.name) +
        " - | ffprobe -v error -show_entries stream=color_range,color_space,color_transfer,color_primaries "
        "-of csv=p=0 - | head -1");
    CHECK(colours == "tv,bt709,bt709,bt709");
    std::istringstream times(fixture::outputOf(probe + "-show_entries frame=pts -of csv=p=0 '" + path + "'"));
    int64_t last = -1, step = 0;
    int count = 0;
    for (std::string line; std::getline(times, line);) {
      if (line.empty()) continue;
      const int64_t time = std::stoll(line);
      if (count == 1) step = time - last;
      if (count > 1) CHECK(time - last == step);
      last = time;
      ++count;
    }
    CHECK(count == 60);
  }
}

TEST_CASE("codecs: HEVC has closed GOPs") {
  const Timeline timeline = movingTimeline(kCodecs[1], 100);
  const std::string path = joined(timeline, "closed", {100});
  // A CRA unit (type 21) would start an open GOP; IDR units are 19 and 20.
  const std::string units = fixture::outputOf("ffmpeg -v verbose -i '" + path +
                                              "' -c copy -bsf:v trace_headers -f null - 2>&1 | "
                                              "grep nal_unit_type | awk '{print $NF}' | sort | uniq -c | "
                                              "awk '{print $2}' | tr '\\n' ' '");
  CAPTURE(units);
  CHECK(units.find("21") == std::string::npos);
  CHECK((units.find("19") != std::string::npos || units.find("20") != std::string::npos));
  // No SEI (39) reveals the encoder's settings.
  CHECK(units.find("39") == std::string::npos);
}
