#include "render/open_films.h"

#include <cmath>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include "libav/media_fixture.h"
#include "render/render.h"

using namespace framewright;

namespace {

const CancelToken never;

std::string film() {
  return fixture::countingVideo("left-open.mp4", "25", "64x48", 60, fixture::kH264 + " -g 12");
}

std::unique_ptr<VideoDecoder> openAt(int64_t timeUs) {
  auto decoder = VideoDecoder::open(film(), 1, never).take();
  REQUIRE(decoder->frameAt(timeUs).ok());
  return decoder;
}

}  // namespace

TEST_CASE("open films: nothing is kept before somebody asks for it") {
  OpenFilms films;
  films.leave(film(), 0, openAt(0));
  CHECK(films.kept() == 0);
  CHECK(films.take(film(), 0) == nullptr);
}

TEST_CASE(
    "open films: the one that stands shortly before the wanted time is given, once, and a few are kept") {
  OpenFilms films;
  films.keep(true);
  auto early = openAt(200'000), middle = openAt(800'000), late = openAt(2'000'000);
  const VideoDecoder *isEarly = early.get(), *isMiddle = middle.get(), *isLate = late.get();
  films.leave(film(), 200'000, std::move(early));
  films.leave(film(), 800'000, std::move(middle));
  films.leave(film(), 2'000'000, std::move(late));
  CHECK(films.take(fixture::path("another.mp4"), 0) == nullptr);
  auto given = films.take(film(), 1'000'000);
  CHECK(given.get() == isMiddle);
  auto next = films.take(film(), 1'000'000);
  CHECK(next.get() == isEarly);
  // Better one that has to go back than none.
  auto last = films.take(film(), 1'000'000);
  CHECK(last.get() == isLate);
  CHECK(films.take(film(), 1'000'000) == nullptr);

  // All open before the first is closed: none stands where another one stood.
  std::vector<std::unique_ptr<VideoDecoder>> others;
  for (int i = 0; i < 5; ++i) others.push_back(openAt(0));
  films.leave(film(), 800'000, std::move(given));
  for (auto& other : others) films.leave(film(), 2'000'000, std::move(other));
  CHECK(films.kept() == 3);
  CHECK(films.take(film(), 800'000).get() != isMiddle);
}

TEST_CASE("open films: whoever takes one decides what stops it") {
  auto decoder = openAt(0);
  {
    CancelToken cancelled;
    cancelled.cancel();
    decoder->ask(cancelled);
    CHECK(decoder->frameAt(400'000).error().code == ErrorCode::CANCELLED);
  }
  auto other = openAt(0);
  other->ask(never);
  CHECK(fixture::pictureNumber(*other->frameAt(400'000).take()) == 10);
}

TEST_CASE("open films: frames drawn one by one, to and fro, show the pictures of their times") {
  Timeline timeline;
  timeline.width = 64, timeline.height = 48;
  timeline.fps = {25, 1};
  timeline.frames = 60;
  timeline.sources.push_back({SourceKind::kVideo, film(), "scenes.0.elements.0"});
  Section section;
  section.frames = 60;
  Clip clip;
  clip.id = 1;
  clip.source = 0;
  clip.frames = 60;
  clip.box = {0, 0, 64, 48};
  clip.media = MediaRange{};
  section.clips.push_back(clip);
  timeline.sections.push_back(section);
  // Renders of other tests may have left films that go on.
  OpenFilms::ofProcess().keep(false);
  OpenFilms::ofProcess().keep(true);
  for (const int64_t frame : {3, 4, 20, 58, 21, 21, 0, 59, 12}) {
    const ImagePtr image = composeFrame(timeline, frame, never).take();
    const int expected = static_cast<int>(std::lround((20 + 2 * frame - 16) * 255.0 / 219));
    CHECK(std::abs(fixture::pixelAt(*image, 32, 24).r - expected) <= 2);
  }
  CHECK(OpenFilms::ofProcess().kept() == 1);
  OpenFilms::ofProcess().keep(false);
  CHECK(OpenFilms::ofProcess().kept() == 0);
}
