#include <filesystem>
#include <string>
#include <vector>

#include "libav/media_fixture.h"
#include "render/render.h"

using namespace framewright;
using fixture::media;
namespace fs = std::filesystem;

namespace {

const CancelToken never;

fs::path newFolder(const std::string& name) {
  const fs::path folder = fixture::path(name);
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

Timeline timelineOf(const std::string& first, const std::string& second, int width = 60) {
  const auto clip = [](int source, int size) {
    return R"({"source":)" + std::to_string(source) + R"(,"start":0,"frames":4,"box":{"x":3,"y":2,"width":)" +
           std::to_string(size) + R"(,"height":40}})";
  };
  auto timeline = parseTimeline(
      R"({"version":1,"canvas":{"width":64,"height":48,"fps":{"num":10,"den":1},"frames":4},"compositor":"cpu",
      "sources":[{"kind":"image","path":")" +
      first + R"(","label":"a"},{"kind":"image","path":")" + second +
      R"(","label":"b"}],"under":[],"sections":[{"label":"s","start":0,"frames":4,"background":"#ff0000ff","clips":[)" +
      clip(0, width) + "," + clip(1, 20) +
      R"(]}],"over":[],"audio":[],"encode":{"encoder":"libx264","preset":"veryfast","crf":20,"keyframeSeconds":5,"audioBitrate":192000}})");
  REQUIRE(timeline.ok());
  return timeline.take();
}

std::string photo(const std::string& name, const std::string& filter = "null") {
  return media("stills-" + name + ".jpg",
               "-f lavfi -i testsrc2=s=321x201 -vf " + filter + " -frames:v 1 -q:v 2");
}

std::string logo() {
  return media("stills-logo.png",
               "-f lavfi -i testsrc2=s=50x50 -vf format=rgba,colorchannelmixer=aa=0.5 -frames:v 1");
}

std::vector<uint8_t> drawn(const Timeline& timeline, const std::string& folder = "") {
  const auto image = composeFrame(timeline, 1, never, folder);
  REQUIRE(image.ok());
  const Plane& plane = image.value()->plane(0);
  std::vector<uint8_t> pixels;
  for (int y = 0; y < plane.height; ++y)
    pixels.insert(pixels.end(), plane.data + y * plane.stride,
                  plane.data + y * plane.stride + 4 * plane.width);
  return pixels;
}

bool hasFile(const fs::path& folder, const std::string& name) { return fs::exists(folder / name); }

// Renames what one frame wrote to what the next one reads.
void copyAsInput(const fs::path& from, const fs::path& to) {
  for (const auto& file : fs::directory_iterator(from))
    fs::copy(file.path(), to / file.path().filename().replace_extension(".still"));
}

}  // namespace

TEST_CASE("still file cache: the next frame uses the files and writes none") {
  const Timeline timeline = timelineOf(photo("a"), logo());
  const auto plain = drawn(timeline);
  const fs::path first = newFolder("stills-first"), second = newFolder("stills-second");
  CHECK(drawn(timeline, first.string()) == plain);
  REQUIRE((hasFile(first, "0.made") && hasFile(first, "1.made")));
  copyAsInput(first, second);
  CHECK(drawn(timeline, second.string()) == plain);
  CHECK_FALSE((hasFile(second, "0.made") || hasFile(second, "1.made")));
  // The sources are missing, so the files are what is drawn.
  Timeline elsewhere = timeline;
  for (Source& source : elsewhere.sources) source.path = fixture::path("stills-nowhere.jpg");
  CHECK(drawn(elsewhere, second.string()) == plain);
}

TEST_CASE("still file cache: damaged files and other drawn sizes are prepared again") {
  const fs::path first = newFolder("stills-whole"), cut = newFolder("stills-cut"),
                 other = newFolder("stills-other");
  const Timeline timeline = timelineOf(photo("a"), logo());
  const auto plain = drawn(timeline, first.string());
  copyAsInput(first, cut);
  fs::resize_file(cut / "0.still", fs::file_size(cut / "0.still") - 1);
  CHECK(drawn(timeline, cut.string()) == plain);
  CHECK(hasFile(cut, "0.made"));
  CHECK_FALSE(hasFile(cut, "1.made"));
  copyAsInput(first, other);
  const Timeline narrower = timelineOf(photo("a"), logo(), 44);
  CHECK(drawn(narrower, other.string()) == drawn(narrower));
  CHECK(hasFile(other, "0.made"));
}

TEST_CASE("still file cache: a missing folder is ignored") {
  const Timeline timeline = timelineOf(photo("a"), photo("b", "hflip"));
  CHECK(drawn(timeline, fixture::path("stills-no-folder")) == drawn(timeline));
}
