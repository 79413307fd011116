#include "formats/incomplete_file.h"

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "libav/media_fixture.h"

using namespace framewright;

namespace {

bool stops(std::string_view container, const std::vector<uint8_t>& file, size_t size) {
  const std::span<const uint8_t> part(file.data(), size);
  return stopsWithinElement(container, static_cast<int64_t>(size),
                            [&](int64_t offset, std::span<uint8_t> to) {
                              if (offset < 0 || offset >= static_cast<int64_t>(size)) return size_t{0};
                              const size_t count = std::min(to.size(), size - static_cast<size_t>(offset));
                              std::copy_n(part.data() + offset, count, to.data());
                              return count;
                            });
}

}  // namespace

TEST_CASE("files that stop within an element of their container are told from whole ones") {
  const std::string video = "-f lavfi -i testsrc2=s=64x48:r=25:d=2 -f lavfi -i sine=d=2 -pix_fmt yuv420p ";
  struct Case {
    std::string_view container;
    std::string name, options;
  };
  for (const Case& one :
       std::vector<Case>{{"mp4", "stops.mp4", video + "-c:v libx264 -movflags frag_keyframe+empty_moov"},
                         {"matroska", "stops.mkv", video + "-c:v libx264 -g 10"},
                         {"matroska", "stops.webm", video + "-c:v libvpx -live 1"},
                         {"mpegts", "stops.ts", video + "-c:v mpeg2video"},
                         {"mpegts", "stops.m2ts", video + "-c:v mpeg2video"},
                         {"flv", "stops.flv", video + "-c:v flv1 -c:a aac"},
                         {"ogg", "stops.ogg", "-f lavfi -i sine=d=2 -c:a libvorbis"},
                         {"mpeg", "stops.mpg", video + "-c:v mpeg2video -c:a mp2"},
                         {"mpeg", "stops1.mpg", video + "-c:v mpeg1video -c:a mp2 -f mpeg"},
                         {"wav", "stops.wav", "-f lavfi -i sine=d=2"},
                         {"wav", "stops64.wav", "-f lavfi -i sine=d=2 -rf64 always"},
                         {"w64", "stops.w64", "-f lavfi -i sine=d=2"},
                         {"aiff", "stops.aiff", "-f lavfi -i sine=d=2"},
                         {"au", "stops.au", "-f lavfi -i sine=d=2"},
                         {"aac", "stops.aac", "-f lavfi -i sine=d=2 -c:a aac"}}) {
    CAPTURE(one.name);
    const std::vector<uint8_t> file = fixture::readFile(fixture::media(one.name, one.options));
    CHECK(!stops(one.container, file, file.size()));
    CHECK(stops(one.container, file, file.size() * 7 / 10 / 3264 * 3264 + 1));
    CHECK(stops(one.container, file, file.size() - 6));
  }
  // Neither text nor nothing is any of these.
  const std::vector<uint8_t> text(1000, 'x');
  for (const char* container :
       {"matroska", "mpegts", "ogg", "aac", "wav", "w64", "aiff", "au", "mpeg", "flac"})
    CHECK(!stops(container, text, 1000));
}
