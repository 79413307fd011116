#include "render/sources/still_predecoder.h"

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

TEST_CASE("still predecoder: returns the decoded image, stored or not, and each stored image once") {
  const std::string path = photo("ahead-one");
  auto plain = decodeStill(path);
  REQUIRE(plain.ok());
  StillPredecoder predecoder;
  predecoder.decode(path);
  auto first = predecoder.take(path);
  auto second = predecoder.take(path);
  REQUIRE(first.ok());
  REQUIRE(second.ok());
  CHECK(sameLuma(*plain.value(), *first.value()));
  CHECK(sameLuma(*plain.value(), *second.value()));
  CHECK(first.value() != second.value());
}

TEST_CASE("still predecoder: take() waits for an image that is being decoded") {
  const std::string path = photo("ahead-many");
  StillPredecoder predecoder;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { predecoder.decode(path); });
  for (int i = 0; i < 4; ++i) CHECK(predecoder.take(path).ok());
  for (auto& thread : threads) thread.join();
}

TEST_CASE("still predecoder: ignores videos and missing files") {
  const std::string video = fixture::countingVideo("ahead-video.mp4", "30", "64x64", 3, fixture::kH264);
  const std::string path = photo("ahead-after-videos");
  StillPredecoder predecoder;
  predecoder.decode(video);
  predecoder.decode(fixture::path("ahead-of-nothing.jpg"));
  predecoder.decode(path);
  CHECK(predecoder.storedCount() == 1);
  CHECK(predecoder.take(path).ok());
  CHECK(predecoder.storedCount() == 0);
  CHECK_FALSE(predecoder.take(video).ok());
}

TEST_CASE("still predecoder: take() returns the decoding error") {
  const std::string path = fixture::path("ahead-broken.jpg");
  fixture::writeFile(path, {0xFF, 0xD8, 0xFF, 0xD9});
  StillPredecoder predecoder;
  predecoder.decode(path);
  const auto taken = predecoder.take(path);
  const auto decoded = decodeStill(path);
  REQUIRE_FALSE(taken.ok());
  REQUIRE_FALSE(decoded.ok());
  CHECK(taken.error().code == decoded.error().code);
  CHECK(taken.error().message == decoded.error().message);
}
