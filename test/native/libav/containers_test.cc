#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "libav/decode/audio_decoder.h"
#include "libav/demux/probe.h"
#include "libav/frame_checks.h"
#include "libav/media_fixture.h"

// Containers without an index or presentation times, and the common origin of video and audio.
using namespace framewright;
using fixture::checkEveryFrame;
using fixture::countingVideo;
using fixture::kH264;
using fixture::numberAt;
using fixture::openedVideo;

namespace {

const CancelToken never;
const std::string kMpeg2 = "-c:v mpeg2video -q:v 2 -g 12 -bf 2 -pix_fmt yuv420p";
const std::string kHevc =
    "-c:v libx265 -crf 4 -pix_fmt yuv420p -x265-params log-level=none:keyint=12:min-keyint=12:bframes=2";

// A black video that turns white, with audio that starts to sound, at the same time.
std::string flashAndBeep(const std::string& name, const std::string& encode, const char* rate = "24") {
  return fixture::media(
      name, std::string("-f lavfi -i \"color=black:s=64x48:r=") + rate +
                ":d=4,format=yuv444p,geq=lum='if(gte(T,2),235,16)':cb=128:cr=128\" -f lavfi -i "
                "\"aevalsrc='if(gte(t,2),0.8*sin(2*PI*1000*t),0)':s=48000:d=4\" -colorspace bt709 " +
                encode);
}

double videoStart(const std::string& path) {
  auto decoder = openedVideo(path);
  for (int k = 0; k < 4000; ++k) {
    if (fixture::meanLuma(*decoder->frameAt(k * 1000).take()) > 120) return k / 1000.0;
  }
  return -1;
}

double audioStart(const std::string& path) {
  auto decoder = AudioDecoder::open(path, never).take();
  std::vector<float> left(48000), right(48000);
  for (int64_t at = 0;;) {
    const int64_t count = decoder->read(left.data(), right.data(), 48000).take();
    for (int64_t i = 0; i < count; ++i) {
      if (std::fabs(left[static_cast<size_t>(i)]) > 0.1f) return static_cast<double>(at + i) / 48000;
    }
    if (count == 0) return -1;
    at += count;
  }
}

// Offsets of the packets' data in a file with one stream.
std::vector<int64_t> packetPositions(const std::string& path) {
  std::istringstream lines(
      fixture::outputOf("ffprobe -v error -show_entries packet=pos -of default=nk=1:nw=1 '" + path + "'"));
  std::vector<int64_t> positions;
  for (std::string line; std::getline(lines, line);) positions.push_back(std::stoll(line));
  return positions;
}

// Time from the beep to the flash by ffmpeg's decoder and the container's timestamps.
double delayInFile(const std::string& path) {
  const auto first = [&](const std::string& arguments) {
    return std::stod(fixture::outputOf("ffmpeg -v error -nostdin -copyts -i '" + path + "' " + arguments));
  };
  const double flash = first(
      "-map 0:v -vf signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=- -f null /dev/null | awk "
      "'/pts_time/{split($3,a,\":\");t=a[2]} /YAVG/{split($0,b,\"=\");if(b[2]>120){print t;exit}}'");
  const double beep = first(
      "-map 0:a -af asetnsamples=48,astats=metadata=1:reset=1,ametadata=print:key=lavfi.astats.Overall"
      ".Peak_level:file=- -f null /dev/null | awk '/pts_time/{split($3,a,\":\");t=a[2]} "
      "/Peak_level/{split($0,b,\"=\");if(b[2]!=\"-inf\"&&b[2]>-20){print t;exit}}'");
  return flash - beep;
}

}  // namespace

TEST_CASE("MPEG-TS videos without an index are frame-exact, forwards and after seeking") {
  checkEveryFrame(countingVideo("h264.ts", "25", "64x48", 60, kH264 + " -g 12"), 25, 60);
  checkEveryFrame(countingVideo("opengop.ts", "25", "64x48", 60, kH264 + " -g 12 -x264-params open-gop=1"),
                  25, 60);
  checkEveryFrame(countingVideo("hevc.ts", "25", "64x48", 60, kHevc), 25, 60);
  checkEveryFrame(countingVideo("hevc-open.ts", "30", "64x48", 60, kHevc + ":open-gop=1"), 30, 60);
  checkEveryFrame(countingVideo("mpeg2.ts", "30000/1001", "64x48", 60, kMpeg2), 30000.0 / 1001, 60);
  checkEveryFrame(countingVideo("bluray.m2ts", "24", "64x48", 60, kH264 + " -g 24"), 24, 60);
}

TEST_CASE("MPEG-PS, FLV, ASF and old AVI videos are frame-exact, forwards and after seeking") {
  checkEveryFrame(countingVideo("mpeg2.mpg", "25", "64x48", 60, kMpeg2), 25, 60);
  checkEveryFrame(countingVideo("dvd.vob", "30000/1001", "64x48", 60, kMpeg2 + " -f vob"), 30000.0 / 1001,
                  60);
  checkEveryFrame(countingVideo("mpeg1.mpg", "25", "64x48", 60, "-c:v mpeg1video -q:v 2 -g 12 -bf 2"), 25,
                  60);
  checkEveryFrame(countingVideo("h264.flv", "25", "64x48", 60, kH264 + " -g 12"), 25, 60);
  checkEveryFrame(countingVideo("sorenson.flv", "25", "64x48", 60, "-c:v flv1 -q:v 2 -g 12"), 25, 60);
  checkEveryFrame(countingVideo("wmv2.wmv", "25", "64x48", 60, "-c:v wmv2 -q:v 2 -g 12"), 25, 60);
  checkEveryFrame(countingVideo("wmv1.wmv", "30", "64x48", 60, "-c:v wmv1 -q:v 2 -g 12"), 30, 60);
  checkEveryFrame(countingVideo("msmpeg4v3.avi", "25", "64x48", 60, "-c:v msmpeg4 -q:v 2 -g 12"), 25, 60);
  checkEveryFrame(countingVideo("cinepak.avi", "25", "64x48", 60, "-c:v cinepak -g 12"), 25, 60);
}

TEST_CASE("videos of editing programs, screen recorders and archives are frame-exact") {
  struct Case {
    const char* name;
    const char* options;
    const char* size = "64x48";
  };
  for (const Case& one : {Case{"cineform.mov", "-c:v cfhd -pix_fmt yuv422p10le"},
                          Case{"animation.mov", "-c:v qtrle -pix_fmt rgb24 -g 12"},
                          Case{"png.mov", "-c:v png -pix_fmt rgb24"},
                          Case{"ffv1.mkv", "-c:v ffv1 -pix_fmt yuv420p -g 12"},
                          Case{"ffv1-10.mkv", "-c:v ffv1 -pix_fmt yuv422p10le"},
                          Case{"ffv1-rgb.mkv", "-c:v ffv1 -pix_fmt bgr0"},
                          Case{"huffyuv.avi", "-c:v huffyuv -pix_fmt yuv422p"},
                          Case{"ffvhuff.avi", "-c:v ffvhuff -pix_fmt yuv420p"},
                          Case{"utvideo.avi", "-c:v utvideo -pix_fmt gbrp"},
                          Case{"magicyuv.avi", "-c:v magicyuv -pix_fmt gbrp"},
                          Case{"raw.avi", "-c:v rawvideo -pix_fmt yuv420p"},
                          Case{"raw-rgb.avi", "-c:v rawvideo -pix_fmt bgr24"},
                          Case{"v210.mov", "-c:v v210"},
                          Case{"jpeg2000.mov", "-c:v jpeg2000 -pix_fmt yuv422p"},
                          Case{"zmbv.avi", "-c:v zmbv -g 12"},
                          Case{"screen1.flv", "-c:v flashsv -g 12"},

                          Case{"sorenson.mov", "-c:v svq1 -q:v 1 -g 12"},
                          Case{"mpeg2.mxf", "-c:v mpeg2video -q:v 2 -g 12 -bf 2 -pix_fmt yuv420p"},
                          Case{"dnxhr.mxf", "-c:v dnxhd -profile:v dnxhr_hq -pix_fmt yuv422p", "256x128"},
                          Case{"tape.dv", "-c:v dvvideo -pix_fmt yuv420p", "720x576"}}) {
    CAPTURE(one.name);
    checkEveryFrame(countingVideo(one.name, "25", one.size, 60, one.options), 25, 60);
  }
}

TEST_CASE("a Hap video is decoded as closely as its colors are stored") {
  auto decoder = openedVideo(countingVideo("hap.mov", "25", "64x48", 60, "-c:v hap"));
  for (const int k : {0, 30, 59, 12}) {
    CAPTURE(k);
    const int gray = fixture::pixelAt(*decoder->frameAt(k * 40'000).take(), 30, 20).r;
    CHECK(std::abs(gray - (4 + 2 * k) * 255 / 219) < 10);
  }
}

TEST_CASE("probe reads the length of files whose timestamps start far from zero or wrap") {
  // MPEG-TS counts 90 kHz ticks in 33 bits: 95443.7 s.
  for (const char* offset : {"0", "100", "20000", "95400", "95442", "95443"}) {
    CAPTURE(offset);
    const std::string name = std::string("offset-") + offset + ".ts";
    const std::string path = countingVideo(
        name, "25", "64x48", 60, kH264 + " -g 12 -muxdelay 0 -muxpreload 0 -output_ts_offset " + offset);
    CHECK(probe(path).take().durationSeconds == doctest::Approx(2.4).epsilon(0.001));
    checkEveryFrame(path, 25, 60);
  }
  const std::string path = fixture::media(
      "wrap-late.ts",
      "-f lavfi -i \"color=gray:s=64x48:r=2,format=yuv420p,geq=lum='20+2*mod(N,100)':cb=128:cr=128\" "
      "-frames:v 300 -colorspace bt709 -color_range tv -c:v libx264 -crf 4 -g 10 -bf 2 -output_ts_offset "
      "95353");
  CHECK(probe(path).take().durationSeconds == doctest::Approx(150).epsilon(0.001));
  auto decoder = openedVideo(path);
  for (const int k : {0, 30, 178, 181, 184, 260, 299, 12}) CHECK(numberAt(*decoder, k / 2.0) == k % 100);
}

TEST_CASE("a fragmented MP4 file whose durations wrap around is as long as its frames") {
  const std::string whole =
      countingVideo("fragments.mp4", "25", "64x48", 60,
                    kH264 + " -g 12 -movflags frag_every_frame+empty_moov+default_base_moof");
  std::vector<uint8_t> bytes = fixture::readFile(whole);
  const std::string header = "tfhd";
  const auto last = std::find_end(bytes.begin(), bytes.end(), header.begin(), header.end());
  REQUIRE(last != bytes.end());
  REQUIRE((last[7] & 8) != 0);  // it has a default duration, behind the track's id
  std::fill(last + 12, last + 15, uint8_t{0xFF});
  const std::string path = fixture::path("wrapped.mp4");
  fixture::writeFile(path, bytes);
  CHECK(probe(path).take().durationSeconds == doctest::Approx(2.4).epsilon(0.02));
  CHECK(numberAt(*openedVideo(path), 1) == 25);
}

TEST_CASE("a video without key frame flags plays from the start and after seeking") {
  // Periodic intra refresh has no IDR frame after the first.
  const std::string path = countingVideo("refresh.ts", "25", "64x48", 60,
                                         "-c:v libx264 -crf 4 -pix_fmt yuv420p -bf 0 -g 12 -x264-params "
                                         "intra-refresh=1");
  checkEveryFrame(path, 25, 60);
}

TEST_CASE("the audio of an MPEG-TS file with several programs belongs to its first video") {
  const std::string gray = "color=gray:s=64x48:r=25:d=2";
  const std::string path = fixture::media(
      "programs.ts",
      "-f lavfi -i sine=f=300:d=2 -f lavfi -i " + gray +
          " -f lavfi -i anullsrc=d=2 -map 0:a -map 1:v -map 2:a -t 2 -c:v libx264 -pix_fmt yuv420p -c:a mp2 "
          "-program title=radio:st=0 -program title=television:st=1:st=2");
  const MediaMetadata metadata = probe(path).take();
  CHECK(metadata.width == 64);
  CHECK(audioStart(path) == -1);
}

TEST_CASE("probe reads the codecs and length of every container") {
  struct Case {
    const char* name;
    const char* options;
    const char* container;
    const char* video;
    const char* audio;
  };
  for (const Case& one : {Case{"c.ts", "-c:v libx264 -c:a aac", "mpegts", "h264", "aac"},
                          Case{"c-ac3.ts", "-c:v mpeg2video -c:a ac3", "mpegts", "mpeg2video", "ac3"},
                          Case{"c.mpg", "-c:v mpeg2video -c:a mp2", "mpeg", "mpeg2video", "mp2"},
                          Case{"c.vob", "-c:v mpeg2video -c:a ac3 -f vob", "mpeg", "mpeg2video", "ac3"},
                          Case{"c.flv", "-c:v flv1 -c:a libmp3lame -ar 44100", "flv", "flv1", "mp3"},
                          Case{"c-aac.flv", "-c:v libx264 -c:a aac", "flv", "h264", "aac"},
                          Case{"c.wmv", "-c:v wmv2 -c:a wmav2", "asf", "wmv2", "wmav2"}}) {
    CAPTURE(one.name);
    const auto result = probe(fixture::media(one.name, std::string("-f lavfi -i testsrc2=s=64x48:r=25:d=3 -f "
                                                                   "lavfi -i sine=d=3 -pix_fmt yuv420p ") +
                                                           one.options));
    if (!result.ok()) FAIL(result.error().message);
    const MediaMetadata& metadata = result.value();
    CHECK(metadata.container == one.container);
    CHECK(metadata.videoCodec == one.video);
    CHECK(metadata.audioCodec == one.audio);
    CHECK(metadata.width == 64);
    // The last frame of MPEG-PS may have no timestamp, so that its duration is unknown.
    const double slack = metadata.container == "mpeg" ? 0.041 : 0.001;
    CHECK(std::abs(metadata.durationSeconds - 3) < slack);
    CHECK(metadata.frameRate == Rational{25, 1});
  }
}

TEST_CASE("a video without a length of its own ends with its last frame, not with the longer audio") {
  const std::string tagged = fixture::media(
      "tagged.webm",
      "-f lavfi -i \"color=gray:s=64x48:r=25:d=2,format=yuv420p,geq=lum='20+2*N':cb=128:cr=128\" -f lavfi -i "
      "sine=d=5 -colorspace bt709 -color_range tv -c:v libvpx-vp9 -crf 4 -b:v 0 -deadline realtime "
      "-cpu-used 8 -c:a libopus");
  std::vector<uint8_t> bytes = fixture::readFile(tagged);
  const std::string tag = "DURATION";
  int tags = 0;
  for (auto at = bytes.begin(); (at = std::search(at, bytes.end(), tag.begin(), tag.end())) != bytes.end();
       ++tags)
    *at = 'X';
  REQUIRE(tags == 2);
  const std::string path = fixture::path("untagged.webm");
  fixture::writeFile(path, bytes);
  CHECK(std::abs(probe(path).take().durationSeconds - 2) < 0.05);
  auto decoder = openedVideo(path);
  CHECK(numberAt(*decoder, 1.0) == 25);
  CHECK(numberAt(*decoder, 4.5) == 49);

  // Where the audio ends early as well, the file is truncated.
  bytes.resize(bytes.size() * 2 / 5);
  fixture::writeFile(path, bytes);
  CHECK(!openedVideo(path)->frameAt(4'500'000).ok());
}

TEST_CASE("decoding continues after damaged data of Matroska, and reports lost frames") {
  // Demuxers resume at the next cluster.
  const std::string whole =
      countingVideo("whole.mkv", "25", "64x48", 60, kH264 + " -g 12 -cluster_time_limit 400");
  std::vector<uint8_t> bytes = fixture::readFile(whole);
  const std::string position = fixture::outputOf(
      "ffprobe -v error -select_streams v -show_entries packet=pos -of csv=p=0 '" + whole + "' | sed -n 21p");
  const auto at = static_cast<size_t>(std::stol(position));
  REQUIRE(at + 64 < bytes.size());
  // The header of a block: the demuxer loses the rest of the cluster.
  std::vector<uint8_t> cut = bytes;
  std::fill_n(cut.begin() + static_cast<std::ptrdiff_t>(at), 24, uint8_t{0xff});
  fixture::writeFile(fixture::path("damaged-block.mkv"), cut);
  auto resumed = openedVideo(fixture::path("damaged-block.mkv"));
  for (const int k : {48, 50, 59}) CHECK(numberAt(*resumed, k / 25.0) == k);

  // The coded frame: the decoder loses it.
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at) + 8, 24, uint8_t{0xff});
  const std::string path = fixture::path("damaged.mkv");
  fixture::writeFile(path, bytes);
  auto decoder = openedVideo(path);
  CHECK(numberAt(*decoder, 10 / 25.0) == 10);
  for (const int k : {48, 50, 59}) CHECK(numberAt(*decoder, k / 25.0) == k);
  const DecodeFaults faults = decoder->takeFaults();
  CHECK(faults.lostUs >= 40'000);
  CHECK(faults.lostUs <= 2'000'000);
  CHECK(!decoder->takeFaults().any());
  auto undamaged = openedVideo(whole);
  CHECK(numberAt(*undamaged, 59 / 25.0) == 59);
  CHECK(!undamaged->takeFaults().any());
}

TEST_CASE("decoding continues within the last cluster of Matroska behind a damaged block") {
  // One cluster, which is the last one. The damage covers headers of blocks, whose sizes lead the demuxer on.
  const std::string whole =
      countingVideo("cluster.mkv", "25", "64x48", 100, kH264 + " -g 10 -cluster_time_limit 60000");
  const std::vector<uint8_t> bytes = fixture::readFile(whole);
  const std::vector<int64_t> positions = packetPositions(whole);
  REQUIRE(positions.size() == 100);
  for (const int lostFrames : {1, 25}) {
    for (const uint8_t filler : {uint8_t{0x00}, uint8_t{0xff}, uint8_t{0xa3}}) {
      CAPTURE(lostFrames);
      CAPTURE(int{filler});
      std::vector<uint8_t> cut = bytes;
      std::fill(cut.begin() + positions[30] - 8,
                cut.begin() + positions[29 + static_cast<size_t>(lostFrames)] + 12, filler);
      const std::string path = fixture::path("damaged-cluster.mkv");
      fixture::writeFile(path, cut);
      auto decoder = openedVideo(path);
      for (const int k : {10, 20, 26}) CHECK(numberAt(*decoder, k / 25.0) == k);
      for (const int k : {62, 70, 99}) CHECK(numberAt(*decoder, k / 25.0) == k);
      const int64_t lostUs = decoder->takeFaults().lostUs;
      CHECK(lostUs >= 40'000 * lostFrames);
      CHECK(lostUs <= 40'000 * (lostFrames + 12));  // up to the next key frame
      // Seeking finds the frames behind the damage as well.
      CHECK(numberAt(*openedVideo(path), 95 / 25.0) == 95);
    }
  }
  // Nothing can be found behind this: the last frame is shown, and the rest is a loss.
  std::vector<uint8_t> cut = bytes;
  std::fill(cut.begin() + positions[50] - 8, cut.begin() + positions[99] + 4, uint8_t{0});
  const std::string path = fixture::path("damaged-end.mkv");
  fixture::writeFile(path, cut);
  auto decoder = openedVideo(path);
  const double last = numberAt(*decoder, 99 / 25.0);
  CHECK(last >= 47);
  CHECK(last <= 50);
  CHECK(std::abs(static_cast<double>(decoder->takeFaults().lostUs) / 1e6 - 2) < 0.15);
  // A file that lacks its end is not damaged but truncated.
  cut.resize(static_cast<size_t>(positions[50]));
  fixture::writeFile(path, cut);
  CHECK(!openedVideo(path)->frameAt(3'900'000).ok());
}

TEST_CASE("the audio of a damaged Matroska file continues behind the damage") {
  const std::string whole = fixture::media(
      "damaged-tone.mka", "-f lavfi -i sine=f=440:r=48000:d=4 -c:a flac -cluster_time_limit 60000");
  std::vector<uint8_t> bytes = fixture::readFile(whole);
  const std::vector<int64_t> positions = packetPositions(whole);
  REQUIRE(positions.size() > 30);
  std::fill(bytes.begin() + positions[10] - 3, bytes.begin() + positions[12] + 4, uint8_t{0});
  const std::string path = fixture::path("damaged-tone-cut.mka");
  fixture::writeFile(path, bytes);
  auto decoder = AudioDecoder::open(path, never).take();
  std::vector<float> left(48000 * 4), right(48000 * 4);
  CHECK(decoder->read(left.data(), right.data(), 48000 * 4).take() > 48000 * 39 / 10);
  const double frame = 4608 / 48000.0;
  CHECK(decoder->lostSeconds() == doctest::Approx(3 * frame).epsilon(0.01));
  double loudest = 0;
  for (size_t i = 48000 * 3; i < 48000 * 4 - 2000; ++i)
    loudest = std::max(loudest, std::abs(double{left[i]}));
  CHECK(loudest > 0.1);
}

TEST_CASE("video and audio have one origin in every container") {
  const std::string h264 = "-c:v libx264 -pix_fmt yuv420p -bf 2 ";
  for (const auto& [name, encode] : std::vector<std::pair<std::string, std::string>>{
           {"s1.avi", "-c:v mpeg4 -bf 0 -q:v 3 -c:a libmp3lame"},
           {"s2.avi", "-c:v mpeg4 -bf 2 -q:v 3 -c:a libmp3lame"},
           {"s3.avi", "-c:v mpeg4 -bf 1 -q:v 3 -c:a pcm_s16le"},
           {"s4.avi", h264 + "-c:a libmp3lame"},
           {"s5.mkv", h264 + "-c:a aac"},
           {"s6.mkv", h264 + "-c:a libmp3lame"},
           {"s7.mp4", h264 + "-c:a aac"},
           {"s8.webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus"},
           {"s9.mpg", kMpeg2 + " -c:a mp2"},
           {"s10.ts", h264 + "-c:a aac"},
           {"s11.flv", "-c:v flv1 -q:v 3 -c:a libmp3lame -ar 44100"},
           {"s12.wmv", "-c:v wmv2 -q:v 3 -c:a wmav2"}}) {
    CAPTURE(name);
    const std::string path = flashAndBeep(name, encode);
    const double delay = videoStart(path) - audioStart(path);
    CHECK(std::abs(delay - delayInFile(path)) < 0.003);
    // The first frame is that of time 0, so that a movie of the same rate shows every frame once.
    // ffmpeg writes an empty second frame into the first file.
    if (name != "s1.avi") CHECK(std::abs(videoStart(path) - 2) < 0.002);
  }
}
