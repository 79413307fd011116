#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "media/codec_policy.h"
#include "media/foreign_format.h"
#include "media/log_capture.h"
#include "media/media_fixture.h"
#include "media/probe.h"

using namespace framewright;
using fixture::media;

namespace {

std::string refusalOf(const std::string& path) {
  silenceLog();
  const auto facts = probe(path);
  REQUIRE(!facts.ok());
  CHECK(facts.error().code == ErrorCode::MEDIA_UNSUPPORTED);
  return facts.error().message;
}

// A copy with `bytes` written so far behind the first `mark`.
std::string patched(const std::string& from, const std::string& name, const std::string& mark, int offset,
                    const std::vector<uint8_t>& change) {
  std::vector<uint8_t> bytes = fixture::readFile(from);
  const auto at = std::search(bytes.begin(), bytes.end(), mark.begin(), mark.end());
  REQUIRE(at != bytes.end());
  std::copy(change.begin(), change.end(), at + offset);
  fixture::writeFile(fixture::path(name), bytes);
  return fixture::path(name);
}

std::string smallVideo() { return media("limits.mp4", "-f lavfi -i testsrc2=s=64x48:d=0.4 -c:v libx264"); }

}  // namespace

TEST_CASE("more streams than anyone needs are refused before any is opened") {
  std::string maps;
  for (unsigned i = 0; i <= kMaxStreams; ++i) maps += "-map 0 ";
  const std::string path =
      media("streams.mka", "-f lavfi -i anullsrc=r=8000:cl=mono -t 0.1 " + maps + "-c:a pcm_s16le");
  CHECK(refusalOf(path) == "the file has 65 streams; at most 64 are allowed");
}

TEST_CASE("sizes, sample rates, channels and frames are refused from the header alone") {
  const std::string video = smallVideo();
  // In the sample entry: 16000 x 16000, and a side that is too long.
  CHECK(refusalOf(
            patched(video, "huge.mp4", std::string("avc1\0\0\0\0\0\0\0\1", 12), 28, {0x3E, 0x80, 0x3E, 0x80}))
            .find("16000x16000 is too large; at most 50 megapixels") != std::string::npos);
  CHECK(
      refusalOf(patched(video, "frames.mp4", "stts", 12, {0x01, 0x31, 0x2D, 0x00})).find("20000000 frames") !=
      std::string::npos);

  const std::string sound = media("limits.wav", "-f lavfi -i sine=r=48000:d=0.2 -c:a pcm_s16le");
  CHECK(refusalOf(patched(sound, "fast.wav", "fmt ", 12, {0x40, 0x42, 0x0F, 0x00}))
            .find("1000000 samples a second") != std::string::npos);
  CHECK(refusalOf(patched(sound, "slow.wav", "fmt ", 12, {0x01, 0, 0, 0})).find("1 samples a second") !=
        std::string::npos);
  CHECK(refusalOf(patched(sound, "wide.wav", "fmt ", 10, {0xC8, 0x00})).find("200 channels") !=
        std::string::npos);
}

TEST_CASE("a film of more than a day is refused") {
  const std::string path =
      media("days.mp4", "-f lavfi -i testsrc2=s=16x16:r=1/10000 -frames:v 10 -c:v libx264");
  CHECK(refusalOf(path).find("at most 24 hours") != std::string::npos);
}

TEST_CASE("texts that people take for media have a name, whatever stands before them") {
  const auto nameOf = [](std::string text) {
    const char* name = sniffForeignText(
        {reinterpret_cast<const uint8_t*>(text.data()), std::min<size_t>(text.size(), kTellingBytes)});
    return std::string(name == nullptr ? "" : name);
  };
  CHECK(nameOf("<svg xmlns='http://www.w3.org/2000/svg'/>") == "svg");
  CHECK(nameOf("\xef\xbb\xbf\n <?xml version='1.0'?><!-- <html> --><svg/>") == "svg");
  CHECK(nameOf("<?xml version='1.0'?>\n<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><svg/>") ==
        "svg");
  CHECK(nameOf("<!-- " + std::string(5000, 'x')) == "");
  CHECK(nameOf("<?xml version='1.0'?><unknown/>") == "xml");
  CHECK(nameOf("<!doctype html><p>") == "html");
  CHECK(nameOf("12\r\n00:00:01,000 --> 00:00:02,000\r\nx") == "srt");
  CHECK(nameOf("12 apostles") == "");
  CHECK(nameOf("") == "");
  CHECK(nameOf(std::string("\0\0\0\x20"
                           "ftypisom",
                           12)) == "");
}
