#include "libav/demux/probe.h"

#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "libav/log_capture.h"
#include "libav/media_fixture.h"

using namespace framewright;
using fixture::media;

namespace {

Error errorOf(const std::string& path) {
  silenceLog();
  const auto result = probe(path);
  REQUIRE(!result.ok());
  return result.error();
}

std::string textFile(const std::string& name, const std::string& text) {
  const std::string path = fixture::path(name);
  fixture::writeFile(path, std::vector<uint8_t>(text.begin(), text.end()));
  return path;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("probe reads a video's metadata as displayed") {
  const MediaMetadata result =
      probe(media("facts.mp4",
                  "-f lavfi -i testsrc2=s=128x64:r=30000/1001 -f lavfi -i sine=r=44100 -t 2 -frames:v 60 "
                  "-c:v libx264 -bf 2 -vf setsar=2 -c:a aac"))
          .take();
  CHECK(result.kind == MediaMetadata::Kind::kVideo);
  CHECK(result.container == "mp4");
  CHECK(result.videoCodec == "h264");
  CHECK(result.audioCodec == "aac");
  CHECK(result.hasAudio);
  CHECK(result.width == 256);
  CHECK(result.height == 64);
  CHECK(result.durationSeconds == doctest::Approx(60 * 1001.0 / 30000).epsilon(1e-6));
  CHECK(result.frameRate == Rational{30000, 1001});
}

TEST_CASE("a video with a track without id is rejected before its boxes are read") {
  for (const char* name : {"track-without-header.mp4", "track-of-a-negative-number.mp4"}) {
    const Error error = errorOf(std::string(FUZZ_CORPUS) + "/media/" + name);
    CHECK(error.code == ErrorCode::MEDIA_UNREADABLE);
    CHECK(contains(error.detail, "has no id"));
  }
}

TEST_CASE("probe returns exact audio durations in every container") {
  const std::string sine = "-f lavfi -i sine=r=44100:d=2.5 ";
  struct Case {
    std::string name;
    const char* options;
    double slack;
  };
  for (const Case& one : {Case{"l.mp3", "-c:a libmp3lame -b:a 128k", 1e-4},
                          Case{"l.wav", "-c:a pcm_s16le", 1e-4}, Case{"l.flac", "-c:a flac", 1e-4},
                          Case{"l.m4a", "-c:a aac", 1e-3}, Case{"l.ogg", "-c:a libvorbis", 0.01},
                          Case{"l.webm", "-c:a libopus", 0.01}, Case{"l.aac", "-c:a aac -f adts", 0.06}}) {
    CAPTURE(one.name);
    const MediaMetadata result = probe(media(one.name, sine + one.options)).take();
    CHECK(result.kind == MediaMetadata::Kind::kAudio);
    CHECK(std::abs(result.durationSeconds - 2.5) <= one.slack);
    CHECK(result.hasAudio);
    CHECK(result.width == 0);
  }
}

TEST_CASE("probe counts an mp3 without a length header packet by packet") {
  const std::string path =
      media("noxing.mp3", "-f lavfi -i sine=r=48000:d=3 -c:a libmp3lame -q:a 4 -write_xing 0");
  CHECK(probe(path).take().durationSeconds == doctest::Approx(3).epsilon(0.03));
}

TEST_CASE("audio with cover art is an audio file") {
  const std::string cover = media("cover.png", "-f lavfi -i color=red:s=32x32 -frames:v 1");
  const std::string path =
      media("cover.mp3", "-f lavfi -i sine=d=1 -i '" + cover +
                             "' -map 0 -map 1 -c:a libmp3lame -c:v copy -id3v2_version 3");
  CHECK(probe(path).take().kind == MediaMetadata::Kind::kAudio);
}

TEST_CASE("probe reads stills from their headers") {
  const MediaMetadata png = probe(media("p.png", "-f lavfi -i testsrc=s=33x21 -frames:v 1")).take();
  CHECK(png.kind == MediaMetadata::Kind::kImage);
  CHECK(png.container == "png");
  CHECK(png.width == 33);
  CHECK(png.height == 21);
  CHECK(png.durationSeconds == 0);
  CHECK(probe(media("p.jpg", "-f lavfi -i testsrc=s=33x21 -frames:v 1")).take().container == "jpeg");
  CHECK(probe(media("p.webp", "-f lavfi -i testsrc=s=33x21 -frames:v 1")).take().width == 33);
  CHECK(probe(media("p.gif", "-f lavfi -i testsrc=s=33x21 -frames:v 3")).take().height == 21);
  CHECK(probe(media("p.bmp", "-f lavfi -i testsrc=s=33x21 -frames:v 1")).take().container == "bmp");
  CHECK(probe(media("p.avif", "-f lavfi -i testsrc=s=34x22 -frames:v 1 -c:v libaom-av1 -still-picture 1"))
            .take()
            .videoCodec == "av1");
  CHECK(probe(media("p.tiff", "-f lavfi -i testsrc=s=33x21 -frames:v 1")).take().width == 33);
}

TEST_CASE("probe reads an AVI's video, audio and duration") {
  const MediaMetadata avi = probe(media("film.avi",
                                        "-f lavfi -i testsrc2=s=64x48:r=25:d=2 -f lavfi -i sine=d=2 "
                                        "-c:v mpeg4 -bf 2 -c:a libmp3lame"))
                                .take();
  CHECK(avi.container == "avi");
  CHECK(avi.videoCodec == "mpeg4");
  CHECK(avi.audioCodec == "mp3");
  CHECK(avi.durationSeconds == doctest::Approx(2).epsilon(0.001));
}

TEST_CASE("non-media files are rejected by format name, independent of the extension") {
  const Error playlist = errorOf(textFile("playlist.mp4",
                                          "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n"
                                          "file:///etc/passwd\n#EXT-X-ENDLIST\n"));
  CHECK(playlist.code == ErrorCode::MEDIA_UNSUPPORTED);
  CHECK(contains(playlist.message, "hls"));
  CHECK(contains(playlist.message, "allowed: mp4/mov"));

  const Error concat = errorOf(textFile("concat.mp4", "ffconcat version 1.0\nfile /etc/passwd\n"));
  CHECK(concat.code == ErrorCode::MEDIA_UNSUPPORTED);

  const Error text = errorOf(textFile("text.mp4", "This is no video at all.\n"));
  CHECK(text.code == ErrorCode::MEDIA_UNSUPPORTED);
  CHECK(contains(text.message, "allowed"));

  const Error nut = errorOf(media("old.nut", "-f lavfi -i testsrc2=s=64x48:d=0.2 -c:v mpeg4"));
  CHECK(nut.code == ErrorCode::MEDIA_UNSUPPORTED);
  CHECK(contains(nut.message, "the format nut is not supported"));

  const Error psd = errorOf(textFile("picture.psd", "8BPS" + std::string(40, 'x')));
  CHECK(psd.code == ErrorCode::MEDIA_UNSUPPORTED);
  CHECK(
      contains(psd.message,
               "the format psd is not supported; allowed: png, jpeg, webp, gif, bmp, tiff, avif, heic, svg"));

  const Error snow = errorOf(media("snow.avi", "-f lavfi -i testsrc2=s=64x48:d=0.2 -c:v snow -strict -2"));
  CHECK(snow.code == ErrorCode::MEDIA_UNSUPPORTED);
  CHECK(contains(snow.message, "snow"));

  const Error codec = errorOf(media("codec.avi", "-f lavfi -i testsrc2=s=64x48:d=0.2 -c:v msvideo1"));
  CHECK(codec.code == ErrorCode::MEDIA_UNSUPPORTED);
  CHECK(contains(codec.message, "msvideo1"));
}

TEST_CASE("errors of unreadable files state the reason") {
  const Error empty = errorOf(textFile("empty.mp4", ""));
  CHECK(empty.code == ErrorCode::MEDIA_UNREADABLE);
  CHECK(contains(empty.message, "empty"));
  CHECK(errorOf(fixture::path("missing.mp4")).code == ErrorCode::MEDIA_UNREADABLE);
  CHECK(errorOf(fixture::path("")).code == ErrorCode::MEDIA_UNREADABLE);

  std::vector<uint8_t> bytes =
      fixture::readFile(media("whole-back.mp4", "-f lavfi -i testsrc2=s=64x48:d=2 -c:v libx264"));
  bytes.resize(bytes.size() / 2);  // the index was at the end
  fixture::writeFile(fixture::path("cut-back.mp4"), bytes);
  CHECK(errorOf(fixture::path("cut-back.mp4")).code == ErrorCode::MEDIA_UNREADABLE);
}

TEST_CASE("external references in a file are not opened") {
  // An external data reference in a QuickTime file, as ffmpeg itself would follow with -enable_drefs 1.
  std::vector<uint8_t> bytes =
      fixture::readFile(media("dref.mov", "-f lavfi -i testsrc2=s=64x48:d=0.2 -c:v libx264"));
  const std::string box = "url ";
  const auto at = std::search(bytes.begin(), bytes.end(), box.begin(), box.end());
  REQUIRE(at != bytes.end());
  *(at + 7) = 0;  // no longer "in this file"
  fixture::writeFile(fixture::path("dref-outside.mov"), bytes);
  const auto result = probe(fixture::path("dref-outside.mov"));
  if (result.ok()) CHECK(result.value().width == 64);
}

TEST_CASE("an invalid pixel aspect ratio counts as square") {
  for (const std::string shape : {"1/5000", "5000/1"}) {
    const auto result =
        probe(media("needle-" + std::to_string(shape.size()) + shape.substr(0, 1) + ".mp4",
                    "-f lavfi -i testsrc2=s=64x48:d=0.2 -vf setsar=" + shape + " -c:v libx264"));
    REQUIRE(result.ok());
    CHECK(result.value().width == 64);
    CHECK(result.value().height == 48);
  }
}

TEST_CASE("sizes that exceed memory are reported as damaged files") {
  const auto result = probe(std::string(FUZZ_CORPUS) + "/media/more-than-there-is.wav");
  REQUIRE(!result.ok());
  CHECK(result.error().code == ErrorCode::MEDIA_UNREADABLE);
}
