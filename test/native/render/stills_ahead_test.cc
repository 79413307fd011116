#include "render/stills_ahead.h"

#include <cstring>
#include <thread>

#include <doctest/doctest.h>

#include "libav/decode/still_decoder.h"
#include "libav/media_fixture.h"

using namespace framewright;
using fixture::media;

namespace {

std::string photo(const std::string& name) {
  return media(name + ".jpg", "-f lavfi -i testsrc2=s=320x200 -frames:v 1 -q:v 2");
}

bool sameLuma(const Image& a, const Image& b) {
  if (a.width() != b.width() || a.height() != b.height() || a.format() != b.format()) return false;
  for (int y = 0; y < a.height(); ++y) {
    if (std::memcmp(a.plane(0).data + y * a.plane(0).stride, b.plane(0).data + y * b.plane(0).stride,
                    a.width()) != 0)
      return false;
  }
  return true;
}

}  // namespace

TEST_CASE(
    "stills ahead: a picture is the one that decoding gives, asked for before or not, and is given once") {
  const std::string path = photo("ahead-one");
  auto plain = decodeStill(path);
  REQUIRE(plain.ok());
  StillsAhead ahead;
  ahead.decode(path);
  auto first = ahead.take(path);
  auto second = ahead.take(path);
  REQUIRE(first.ok());
  REQUIRE(second.ok());
  CHECK(sameLuma(*plain.value(), *first.value()));
  CHECK(sameLuma(*plain.value(), *second.value()));
  CHECK(first.value() != second.value());
}

TEST_CASE("stills ahead: who takes one that is under way waits for it") {
  const std::string path = photo("ahead-many");
  StillsAhead ahead;
  std::vector<std::thread> askers;
  for (int i = 0; i < 4; ++i) askers.emplace_back([&] { ahead.decode(path); });
  for (int i = 0; i < 4; ++i) CHECK(ahead.take(path).ok());
  for (auto& asker : askers) asker.join();
}

TEST_CASE("stills ahead: films and files that are not there take no place") {
  const std::string film = fixture::countingVideo("ahead-film.mp4", "30", "64x64", 3, fixture::kH264);
  const std::string path = photo("ahead-after-films");
  StillsAhead ahead;
  ahead.decode(film);
  ahead.decode(fixture::path("ahead-of-nothing.jpg"));
  ahead.decode(path);
  CHECK(ahead.kept() == 1);
  CHECK(ahead.take(path).ok());
  CHECK(ahead.kept() == 0);
  CHECK_FALSE(ahead.take(film).ok());
}

TEST_CASE("stills ahead: what cannot be decoded is told to whoever takes it") {
  const std::string path = fixture::path("ahead-broken.jpg");
  fixture::writeFile(path, {0xFF, 0xD8, 0xFF, 0xD9});
  StillsAhead ahead;
  ahead.decode(path);
  const auto taken = ahead.take(path);
  const auto decoded = decodeStill(path);
  REQUIRE_FALSE(taken.ok());
  REQUIRE_FALSE(decoded.ok());
  CHECK(taken.error().code == decoded.error().code);
  CHECK(taken.error().message == decoded.error().message);
}
