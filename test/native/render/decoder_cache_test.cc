#include "render/sources/decoder_cache.h"

#include <cmath>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include "libav/media_fixture.h"
#include "render/render.h"

using namespace framewright;

namespace {

const CancelToken never;

std::string video() {
  return fixture::countingVideo("left-open.mp4", "25", "64x48", 60, fixture::kH264 + " -g 12");
}

Source clip() { return {SourceKind::kVideo, video(), ""}; }

std::unique_ptr<VideoDecoder> openAt(int64_t timeUs) {
  auto decoder = VideoDecoder::open(video(), 1, never).take();
  REQUIRE(decoder->frameAt(timeUs).ok());
  return decoder;
}

}  // namespace

TEST_CASE("decoder cache: stores nothing until it is enabled") {
  DecoderCache cache;
  cache.add(clip(), 0, openAt(0));
  CHECK(cache.size() == 0);
  CHECK(cache.take(clip(), 0) == nullptr);
}

TEST_CASE("decoder cache: returns the decoder closest before the time, once, and stores three") {
  DecoderCache cache;
  cache.enable(true);
  auto early = openAt(200'000), middle = openAt(800'000), late = openAt(2'000'000);
  const VideoDecoder *isEarly = early.get(), *isMiddle = middle.get(), *isLate = late.get();
  cache.add(clip(), 200'000, std::move(early));
  cache.add(clip(), 800'000, std::move(middle));
  cache.add(clip(), 2'000'000, std::move(late));
  CHECK(cache.take({SourceKind::kVideo, fixture::path("another.mp4"), ""}, 0) == nullptr);
  auto taken = cache.take(clip(), 1'000'000);
  CHECK(taken.get() == isMiddle);
  auto next = cache.take(clip(), 1'000'000);
  CHECK(next.get() == isEarly);
  // A decoder that has to seek back is better than opening another one.
  auto last = cache.take(clip(), 1'000'000);
  CHECK(last.get() == isLate);
  CHECK(cache.take(clip(), 1'000'000) == nullptr);

  // All are opened before the first is closed, so that no address is reused.
  std::vector<std::unique_ptr<VideoDecoder>> others;
  for (int i = 0; i < 5; ++i) others.push_back(openAt(0));
  cache.add(clip(), 800'000, std::move(taken));
  for (auto& other : others) cache.add(clip(), 2'000'000, std::move(other));
  CHECK(cache.size() == 3);
  CHECK(cache.take(clip(), 800'000).get() != isMiddle);
}

TEST_CASE("decoder cache: a decoder is not used for another kind of deinterlacing") {
  DecoderCache cache;
  cache.enable(true);
  cache.add(clip(), 0, openAt(0));
  Source woven = clip();
  woven.deinterlace = Deinterlace::kOff;
  CHECK(cache.take(woven, 0) == nullptr);
  CHECK(cache.take(clip(), 0) != nullptr);
}

TEST_CASE("decoder cache: a taken decoder obeys the token of its new owner") {
  auto decoder = openAt(0);
  {
    CancelToken cancelled;
    cancelled.cancel();
    decoder->setCancelToken(cancelled);
    CHECK(decoder->frameAt(400'000).error().code == ErrorCode::CANCELLED);
  }
  auto other = openAt(0);
  other->setCancelToken(never);
  CHECK(fixture::frameNumber(*other->frameAt(400'000).take()) == 10);
}

TEST_CASE("decoder cache: single frames in any order show the video at their times") {
  Timeline timeline;
  timeline.width = 64, timeline.height = 48;
  timeline.fps = {25, 1};
  timeline.frames = 60;
  timeline.sources.push_back({SourceKind::kVideo, video(), "scenes.0.elements.0"});
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
  // Other tests may have stored decoders of videos that continue.
  DecoderCache::ofProcess().enable(false);
  DecoderCache::ofProcess().enable(true);
  for (const int64_t frame : {3, 4, 20, 58, 21, 21, 0, 59, 12}) {
    const ImagePtr image = composeFrame(timeline, frame, never).take();
    const int expected = static_cast<int>(std::lround((20 + 2 * frame - 16) * 255.0 / 219));
    CHECK(std::abs(fixture::pixelAt(*image, 32, 24).r - expected) <= 2);
  }
  CHECK(DecoderCache::ofProcess().size() == 1);
  DecoderCache::ofProcess().enable(false);
  CHECK(DecoderCache::ofProcess().size() == 0);
}
