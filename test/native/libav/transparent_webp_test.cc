#include <cstdlib>
#include <memory>
#include <random>

#include <doctest/doctest.h>

#include "libav/decode/animation_file.h"
#include "libav/media_fixture.h"
#include "libav/outputs/output_writer.h"

using namespace framewright;

namespace {

constexpr int kWidth = 98, kHeight = 50, kFrames = 24;
const CancelToken kNever;

// Noise that changes in every frame, inside a soft frame that does not; from the middle on everything fades.
std::shared_ptr<Image> drawn(int frame) {
  auto image = Image::create(PixelFormat::kRgbaStraight, kWidth, kHeight);
  REQUIRE(image.ok());
  const Plane& plane = image.value()->plane(0);
  std::mt19937 random(static_cast<unsigned>(frame));
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      uint8_t* pixel = plane.data + y * plane.stride + 4 * x;
      const bool isInside = x >= 21 && x < 70 && y >= 11 && y < 40;
      const bool isEdge = !isInside && x >= 18 && x < 73 && y >= 8 && y < 43;
      const auto level = static_cast<uint8_t>(isInside ? 60 + random() % 120 : 200);
      pixel[0] = level, pixel[1] = static_cast<uint8_t>(level / 2), pixel[2] = 90;
      const int fade = frame < kFrames / 2 ? 255 : 255 - 10 * (frame - kFrames / 2);
      pixel[3] = static_cast<uint8_t>(isInside ? fade : isEdge ? fade / 2 : 0);
    }
  }
  return image.take();
}

}  // namespace

TEST_CASE("animated WebP files keep alpha exactly where only opaque neighbors change, and where all fades") {
  for (const double crf : {0.0, 15.0, 60.0}) {
    CAPTURE(crf);
    OutputFile file;
    file.path = fixture::path("alpha.webp");
    file.format = OutputFormat::kWebp;
    file.width = kWidth, file.height = kHeight;
    file.fps = file.canvasFps = {25, 1};
    file.end = kFrames;
    file.hasAlpha = true;
    file.crf = crf;
    std::atomic<int64_t> steps{0};
    const auto writer = OutputWriter::open(file, {kNever, kNever, steps}).take();
    for (int frame = 0; frame < kFrames; ++frame) REQUIRE(writer->add(drawn(frame), 1).ok());
    const auto result = writer->finish();
    REQUIRE(result.ok());
    CHECK(result.value().durationSeconds == doctest::Approx(kFrames / 25.0));
    REQUIRE(writer->publish().ok());

    const auto animation = AnimationFile::open(file.path, kNever).take();
    CHECK(animation->endUs() == kFrames * 40'000);
    int64_t differences = 0, squares = 0, visible = 0;
    for (int frame = 0; frame < kFrames; ++frame) {
      const ImagePtr shown = animation->frameAt(frame * 40'000 + 20'000).take();
      const auto expected = drawn(frame);
      for (int y = 0; y < kHeight; ++y) {
        const uint8_t* a = shown->plane(0).data + y * shown->plane(0).stride;
        const uint8_t* b = expected->plane(0).data + y * expected->plane(0).stride;
        for (int x = 0; x < kWidth; ++x, a += 4, b += 4) {
          if (a[3] != b[3]) ++differences;
          if (b[3] == 0) continue;
          squares += (a[0] - b[0]) * (a[0] - b[0]);
          ++visible;
        }
      }
    }
    CHECK(differences == 0);
    if (crf == 0) CHECK(squares == 0);
    CHECK(static_cast<double>(squares) / static_cast<double>(visible) < 900);
  }
}

TEST_CASE("animated WebP files with alpha store unchanged frames as longer delays") {
  OutputFile file;
  file.path = fixture::path("still.webp");
  file.format = OutputFormat::kWebp;
  file.width = kWidth, file.height = kHeight;
  file.fps = file.canvasFps = {30, 1};
  file.end = 900;
  file.hasAlpha = true;
  file.crf = 15;
  std::atomic<int64_t> steps{0};
  const auto writer = OutputWriter::open(file, {kNever, kNever, steps}).take();
  REQUIRE(writer->add(drawn(0), 450).ok());
  REQUIRE(writer->add(drawn(0), 440).ok());
  REQUIRE(writer->add(drawn(1), 10).ok());
  REQUIRE(writer->finish().ok());
  const int64_t bytes = writer->publish().take();
  CHECK(bytes < 8000);
  CHECK(AnimationFile::open(file.path, kNever).take()->endUs() == 30'000'000);
}
