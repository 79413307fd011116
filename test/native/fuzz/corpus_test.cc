#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "libav/media_fixture.h"
#include "targets.h"

// Regression tests for findings of engine_fuzzer: runs its files and a few hundred deterministic mutations. A
// fault ends the program with a sanitizer report.
namespace framewright {
namespace {

using Bytes = std::vector<uint8_t>;

fuzz::Run runOf(const std::string& name) {
  for (const auto& target : fuzz::targets()) {
    if (name == target.name) return target.run;
  }
  FAIL("there is no target " << name);
  return nullptr;
}

// Mutates bytes like damage and attacks do, deterministically.
class Mutator {
 public:
  explicit Mutator(uint64_t seed) : state_(seed * 2654435761u + 88172645463325252u) {}

  Bytes changed(const Bytes& bytes, const Bytes& other) {
    Bytes result = bytes;
    for (uint64_t edits = 1 + below(4); edits > 0; --edits) change(result, other);
    return result;
  }

 private:
  uint64_t below(uint64_t limit) {
    state_ ^= state_ << 13, state_ ^= state_ >> 7, state_ ^= state_ << 17;
    return limit == 0 ? 0 : state_ % limit;
  }

  void change(Bytes& bytes, const Bytes& other) {
    if (bytes.empty()) return;
    const size_t at = below(bytes.size());
    switch (below(6)) {
      case 0:
        bytes[at] ^= static_cast<uint8_t>(1 << below(8));
        break;
      case 1:
        bytes.resize(at);
        break;
      case 2:
        writeLength(bytes, at);
        break;
      case 3:
        std::fill_n(bytes.begin() + static_cast<ptrdiff_t>(at),
                    std::min<size_t>(below(40), bytes.size() - at), uint8_t(below(256)));
        break;
      case 4:
        std::copy_n(other.begin(), std::min(other.size() / 2, bytes.size() - at),
                    bytes.begin() + static_cast<ptrdiff_t>(at));
        break;
      default:
        bytes.insert(bytes.begin() + static_cast<ptrdiff_t>(at), bytes.begin(),
                     bytes.begin() + static_cast<ptrdiff_t>(std::min<size_t>(at, 200)));
    }
  }

  // Writes an impossible size, count or time.
  void writeLength(Bytes& bytes, size_t at) {
    static constexpr uint32_t kValues[] = {0,          1,          7,          8,         0x7fffffff,
                                           0x80000000, 0xffffffff, 0x00010000, 0xfffffffe};
    const uint32_t value = kValues[below(std::size(kValues))];
    for (size_t i = 0; i < 4 && at + i < bytes.size(); ++i)
      bytes[at + i] = static_cast<uint8_t>(value >> (24 - 8 * i));
  }

  uint64_t state_;
};

void runChanged(const std::string& target, const std::vector<Bytes>& seeds, int countOfEach) {
  const fuzz::Run run = runOf(target);
  for (size_t i = 0; i < seeds.size(); ++i) {
    run(seeds[i]);
    Mutator mutator(i + 1);
    for (int k = 0; k < countOfEach; ++k) run(mutator.changed(seeds[i], seeds[(i + 1) % seeds.size()]));
  }
}

Bytes made(const std::string& name, const std::string& arguments) {
  return fixture::readFile(fixture::media("fuzz-" + name, arguments));
}

const std::string kVideo = "-f lavfi -i testsrc2=s=64x48:r=12:d=0.5 ";
const std::string kBoth = kVideo + "-f lavfi -i sine=d=0.5 ";

}  // namespace

TEST_CASE("earlier crash files do not crash") {
  int count = 0;
  for (const auto& target : fuzz::targets()) {
    const std::filesystem::path folder = std::filesystem::path(FUZZ_CORPUS) / target.name;
    if (!std::filesystem::exists(folder)) continue;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      CAPTURE(file.path().string());
      target.run(fixture::readFile(file.path().string()));
      ++count;
    }
  }
  CHECK(count > 0);
}

TEST_CASE("changed videos and audio files are read or rejected") {
  runChanged(
      "media",
      {made("a.mp4", kBoth + "-c:v libx264 -bf 2 -pix_fmt yuv420p -c:a aac"),
       made("b.webm", kBoth + "-c:v libvpx-vp9 -cpu-used 8 -c:a libopus"),
       made("c.mkv", kBoth + "-c:v libx264 -pix_fmt yuv420p -c:a libvorbis"),
       made("d.mp3", "-f lavfi -i sine=d=0.5 -c:a libmp3lame"), made("e.flac", "-f lavfi -i sine=d=0.2"),
       made("f.mxf", kVideo + "-r 25 -c:v mpeg2video -pix_fmt yuv420p"),
       made("g.mov", kVideo + "-c:v qtrle -pix_fmt argb"),
       made("h.mkv", kVideo + "-c:v ffv1 -pix_fmt yuv420p"),
       made("i.mov", kVideo + "-c:v cfhd -pix_fmt yuv422p10le"),
       made("j.avi", kVideo + "-c:v utvideo -pix_fmt gbrp"), made("k.aiff", "-f lavfi -i sine=d=0.2"),
       made("l.caf", "-f lavfi -i sine=d=0.2 -c:a alac"),
       made("m.wv", "-f lavfi -i sine=d=0.2 -c:a wavpack")},
      40);
}

TEST_CASE("changed images are read or rejected") {
  runChanged("image",
             {made("a.png", kVideo + "-frames:v 1"), made("b.jpg", kVideo + "-frames:v 1 -pix_fmt yuvj420p"),
              made("c.webp", kVideo + "-frames:v 1 -c:v libwebp"), made("d.gif", kVideo + "-frames:v 3")},
             150);
}

TEST_CASE("changed files of the engine's formats are read or rejected") {
  Bytes sprite = {'F', 'W', 'S', 'P', 1, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0};
  sprite.resize(16 + 4 * 3 * 4, 0x55);
  // The sizes that the target requests, as doubles.
  Bytes still = {'F', 'W', 'S', 'T', 1, 0, 0, 0, 6, 0, 0,    0,    4, 0, 0, 0, 1, 0, 0,    0,
                 0,   0,   0,   0,   0, 0, 0, 0, 0, 0, 0x18, 0x40, 0, 0, 0, 0, 0, 0, 0x10, 0x40};
  still.resize(40 + 2 * 24 + 3 * 6, 0x77);
  runChanged("files",
             {made("a.nut", kVideo + "-c:v libx264 -pix_fmt yuv420p -f nut"),
              made("b.nut", "-f lavfi -i sine=d=0.5 -c:a aac -f nut"), sprite, still},
             80);
}

TEST_CASE("changed H.264 streams are parsed or rejected") {
  runChanged("h264",
             {made("a.h264",
                   kVideo + "-c:v libx264 -pix_fmt yuv420p -x264-params ref=1:bframes=0:weightp=0 -f h264"),
              made("b.h264", kVideo + "-c:v libx264 -pix_fmt yuv420p -f h264")},
             300);
}

TEST_CASE("changed timelines are read or rejected") {
  const std::string json =
      R"({"version":1,"canvas":{"width":64,"height":36,"fps":{"num":25,"den":1},"frames":20},"sources":[
      {"kind":"image","path":"/a.png","label":"a"},{"kind":"video","path":"/b.mp4","label":"b"}],"under":[],"sections":[
      {"label":"s","start":0,"frames":10,"background":"#10203040","clips":[{"source":0,"start":0,"frames":10,
      "box":{"x":4,"y":3,"width":40,"height":24},"x":[{"frame":0,"value":-20,"easing":"easeOutElastic"},{"frame":6,"value":20}],
      "rotation":30,"blur":[{"frame":0,"value":8},{"frame":8,"value":0}],"cornerRadius":6,"blend":"screen",
      "reveal":{"left":0.25},"mask":{"source":1,"media":{"in":2,"loops":-1},"region":{"x":0,"y":0,"width":1,"height":1}}}]},
      {"label":"t","start":10,"frames":10,"background":"#000000ff","clips":[],"transition":{"style":"circleopen","frames":6}}],
      "over":[],"audio":[],"encode":{"encoder":"libx264","preset":"veryfast","crf":20,"keyframeSeconds":5,"audioBitrate":192000}})";
  runChanged("timeline", {Bytes(json.begin(), json.end())}, 1500);
}

}  // namespace framewright
