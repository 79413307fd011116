#include "libav/decode/color_conversion.h"

#include <algorithm>
#include <random>
#include <vector>

extern "C" {
#include <libavutil/imgutils.h>
}

#include <doctest/doctest.h>

#include "libav/decode/color/ycbcr_conversion.h"

using namespace framewright;

namespace {

// Planes of random samples in libav's layout.
struct RandomImage {
  FramePtr frame;

  RandomImage(AVPixelFormat format, int width, int height, std::mt19937* random) : frame(av_frame_alloc()) {
    frame->format = format;
    frame->width = width;
    frame->height = height;
    REQUIRE(av_frame_get_buffer(frame.get(), 0) == 0);
    const int bits = av_pix_fmt_desc_get(format)->comp[0].depth;
    for (int i = 0; i < AV_NUM_DATA_POINTERS && frame->buf[i] != nullptr; ++i) {
      for (size_t k = 0; k < frame->buf[i]->size; ++k) frame->buf[i]->data[k] = random ? (*random)() : 0;
      // Clears the unused high bits of samples with more than 8 bits.
      for (size_t k = 1; bits > 8 && k < frame->buf[i]->size; k += 2)
        frame->buf[i]->data[k] &= (1 << (bits - 8)) - 1;
    }
  }

  std::vector<uint8_t> bytes() const {
    std::vector<uint8_t> all(static_cast<size_t>(
        av_image_get_buffer_size(static_cast<AVPixelFormat>(frame->format), frame->width, frame->height, 1)));
    av_image_copy_to_buffer(all.data(), static_cast<int>(all.size()), frame->data, frame->linesize,
                            static_cast<AVPixelFormat>(frame->format), frame->width, frame->height, 1);
    return all;
  }
};

void checkLikeSwscale(const ColorLayout& from, const ColorLayout& to, int width, int height,
                      std::mt19937& random) {
  if (YcbcrConversion::supports(from, to)) return;  // done without swscale, more exactly
  const RandomImage source(from.format, width, height, &random);
  const RandomImage made(to.format, width, height, nullptr), wanted(to.format, width, height, nullptr);
  auto conversion = ColorConversion::create(width, height, from, to);
  auto scaler = createScaler(width, height, from, to);
  REQUIRE(conversion.ok());
  REQUIRE(scaler.ok());
  const AVFrame& frame = *source.frame;
  // Twice, as for consecutive frames.
  for (int round = 0; round < 2; ++round) {
    REQUIRE(conversion.value()->run(frame.data, frame.linesize, made.frame->data, made.frame->linesize).ok());
  }
  REQUIRE(sws_scale(scaler.value().get(), frame.data, frame.linesize, 0, height, wanted.frame->data,
                    wanted.frame->linesize) == height);
  CHECK(made.bytes() == wanted.bytes());
}

}  // namespace

TEST_CASE("colour conversion equals swscale's own output") {
  std::mt19937 random(31);
  constexpr AVPixelFormat kSources[] = {AV_PIX_FMT_YUV420P,     AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUV444P,
                                        AV_PIX_FMT_YUV440P,     AV_PIX_FMT_YUV411P, AV_PIX_FMT_YUV410P,
                                        AV_PIX_FMT_YUV420P10LE, AV_PIX_FMT_NV12,    AV_PIX_FMT_YUV444P12LE,
                                        AV_PIX_FMT_YUVA420P,    AV_PIX_FMT_UYVY422, AV_PIX_FMT_GRAY8,
                                        AV_PIX_FMT_RGB24};
  const ColorLayout planar{AV_PIX_FMT_YUV420P}, rgba{AV_PIX_FMT_RGBA, AVCOL_SPC_BT709, true};
  for (const AVPixelFormat format : kSources) {
    CAPTURE(av_get_pix_fmt_name(format));
    for (const AVColorSpace matrix : {AVCOL_SPC_BT709, AVCOL_SPC_SMPTE170M, AVCOL_SPC_BT2020_NCL}) {
      for (const bool fullRange : {false, true}) {
        for (const ColorLayout& to : {planar, rgba}) {
          CAPTURE(matrix);
          CAPTURE(fullRange);
          CAPTURE(av_get_pix_fmt_name(to.format));
          checkLikeSwscale({format, matrix, fullRange}, to, 200, 202, random);
          checkLikeSwscale({format, matrix, fullRange}, to, 37, 65, random);
        }
      }
    }
  }
}

TEST_CASE("small and very long images are converted like others") {
  std::mt19937 random(32);
  const ColorLayout jpeg{AV_PIX_FMT_YUV422P, AVCOL_SPC_SMPTE170M, true};
  constexpr int kSizes[][2] = {{1, 1},    {2, 2},   {3, 1},    {1, 9},    {8, 64},
                               {16, 128}, {5, 129}, {2000, 3}, {64, 1000}};
  for (const auto& [width, height] : kSizes) {
    CAPTURE(width);
    CAPTURE(height);
    checkLikeSwscale(jpeg, {AV_PIX_FMT_YUV420P}, width, height, random);
    checkLikeSwscale(jpeg, {AV_PIX_FMT_RGBA, AVCOL_SPC_BT709, true}, width, height, random);
  }
}

TEST_CASE("video of full range is converted to limited range, whatever its matrix") {
  for (const AVColorSpace matrix : {AVCOL_SPC_BT709, AVCOL_SPC_SMPTE170M}) {
    CAPTURE(matrix);
    RandomImage source(AV_PIX_FMT_YUV420P, 64, 36, nullptr), made(AV_PIX_FMT_YUV420P, 64, 36, nullptr);
    AVFrame& frame = *source.frame;
    std::fill_n(frame.data[0], frame.linesize[0] * frame.height, uint8_t{64});
    for (const int i : {1, 2}) std::fill_n(frame.data[i], frame.linesize[i] * frame.height / 2, uint8_t{128});
    auto conversion = ColorConversion::create(64, 36, {AV_PIX_FMT_YUV420P, matrix, true},
                                              {AV_PIX_FMT_YUV420P, AVCOL_SPC_BT709, false});
    REQUIRE(conversion.ok());
    REQUIRE(conversion.value()->run(frame.data, frame.linesize, made.frame->data, made.frame->linesize).ok());
    CHECK(made.frame->data[0][0] == 71);  // 16 + 64 * 219 / 255
    CHECK(made.frame->data[1][0] == 128);
  }
}
