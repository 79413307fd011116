#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "libav/encode/video/video_encoder.h"
#include "libav/media_fixture.h"

using namespace framewright;

namespace {

constexpr int kWidth = 480, kHeight = 272, kFrames = 90;

// Smooth noise at several scales, like ground seen from above.
double ground(double x, double y, int scene) {
  double height = 0;
  for (int size = 128; size >= 4; size /= 2) {
    const double u = x / size, v = y / size;
    const int column = static_cast<int>(std::floor(u)), row = static_cast<int>(std::floor(v));
    const auto corner = [&](int dx, int dy) {
      uint32_t hash = static_cast<uint32_t>(column + dx) * 73856093u ^
                      static_cast<uint32_t>(row + dy) * 19349663u ^
                      static_cast<uint32_t>(scene * 31 + size) * 83492791u;
      hash = (hash ^ (hash >> 13)) * 1274126177u;
      return static_cast<double>(hash >> 16) / 65536 - 0.5;
    };
    const double right = u - column, low = v - row;
    height += std::sqrt(size) * ((corner(0, 0) * (1 - right) + corner(1, 0) * right) * (1 - low) +
                                 (corner(0, 1) * (1 - right) + corner(1, 1) * right) * low);
  }
  return height;
}

// A camera over the ground with film grain; a scene cut every 30 frames.
std::vector<ImagePtr> footage() {
  std::mt19937 random(11);
  std::vector<ImagePtr> frames;
  for (int k = 0; k < kFrames; ++k) {
    const auto image = Image::create(PixelFormat::kI420, kWidth, kHeight).take();
    const int scene = k / 30;
    const double x = 1.7 * (k % 30) * (1 + scene), y = 0.6 * (k % 30);
    for (int i = 0; i < 3; ++i) {
      const Plane& plane = image->plane(i);
      const double scale = i == 0 ? 1 : 2;
      for (int row = 0; row < plane.height; ++row)
        for (int column = 0; column < plane.width; ++column) {
          const double value = 120 + 8 * ground(column * scale + x, row * scale + y, 3 * scene + i) / scale +
                               static_cast<double>(random() % 5);
          plane.data[row * plane.stride + column] = static_cast<uint8_t>(std::clamp(value, 16.0, 235.0));
        }
    }
    frames.push_back(image);
  }
  return frames;
}

struct Encoded {
  int64_t bytes = 0;
  double psnr = 0;
  std::string types;  // frame types in display order
};

enum class Plan { kEngine, kFootage, kEncoder };

Encoded encoded(const std::vector<ImagePtr>& frames, const std::string& name, Plan plan) {
  VideoEncoderSettings settings;
  settings.width = kWidth;
  settings.height = kHeight;
  settings.crf = 24;
  // Otherwise the first frame would get a lower QP than x264 uses.
  settings.followsTransition = true;
  settings.showsFootage = plan == Plan::kFootage;
  if (plan == Plan::kEncoder) settings.stillKeyframeInterval = 0;
  const std::string path = fixture::path(name + ".nut"), raw = fixture::path(name + ".yuv");
  auto encoder = VideoEncoder::open(settings, path).take();
  for (const ImagePtr& frame : frames) REQUIRE(encoder->encode({frame}).ok());
  Encoded result;
  result.bytes = encoder->finish().take();
  const std::string input = "ffmpeg -y -nostdin -v error -xerror -i '" + path + "' ";
  CHECK(fixture::outputOf(input + "-f rawvideo '" + raw + "' 2>&1") == "");
  result.types = fixture::outputOf("ffprobe -v error -show_entries frame=pict_type -of default=nk=1:nw=1 '" +
                                   path + "' | tr -d '\\n'");
  std::ifstream file(raw, std::ios::binary);
  const std::vector<char> samples{std::istreambuf_iterator<char>(file), {}};
  REQUIRE(samples.size() == frames.size() * kWidth * kHeight * 3 / 2);
  double sum = 0;
  size_t at = 0;
  for (const ImagePtr& frame : frames)
    for (int i = 0; i < 3; ++i) {
      const Plane& plane = frame->plane(i);
      for (int row = 0; row < plane.height; ++row)
        for (int column = 0; column < plane.width; ++column) {
          const double error = plane.data[row * plane.stride + column] - static_cast<uint8_t>(samples[at++]);
          sum += error * error;
        }
    }
  result.psnr = 10 * std::log10(255.0 * 255.0 * static_cast<double>(samples.size()) / sum);
  return result;
}

}  // namespace

TEST_CASE("planned frames match x264's own lookahead in quality and size") {
  const std::vector<ImagePtr> frames = footage();
  const Encoded planned = encoded(frames, "planned", Plan::kEngine);
  const Encoded plain = encoded(frames, "unplanned", Plan::kEncoder);
  CAPTURE(planned.types);
  CAPTURE(plain.types);
  CAPTURE(planned.bytes);
  CAPTURE(plain.bytes);
  CAPTURE(planned.psnr);
  CAPTURE(plain.psnr);
  // 6 dB are about two thirds of the bytes; better quality may use that many more.
  const double bytesForQuality = std::exp((planned.psnr - plain.psnr) * std::log(2.0) / 4);
  CHECK(static_cast<double>(planned.bytes) < 1.08 * bytesForQuality * static_cast<double>(plain.bytes));
  CHECK(std::abs(planned.psnr - plain.psnr) < 1.5);
  // The scene cuts are detected.
  CHECK(planned.types[30] == 'I');
  CHECK(planned.types[60] == 'I');
  CHECK(std::count(planned.types.begin(), planned.types.end(), 'B') > kFrames / 2);
}

TEST_CASE("footage is encoded exactly as x264 encodes it with its own lookahead") {
  const std::vector<ImagePtr> frames = footage();
  const Encoded asFootage = encoded(frames, "footage", Plan::kFootage);
  const Encoded plain = encoded(frames, "plain", Plan::kEncoder);
  CHECK(asFootage.types == plain.types);
  CHECK(asFootage.bytes == plain.bytes);
  CHECK(asFootage.psnr == plain.psnr);
}
