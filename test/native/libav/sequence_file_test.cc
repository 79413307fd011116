#include "libav/decode/sequence_file.h"

#include <functional>

#include <doctest/doctest.h>

#include "libav/media_fixture.h"
#include "render/render.h"

using namespace framewright;

namespace {

constexpr int kWidth = 16, kHeight = 12;

// A PNG that is one colour.
std::vector<uint8_t> png(const std::string& color, int width = kWidth, int height = kHeight) {
  const std::string size = std::to_string(width) + "x" + std::to_string(height);
  return fixture::readFile(
      fixture::media("flat-" + color + size + ".png",
                     "-f lavfi -i color=" + color + ":s=" + size + ",format=rgba -frames:v 1 -pix_fmt rgba"));
}

struct Sequence {
  uint32_t version = 1, width = kWidth, height = kHeight, num = 30, den = 1;
  std::vector<uint32_t> frames{0, 0, 1, 2};
  std::vector<std::vector<uint8_t>> images{png("red"), png("green"), png("blue")};

  std::vector<uint8_t> bytes() const {
    std::vector<uint8_t> out{'F', 'W', 'S', 'Q'};
    const auto put = [&](uint64_t value, int count) {
      for (int i = 0; i < count; ++i) out.push_back(static_cast<uint8_t>(value >> (8 * i)));
    };
    for (const uint32_t value : {version, width, height, num, den, static_cast<uint32_t>(frames.size()),
                                 static_cast<uint32_t>(images.size())}) {
      put(value, 4);
    }
    for (const uint32_t frame : frames) put(frame, 4);
    uint64_t offset = out.size() + images.size() * 16;
    for (const auto& image : images) {
      put(offset, 8);
      put(image.size(), 8);
      offset += image.size();
    }
    for (const auto& image : images) out.insert(out.end(), image.begin(), image.end());
    return out;
  }
};

std::string written(const std::string& name, const std::vector<uint8_t>& bytes) {
  const std::string path = fixture::path(name);
  fixture::writeFile(path, bytes);
  return path;
}

std::unique_ptr<SequenceFile> opened(const Sequence& sequence) {
  auto file = SequenceFile::open(written("sequence.fwsq", sequence.bytes()));
  if (!file.ok()) FAIL(file.error().message);
  return file.take();
}

ImagePtr frameAt(SequenceFile& file, int64_t us) {
  auto image = file.frameAt(us);
  if (!image.ok()) FAIL(image.error().message);
  return image.take();
}

void requireRefusal(const std::vector<uint8_t>& bytes) {
  const auto file = SequenceFile::open(written("hostile.fwsq", bytes));
  REQUIRE_FALSE(file.ok());
  CHECK(file.error().code == ErrorCode::MEDIA_UNREADABLE);
}

}  // namespace

TEST_CASE("a sequence shows each frame's image and extends the last one") {
  const auto file = opened({});
  CHECK(file->endUs() == 133333);
  const ImagePtr red = frameAt(*file, 0);
  CHECK(fixture::pixelAt(*red, 3, 3).r == 255);
  CHECK(frameAt(*file, 33333) == red);  // frame 1, rounded down to microseconds
  CHECK(fixture::pixelAt(*frameAt(*file, 66667), 3, 3).g > 100);
  CHECK(fixture::pixelAt(*frameAt(*file, 99999), 3, 3).b == 255);
  CHECK(fixture::pixelAt(*frameAt(*file, 100000), 3, 3).b == 255);
  CHECK(fixture::pixelAt(*frameAt(*file, int64_t{1} << 60), 3, 3).b == 255);
  CHECK(frameAt(*file, 0) == red);  // not decoded again
}

TEST_CASE("a sequence's tables are checked against the file length") {
  const auto spoiled = [](const std::function<void(Sequence&)>& spoil) {
    Sequence sequence;
    spoil(sequence);
    requireRefusal(sequence.bytes());
  };
  spoiled([](Sequence& s) { s.version = 2; });
  spoiled([](Sequence& s) { s.width = 0; });
  spoiled([](Sequence& s) { s.height = 1 << 20; });
  spoiled([](Sequence& s) { s.num = 0; });
  spoiled([](Sequence& s) { s.den = 0; });
  spoiled([](Sequence& s) { s.frames = {}; });
  spoiled([](Sequence& s) { s.frames = {0, 3}; });
  spoiled([](Sequence& s) { s.frames = {0xFFFFFFFF}; });
  spoiled([](Sequence& s) { s.images = {}; });
  spoiled([](Sequence& s) { s.images[1].clear(); });
  const auto file = Sequence().bytes();
  for (const size_t length : {size_t{0}, size_t{3}, size_t{31}, size_t{32}, size_t{60}, file.size() - 1}) {
    CAPTURE(length);
    requireRefusal({file.begin(), file.begin() + static_cast<ptrdiff_t>(length)});
  }
  auto wrong = file;
  wrong[0] = 'X';
  requireRefusal(wrong);
  // Counts, offsets and lengths beyond the file, including ones whose sum overflows.
  for (const size_t at : {size_t{24}, size_t{28}}) {
    wrong = file;
    std::fill_n(wrong.begin() + static_cast<ptrdiff_t>(at), 4, uint8_t{0xFF});
    requireRefusal(wrong);
  }
  const size_t entries = 32 + 4 * 4;
  for (const size_t at : {entries, entries + 8, entries + 16 + 8}) {
    wrong = file;
    std::fill_n(wrong.begin() + static_cast<ptrdiff_t>(at), 8, uint8_t{0xFF});
    requireRefusal(wrong);
  }
  wrong = file;
  wrong[entries] = 0;  // an image inside the tables
  wrong[entries + 1] = 0;
  requireRefusal(wrong);
  CHECK_FALSE(SequenceFile::open("/nowhere/at.all").ok());
  CHECK_FALSE(SequenceFile::open("/tmp").ok());
}

TEST_CASE("images that differ from the sequence's header fail when shown") {
  Sequence sequence;
  sequence.images[0] = png("red", 8, 8);
  sequence.images[1][40] ^= 0xFF;
  sequence.images[2].assign(500, 7);
  const auto file = opened(sequence);
  CHECK_FALSE(file->frameAt(0).ok());
  CHECK_FALSE(file->frameAt(66667).ok());
  CHECK_FALSE(file->frameAt(100000).ok());
}

TEST_CASE("randomly changed bytes do not crash") {
  const auto file = Sequence().bytes();
  uint32_t state = 12345;
  const auto random = [&] { return state = state * 1664525 + 1013904223; };
  for (int round = 0; round < 300; ++round) {
    auto wrong = file;
    for (int i = 0; i < 3; ++i)
      wrong[(random() >> 8) % std::min<size_t>(wrong.size(), 160)] = static_cast<uint8_t>(random() >> 16);
    auto opening = SequenceFile::open(written("turned.fwsq", wrong));
    if (!opening.ok()) continue;
    for (const int64_t us : {0, 40000, 100000}) (void)opening.value()->frameAt(us).ok();
  }
}

TEST_CASE("a clip plays a sequence at its own rate and loops it") {
  Timeline timeline;
  timeline.width = 32, timeline.height = 24;
  timeline.fps = {60, 1};
  timeline.frames = 24;
  timeline.sources.push_back(
      {SourceKind::kSequence, written("played.fwsq", Sequence().bytes()), "scenes.0.elements.0"});
  Section section;
  section.frames = 24;
  section.background = {0, 0, 0, 255};
  Clip clip;
  clip.source = 0;
  clip.frames = 24;
  clip.box = {0, 0, 32, 24};
  clip.media.loops = 2;
  section.clips.push_back(clip);
  timeline.sections.push_back(section);
  const CancelToken never;
  const auto colorAt = [&](int64_t frame) {
    auto image = composeFrame(timeline, frame, never);
    if (!image.ok()) FAIL(image.error().message);
    return fixture::pixelAt(*image.value(), 16, 12);
  };
  // Frames 0 and 1 red, 2 green, 3 blue, each shown for two canvas frames; twice; then blue.
  for (const int pass : {0, 8}) {
    CHECK(colorAt(pass).r > 250);
    CHECK(colorAt(pass + 3).r > 250);
    CHECK(colorAt(pass + 4).g > 120);
    CHECK(colorAt(pass + 6).b > 250);
  }
  CHECK(colorAt(20).b > 250);
}
