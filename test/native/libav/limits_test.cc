#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "formats/unsupported_format.h"
#include "libav/codec_policy.h"
#include "libav/demux/probe.h"
#include "libav/log_capture.h"
#include "libav/media_fixture.h"

using namespace framewright;
using fixture::media;

namespace {

std::string refusalOf(const std::string& path) {
  silenceLog();
  const auto result = probe(path);
  REQUIRE(!result.ok());
  CHECK(result.error().code == ErrorCode::MEDIA_UNSUPPORTED);
  return result.error().message;
}

// A copy with `bytes` written at this distance after the first `mark`.
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

using Bytes = std::vector<uint8_t>;

Bytes number(uint32_t value) {
  return {static_cast<uint8_t>(value >> 24), static_cast<uint8_t>(value >> 16),
          static_cast<uint8_t>(value >> 8), static_cast<uint8_t>(value)};
}

Bytes joined(const std::vector<Bytes>& parts) {
  Bytes all;
  for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

Bytes box(const std::string& type, const std::vector<Bytes>& parts) {
  const Bytes body = joined(parts);
  return joined({number(static_cast<uint32_t>(body.size()) + 8), Bytes(type.begin(), type.end()), body});
}

// The error for a video with additional boxes.
std::string refusalWith(const std::string& name, const std::vector<Bytes>& boxes) {
  fixture::writeFile(fixture::path(name), joined({fixture::readFile(smallVideo()), joined(boxes)}));
  return refusalOf(fixture::path(name));
}

}  // namespace

TEST_CASE("files with too many streams are rejected before one is opened") {
  std::string maps;
  for (unsigned i = 0; i <= kMaxStreams; ++i) maps += "-map 0 ";
  const std::string path =
      media("streams.mka", "-f lavfi -i anullsrc=r=8000:cl=mono -t 0.1 " + maps + "-c:a pcm_s16le");
  CHECK(refusalOf(path) == "the file has 65 streams; at most 64 are allowed");
}

TEST_CASE("excessive sizes, sample rates, channels and frames are rejected by the header") {
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
            .find("sample rate of 1000000 Hz") != std::string::npos);
  CHECK(refusalOf(patched(sound, "slow.wav", "fmt ", 12, {0x01, 0, 0, 0})).find("sample rate of 1 Hz") !=
        std::string::npos);
  CHECK(refusalOf(patched(sound, "wide.wav", "fmt ", 10, {0xC8, 0x00})).find("200 audio channels") !=
        std::string::npos);
}

TEST_CASE("an mp4's tables are checked before libav builds its index") {
  const Bytes zero = number(0), many = number(80'000'000);
  const std::string promised = "the file's tables declare more than 12000000 samples";
  CHECK(refusalOf(patched(smallVideo(), "promised.mp4", "stsz", 12, many)) == promised);
  CHECK(refusalWith("fragment.mp4", {box("moof", {box("traf", {box("trun", {zero, many})})})}) == promised);
  const Bytes edits = box("edts", {box("elst", {zero, number(5000), Bytes(5000 * 12)})});
  CHECK(refusalWith("edits.mp4", {box("trak", {box("stsz", {zero, zero, number(10'000)}), edits})}) ==
        promised);
  const Bytes raw = joined({box("hdlr", {zero, zero, {'s', 'o', 'u', 'n'}}),
                            box("stts", {zero, number(1), many, number(1)}),
                            box("stsc", {zero, number(1), number(1), number(2'000'000'000), zero})});
  CHECK(refusalWith("raw.mp4", {box("trak", {raw, box("stco", {zero, number(40)})})}) == promised);
  CHECK(refusalWith("hidden.mp4", {box("meta", {zero, box("hdlr", {zero}), box("trun", {zero, many})})}) ==
        promised);
  CHECK(refusalWith("packed.mp4", {box("cmov", {})}).find("compressed header") != std::string::npos);

  CHECK(refusalWith("shreds.mp4", std::vector<Bytes>(250'001, box("moof", {}))) ==
        "the file has more than 250000 fragments");
  std::vector<Bytes> backwards;
  for (uint32_t time = 1000; time > 0; --time) {
    backwards.push_back(
        box("moof", {box("traf", {box("tfdt", {zero, number(time)}), box("trun", {zero, number(2000)})})}));
  }
  CHECK(refusalWith("backwards.mp4", backwards) == "the file's fragments are out of order");
}

TEST_CASE("PCM audio may be long, since it is stored in pieces") {
  const std::string path = media("long.mov", "-f lavfi -i sine=r=48000:d=300 -c:a pcm_s16le");
  REQUIRE(probe(path).ok());
  CHECK(probe(path).value().durationSeconds == doctest::Approx(300));
}

TEST_CASE("videos of more than a day are rejected") {
  const std::string path =
      media("days.mp4", "-f lavfi -i testsrc2=s=16x16:r=1/10000 -frames:v 10 -c:v libx264");
  CHECK(refusalOf(path).find("at most 24 hours") != std::string::npos);
}

TEST_CASE("text formats are recognised after a byte order mark or white space") {
  const auto nameOf = [](std::string text) {
    const char* name = sniffForeignText(
        {reinterpret_cast<const uint8_t*>(text.data()), std::min<size_t>(text.size(), kSignatureBytes)});
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
