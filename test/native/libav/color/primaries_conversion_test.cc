#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <doctest/doctest.h>

#include "libav/decode/color/mapped_conversion.h"

using namespace framewright;

namespace {

// Flat blocks, whose middle is not touched by the interpolation of chroma.
constexpr int kBlock = 8, kColumns = 128;

struct Sample {
  int y, cb, cr;
};

std::vector<Sample> allColors(int step) {
  std::vector<Sample> samples;
  for (int y = 16; y <= 235; y += step) {
    for (int cb = 16; cb <= 240; cb += step) {
      for (int cr = 16; cr <= 240; cr += step) samples.push_back({y, cb, cr});
    }
  }
  for (int y = 0; y < 256; ++y) samples.push_back({y, 128, 128});
  return samples;
}

AVFrame* frameOf(const std::vector<Sample>& samples, int width, int height) {
  AVFrame* const frame = av_frame_alloc();
  frame->format = AV_PIX_FMT_YUV420P;
  frame->width = width;
  frame->height = height;
  REQUIRE(av_frame_get_buffer(frame, 64) == 0);
  for (size_t i = 0; i < samples.size(); ++i) {
    const int left = static_cast<int>(i) % kColumns * kBlock, top = static_cast<int>(i) / kColumns * kBlock;
    const int values[3] = {samples[i].y, samples[i].cb, samples[i].cr};
    for (int p = 0; p < 3; ++p) {
      const int shift = p == 0 ? 0 : 1;
      for (int y = 0; y < kBlock >> shift; ++y) {
        uint8_t* const row = frame->data[p] + ((top >> shift) + y) * ptrdiff_t{frame->linesize[p]};
        std::fill_n(row + (left >> shift), kBlock >> shift, static_cast<uint8_t>(values[p]));
      }
    }
  }
  return frame;
}

// Y, Cb and Cr of BT.709, not rounded.
Vector3 exactly(const Sample& sample, const ColorSpace& space, const LumaShares& shares, double power) {
  const double luma = (sample.y - 16) / 219.0, cb = (sample.cb - 128) / 224.0, cr = (sample.cr - 128) / 224.0;
  const double r = luma + 2 * (1 - shares.red) * cr, b = luma + 2 * (1 - shares.blue) * cb;
  Vector3 light{r, (luma - shares.red * r - shares.blue * b) / (1 - shares.red - shares.blue), b};
  for (double& value : light) value = std::pow(std::clamp(value, 0.0, 1.0), power);
  Vector3 signals = primariesMatrix(space.primaries, AVCOL_PRI_BT709) * light;
  for (double& value : signals) value = std::pow(std::clamp(value, 0.0, 1.0), 1 / 2.4);
  const double made = 0.2126 * signals[0] + 0.7152 * signals[1] + 0.0722 * signals[2];
  return {16 + 219 * made, 128 + 224 * (signals[2] - made) / 1.8556,
          128 + 224 * (signals[0] - made) / 1.5748};
}

}  // namespace

TEST_CASE("SDR video with other primaries is converted within a level of the exact colour") {
  struct Video {
    const char* name;
    AVColorPrimaries primaries;
    AVColorSpace matrix;
    Transfer transfer;
    double power;
  };
  const Video videos[] = {
      {"SMPTE 170M", AVCOL_PRI_SMPTE170M, AVCOL_SPC_SMPTE170M, Transfer::kVideo, 2.4},
      {"BT.470BG", AVCOL_PRI_BT470BG, AVCOL_SPC_BT470BG, Transfer::kVideo, 2.4},
      {"BT.2020", AVCOL_PRI_BT2020, AVCOL_SPC_BT2020_NCL, Transfer::kVideo, 2.4},
      {"Display P3", AVCOL_PRI_SMPTE432, AVCOL_SPC_BT709, Transfer::kVideo, 2.4},
      {"gamma 2.2", AVCOL_PRI_BT709, AVCOL_SPC_BT709, Transfer::kGamma22, 2.2},
      {"gamma 2.8", AVCOL_PRI_BT470BG, AVCOL_SPC_BT470BG, Transfer::kGamma28, 2.8},
  };
  const std::vector<Sample> samples = allColors(9);
  const int width = kColumns * kBlock,
            height = (static_cast<int>(samples.size()) + kColumns - 1) / kColumns * kBlock;
  AVFrame* frame = frameOf(samples, width, height);
  for (const Video& video : videos) {
    CAPTURE(video.name);
    MappedConversion::Request request;
    request.width = width;
    request.height = height;
    request.layout.format = AV_PIX_FMT_YUV420P;
    request.layout.matrix = video.matrix;
    request.layout.siting = ChromaSiting::kLeft;
    request.space = {video.transfer, video.primaries, 0};
    auto conversion = MappedConversion::create(request);
    REQUIRE(conversion.ok());
    const auto image = conversion.value()->run(*frame);
    REQUIRE(image.ok());
    double sum = 0, worst = 0, worstGrey = 0;
    for (size_t i = 0; i < samples.size(); ++i) {
      const Vector3 exact = exactly(samples[i], request.space, lumaShares(video.matrix), video.power);
      const int left = static_cast<int>(i) % kColumns * kBlock + kBlock / 2,
                top = static_cast<int>(i) / kColumns * kBlock + kBlock / 2;
      for (int p = 0; p < 3; ++p) {
        const int shift = p == 0 ? 0 : 1;
        const Plane& plane = image.value()->plane(p);
        const double error = std::abs(plane.data[(top >> shift) * plane.stride + (left >> shift)] -
                                      exact[static_cast<size_t>(p)]);
        sum += error;
        worst = std::max(worst, error);
        if (samples[i].cb == 128 && samples[i].cr == 128) worstGrey = std::max(worstGrey, error);
      }
    }
    const double mean = sum / static_cast<double>(3 * samples.size());
    std::printf("%s: mean error %.3f levels, worst %.2f, of grey %.2f\n", video.name, mean, worst, worstGrey);
    CHECK(mean <= 0.26);
    CHECK(worst < 1);
    CHECK(worstGrey <= 0.53);
  }
  av_frame_free(&frame);
}
