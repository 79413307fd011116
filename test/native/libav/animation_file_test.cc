#include "libav/decode/animation_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <random>

#include <doctest/doctest.h>

#include "libav/animated_files.h"
#include "libav/decode/still_decoder.h"
#include "libav/demux/probe.h"
#include "libav/media_fixture.h"

using namespace framewright;
using fixture::DrawnAnimation;
using fixture::DrawnFrame;
using fixture::Rgba;

namespace {

const CancelToken kNever;
constexpr Rgba kRed{255, 0, 0}, kGreen{0, 255, 0}, kBlue{0, 0, 255};

using Writer = std::vector<uint8_t> (*)(const DrawnAnimation&);
struct Format {
  const char* name;
  Writer write;
};
constexpr std::array kFormats{Format{"gif", fixture::gifOf}, Format{"png", fixture::apngOf},
                              Format{"webp", fixture::webpOf}};

std::string written(const std::string& name, const std::vector<uint8_t>& bytes) {
  fixture::writeFile(fixture::path(name), bytes);
  return fixture::path(name);
}

std::unique_ptr<AnimationFile> opened(const std::string& path) {
  auto file = AnimationFile::open(path, kNever);
  if (!file.ok()) FAIL(file.error().message << " " << file.error().detail);
  return file.take();
}

ImagePtr frameAt(AnimationFile& file, int64_t us) {
  auto image = file.frameAt(us);
  if (!image.ok()) FAIL(image.error().message << " " << image.error().detail);
  return image.take();
}

std::string colorAt(const Image& image, int x, int y) {
  const auto pixel = fixture::pixelAt(image, x, y);
  if (pixel.a == 0) return "none";
  const std::string part = pixel.a == 255 ? "" : "-" + std::to_string(pixel.a);
  if (pixel.r > 250 && pixel.g < 5 && pixel.b < 5) return "red" + part;
  if (pixel.g > 250 && pixel.r < 5 && pixel.b < 5) return "green" + part;
  if (pixel.b > 250 && pixel.r < 5 && pixel.g < 5) return "blue" + part;
  return std::to_string(pixel.r) + "," + std::to_string(pixel.g) + "," + std::to_string(pixel.b) + part;
}

DrawnFrame whole(Rgba color, int delay = 10) { return {.color = color, .delay = delay}; }

// ffmpeg's frames of the same file.
std::vector<std::vector<uint8_t>> witnessed(const std::string& path, size_t count, size_t frameBytes) {
  fixture::outputOf("ffmpeg -v error -y -nostdin " +
                    std::string(path.ends_with("gif") ? "-ignore_loop 1 " : "-f apng ") + "-i " + path +
                    " -vsync passthrough -f rawvideo -pix_fmt rgba " + path + ".raw");
  const auto all = fixture::readFile(path + ".raw");
  REQUIRE(all.size() == count * frameBytes);
  std::vector<std::vector<uint8_t>> frames;
  for (size_t i = 0; i < count; ++i)
    frames.emplace_back(all.begin() + static_cast<ptrdiff_t>(i * frameBytes),
                        all.begin() + static_cast<ptrdiff_t>((i + 1) * frameBytes));
  return frames;
}

// Colours of transparent pixels are ignored.
int largestDifference(const Image& image, const std::vector<uint8_t>& other) {
  int largest = 0;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      const uint8_t* a = image.plane(0).data + y * image.plane(0).stride + x * 4;
      const uint8_t* b =
          other.data() +
          (static_cast<size_t>(y) * static_cast<size_t>(image.width()) + static_cast<size_t>(x)) * 4;
      if (a[3] == 0 && b[3] == 0) continue;
      for (int i = 0; i < 4; ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    }
  }
  return largest;
}

DrawnAnimation drawnAtRandom(std::mt19937& random, bool seeThrough) {
  const auto upTo = [&](int max) { return static_cast<int>(random() % static_cast<unsigned>(max + 1)); };
  DrawnAnimation animation{24, 16, 0, {}};
  const int count = 3 + upTo(9);
  for (int i = 0; i < count; ++i) {
    DrawnFrame frame;
    const bool all = i == 0 || upTo(4) == 0;
    frame.x = all ? 0 : upTo(11) * 2;
    frame.y = all ? 0 : upTo(7) * 2;
    frame.width = all ? 24 : 1 + upTo(23 - frame.x);
    frame.height = all ? 16 : 1 + upTo(15 - frame.y);
    frame.color = {static_cast<uint8_t>(upTo(255)), static_cast<uint8_t>(upTo(255)),
                   static_cast<uint8_t>(upTo(255)),
                   static_cast<uint8_t>(seeThrough && upTo(1) == 0 ? 40 + upTo(180) : 255)};
    frame.disposal = i == 0 ? upTo(1) : upTo(2);
    frame.blends = upTo(2) != 0;
    frame.holes = upTo(2) == 0;
    // ffmpeg treats a full-size frame as independent of earlier ones if it is cleared afterwards.
    if (all && i > 0 && frame.disposal == 1) frame.disposal = 0;
    animation.frames.push_back(frame);
  }
  return animation;
}

}  // namespace

TEST_CASE("an animated image shows each frame for its duration") {
  for (const Format& format : kFormats) {
    CAPTURE(std::string(format.name));
    const DrawnAnimation animation{8, 8, 0, {whole(kRed, 10), whole(kGreen, 25), whole(kBlue, 5)}};
    const auto file = opened(written(std::string("three.") + format.name, format.write(animation)));
    CHECK(file->endUs() == 400'000);
    const ImagePtr red = frameAt(*file, 0);
    CHECK(red->format() == PixelFormat::kRgbaStraight);
    CHECK(colorAt(*red, 4, 4) == "red");
    CHECK(frameAt(*file, 99'000) == red);
    CHECK(colorAt(*frameAt(*file, 100'000), 4, 4) == "green");
    CHECK(colorAt(*frameAt(*file, 99'900), 4, 4) == "green");  // the whole file except the next frame
    CHECK(colorAt(*frameAt(*file, 349'000), 4, 4) == "green");
    CHECK(colorAt(*frameAt(*file, 350'000), 4, 4) == "blue");
    CHECK(colorAt(*frameAt(*file, int64_t{1} << 50), 4, 4) == "blue");
    CHECK(frameAt(*file, 0) == red);  // small frames are cached
  }
}

TEST_CASE("probe results of animated images") {
  for (const Format& format : kFormats) {
    CAPTURE(std::string(format.name));
    const std::string name = std::string("probed.") + format.name;
    for (const int plays : {0, 1, 3}) {
      const auto metadata = probe(written(
          name,
          format.write(
              {20, 10, plays, {{.width = 20, .height = 10}, {.width = 20, .height = 10, .delay = 30}}})));
      REQUIRE(metadata.ok());
      CHECK(metadata.value().kind == MediaMetadata::Kind::kImage);
      CHECK(metadata.value().container == format.name);
      CHECK(metadata.value().width == 20);
      CHECK(metadata.value().durationSeconds == doctest::Approx(0.4));
      CHECK(metadata.value().plays == plays);
    }
    const auto still = probe(written(name, format.write({8, 8, 0, {whole(kRed)}})));
    REQUIRE(still.ok());
    CHECK(still.value().durationSeconds == 0);
    CHECK_FALSE(still.value().plays);
  }
}

TEST_CASE("frames of 10 ms or less last 100 ms") {
  for (const Format& format : kFormats) {
    CAPTURE(std::string(format.name));
    const DrawnAnimation animation{8, 8, 0, {whole(kRed, 0), whole(kGreen, 1), whole(kBlue, 2)}};
    CHECK(opened(written(std::string("short.") + format.name, format.write(animation)))->endUs() == 220'000);
  }
}

TEST_CASE("frames are composited over the result of the previous frame's disposal") {
  for (const Format& format : kFormats) {
    CAPTURE(std::string(format.name));
    DrawnFrame left{.x = 0, .y = 0, .width = 4, .height = 8, .color = kGreen};
    DrawnFrame right{.x = 4, .y = 0, .width = 4, .height = 8, .color = kBlue};
    left.disposal = 1;
    const auto file = opened(written(std::string("laid.") + format.name,
                                     format.write({8, 8, 0, {whole(kRed), left, right, right}})));
    const ImagePtr second = frameAt(*file, 100'000);
    CHECK(colorAt(*second, 1, 4) == "green");
    CHECK(colorAt(*second, 6, 4) == "red");
    const ImagePtr third = frameAt(*file, 200'000);
    CHECK(colorAt(*third, 1, 4) == "none");
    CHECK(colorAt(*third, 6, 4) == "blue");
    // Back to the start, and directly into the middle.
    CHECK(colorAt(*frameAt(*file, 0), 1, 4) == "red");
    const auto other = opened(fixture::path(std::string("laid.") + format.name));
    CHECK(colorAt(*frameAt(*other, 300'000), 1, 4) == "none");
    CHECK(colorAt(*frameAt(*other, 100'000), 6, 4) == "red");
  }
}

TEST_CASE("translucent frames are blended or replace their area") {
  for (const Format& format : {kFormats[1], kFormats[2]}) {
    CAPTURE(std::string(format.name));
    const DrawnFrame over{.width = 4, .height = 8, .color = {0, 0, 255, 128}};
    DrawnFrame instead = over;
    instead.x = 4;
    instead.blends = false;
    const auto file = opened(
        written(std::string("half.") + format.name, format.write({8, 8, 0, {whole(kRed), over, instead}})));
    const auto pixel = fixture::pixelAt(*frameAt(*file, 200'000), 1, 1);
    CHECK(pixel.a == 255);
    CHECK(std::abs(pixel.r - 127) <= 1);
    CHECK(std::abs(pixel.b - 128) <= 1);
    CHECK(colorAt(*frameAt(*file, 200'000), 6, 1) == "blue-128");
  }
}

TEST_CASE("random animations equal ffmpeg's output in any order of frames") {
  std::mt19937 random(7);
  for (int round = 0; round < 40; ++round) {
    const Format& format = kFormats[round % 2];
    CAPTURE(round);
    const DrawnAnimation animation = drawnAtRandom(random, round % 2 == 1);
    const std::string path = written("random." + std::string(format.name), format.write(animation));
    const auto expected = witnessed(path, animation.frames.size(), 24 * 16 * 4);
    const auto file = opened(path);
    for (size_t i = 0; i < expected.size(); ++i) {
      CAPTURE(i);
      CHECK(largestDifference(*frameAt(*file, static_cast<int64_t>(i) * 100'000), expected[i]) <= 2);
    }
    for (int jump = 0; jump < 6; ++jump) {
      const size_t i = random() % expected.size();
      const auto fresh = opened(path);
      CHECK(largestDifference(*frameAt(*fresh, static_cast<int64_t>(i) * 100'000), expected[i]) <= 2);
      const size_t back = random() % (i + 1);
      CHECK(largestDifference(*frameAt(*fresh, static_cast<int64_t>(back) * 100'000), expected[back]) <= 2);
    }
  }
}

TEST_CASE("encoded files play as their input") {
  const std::string source = "-f lavfi -i \"testsrc2=s=48x32:r=10:d=1,format=rgba\" ";
  struct Case {
    const char* name;
    const char* options;
    int slack;
  };
  for (const Case& one :
       {Case{"real.gif", "-filter_complex \"split[a][b];[a]palettegen[p];[b][p]paletteuse\" ", 0},
        Case{"real.png", "-f apng -plays 0 -pred mixed ", 0}}) {
    CAPTURE(std::string(one.name));
    const std::string path = fixture::media(one.name, source + one.options);
    const auto expected = witnessed(path, 10, 48 * 32 * 4);
    const auto file = opened(path);
    CHECK(std::abs(file->endUs() - 1'000'000) <= 1);
    for (size_t i = 0; i < 10; ++i) {
      CAPTURE(i);
      CHECK(largestDifference(*frameAt(*file, static_cast<int64_t>(i) * 100'000), expected[i]) <= one.slack);
    }
  }
  for (const char* options : {"-c:v libwebp_anim -lossless 1", "-c:v libwebp_anim -quality 90"}) {
    const std::string name =
        std::string(options).find("lossless") == std::string::npos ? "lossy" : "lossless";
    CAPTURE(name);
    const auto file = opened(fixture::media(name + "-real.webp", source + options));
    for (const int i : {0, 4, 9}) {
      const auto still = decodeStill(fixture::media(
          "frame" + std::to_string(i) + ".png",
          source + "-vf \"select=eq(n\\," + std::to_string(i) + ")\" -frames:v 1 -pix_fmt rgba"));
      REQUIRE(still.ok());
      const ImagePtr image = frameAt(*file, i * 100'000);
      double sum = 0;
      for (int y = 0; y < 32; ++y) {
        for (int x = 0; x < 48; ++x) {
          const auto a = fixture::pixelAt(*image, x, y), b = fixture::pixelAt(*still.value(), x, y);
          sum += std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b);
        }
      }
      CHECK(sum / (48 * 32 * 3) <= (name == "lossy" ? 12 : 1));
    }
  }
}

TEST_CASE("a truncated or damaged animation fails and never shows a partial frame") {
  for (const Format& format : kFormats) {
    CAPTURE(std::string(format.name));
    const auto bytes = format.write({8, 8, 0, {whole(kRed), whole(kGreen), whole(kBlue)}});
    for (const double part : {0.5, 0.8, 0.97}) {
      CAPTURE(part);
      const std::vector<uint8_t> start(
          bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(static_cast<double>(bytes.size()) * part));
      const auto metadata = probe(written(std::string("cut.") + format.name, start));
      REQUIRE_FALSE(metadata.ok());
      CHECK(metadata.error().code == ErrorCode::DECODE_FAILED);
    }
  }
  // A GIF without its trailer is complete; many encoders write such files.
  auto open = fixture::gifOf({8, 8, 0, {whole(kRed), whole(kGreen)}});
  open.pop_back();
  CHECK(probe(written("open.gif", open)).ok());
  auto changed = fixture::apngOf({8, 8, 0, {whole(kRed), whole(kGreen)}});
  changed[changed.size() - 40] ^= 0xFF;  // in the second frame's pixels
  const auto file = opened(written("turned.png", changed));
  CHECK(file->frameAt(0).ok());
  CHECK_FALSE(file->frameAt(100'000).ok());
  CHECK(file->frameAt(0).ok());
}

TEST_CASE("a frame whose image has another size than declared is an error") {
  // In the animation's table, but not in the images.
  auto webp = fixture::webpOf({32, 32, 0, {{.width = 8, .height = 8}, {.width = 8, .height = 8}}});
  const std::string mark = "ANMF";
  const auto first = std::search(webp.begin(), webp.end(), mark.begin(), mark.end());
  for (const uint8_t side : {3, 31}) {
    CAPTURE(int{side});
    *(first + 8 + 6) = side;
    *(first + 8 + 9) = side;
    const auto file = opened(written("sized.webp", webp));
    const auto image = file->frameAt(0);
    REQUIRE_FALSE(image.ok());
    CHECK(file->frameAt(100'000).ok() == false);
  }
}

TEST_CASE("animations beyond the limits are rejected before decoding") {
  const auto refusal = [](const std::vector<uint8_t>& bytes) {
    const auto metadata = probe(written("bomb.gif", bytes));
    REQUIRE_FALSE(metadata.ok());
    CHECK(metadata.error().code == ErrorCode::MEDIA_UNSUPPORTED);
    return metadata.error().message;
  };
  DrawnAnimation animation{8, 8, 0, {}};
  animation.frames.resize(20'001, {.width = 1, .height = 1});
  CHECK(refusal(fixture::gifOf(animation)).find("20000 frames") != std::string::npos);
  const auto sized = [](std::vector<uint8_t> gif, int width, int height, size_t at) {
    for (const int side : {width, height}) {
      gif[at++] = static_cast<uint8_t>(side);
      gif[at++] = static_cast<uint8_t>(side >> 8);
    }
    return gif;
  };
  const auto two = fixture::gifOf({8, 8, 0, {whole(kRed), whole(kBlue)}});
  CHECK(refusal(sized(two, 5000, 5000, 6)).find("16.7 megapixels") != std::string::npos);
  // A frame larger than its canvas.
  const auto descriptor = static_cast<size_t>(std::find(two.begin(), two.end(), 0x2C) - two.begin());
  CHECK(refusal(sized(two, 60000, 60000, descriptor + 5)).find("60000x60000") != std::string::npos);
  auto many = fixture::gifOf({8, 8, 0, std::vector<DrawnFrame>(700, {.width = 1, .height = 1})});
  for (size_t at = 0; at + 20 < many.size(); ++at) {
    if (many[at] == 0x2C && many[at + 9] == 0x81) many = sized(std::move(many), 4000, 3000, at + 5);
  }
  CHECK(refusal(many).find("8400 megapixels") != std::string::npos);
}

TEST_CASE("randomly changed animations do not crash") {
  std::mt19937 random(3);
  for (const Format& format : kFormats) {
    const auto bytes = format.write(drawnAtRandom(random, true));
    for (int round = 0; round < 400; ++round) {
      auto wrong = bytes;
      for (int i = 0; i < 1 + round % 3; ++i) wrong[random() % wrong.size()] = static_cast<uint8_t>(random());
      if (round % 4 == 0) wrong.resize(random() % wrong.size());
      const std::string path = written(std::string("wrong.") + format.name, wrong);
      (void)probe(path).ok();
      auto file = AnimationFile::open(path, kNever);
      if (!file.ok()) continue;
      for (const int64_t us : {0, 250'000, 900'000, 100'000}) (void)file.value()->frameAt(us).ok();
    }
  }
}
