#include "compositor/straight_frame.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/color_matrix.h"

namespace framewright {
namespace {

// Chroma of one row at the width of luma, premultiplied and relative to grey, with its alpha.
struct ChromaRow {
  std::vector<float> blue, red, alpha;

  explicit ChromaRow(int width)
      : blue(static_cast<size_t>(width)),
        red(static_cast<size_t>(width)),
        alpha(static_cast<size_t>(width)) {}
};

class StraightRows {
 public:
  StraightRows(const FrameOverBackdrop& dark, const FrameOverBackdrop& bright, Image& straight)
      : dark_(dark),
        bright_(bright),
        straight_(straight),
        near_(dark.frame.plane(1).width),
        atLuma_(straight.width()),
        lumaSpan_(static_cast<float>(bright.backdrop[0] - dark.backdrop[0])),
        chromaSpan_(static_cast<float>(bright.backdrop[1] - dark.backdrop[1])) {}

  void write() {
    for (int y = 0; y < straight_.height(); ++y) {
      interpolateRows(y);
      interpolateColumns();
      writeRow(y);
    }
  }

 private:
  // Chroma rows are between pairs of luma rows: the nearer one counts three quarters.
  void interpolateRows(int y) {
    const int rows = dark_.frame.plane(1).height;
    const int own = y / 2, other = std::clamp(y % 2 == 0 ? own - 1 : own + 1, 0, rows - 1);
    const auto row = [](const Image& image, int plane, int at) {
      return image.plane(plane).data + at * image.plane(plane).stride;
    };
    const uint8_t *blue[2] = {row(dark_.frame, 1, own), row(dark_.frame, 1, other)},
                  *red[2] = {row(dark_.frame, 2, own), row(dark_.frame, 2, other)},
                  *bright[2] = {row(bright_.frame, 1, own), row(bright_.frame, 1, other)};
    constexpr float kNear = 0.75f, kFar = 0.25f;
    for (size_t x = 0; x < near_.blue.size(); ++x) {
      const float mixed = kNear * blue[0][x] + kFar * blue[1][x];
      const float change = kNear * bright[0][x] + kFar * bright[1][x] - mixed;
      near_.blue[x] = mixed - 128;
      near_.red[x] = kNear * red[0][x] + kFar * red[1][x] - 128;
      near_.alpha[x] = std::clamp(1 - change / chromaSpan_, 0.0f, 1.0f);
    }
  }

  // Chroma samples are at even columns.
  void interpolateColumns() {
    const size_t last = near_.blue.size() - 1;
    for (size_t x = 0; x < atLuma_.blue.size(); ++x) {
      const size_t left = x / 2, right = std::min(last, left + x % 2);
      atLuma_.blue[x] = 0.5f * (near_.blue[left] + near_.blue[right]);
      atLuma_.red[x] = 0.5f * (near_.red[left] + near_.red[right]);
      atLuma_.alpha[x] = 0.5f * (near_.alpha[left] + near_.alpha[right]);
    }
  }

  void writeRow(int y) {
    const Plane &dark = dark_.frame.plane(0), &bright = bright_.frame.plane(0), &to = straight_.plane(0);
    const uint8_t *low = dark.data + y * dark.stride, *high = bright.data + y * bright.stride;
    uint8_t* pixel = to.data + y * to.stride;
    constexpr float kLuma = 255.0f / kernels::kLumaRange, kChroma = 255.0f / kernels::kChromaRange;
    constexpr float kRed = kChroma / kernels::kRedScale, kBlue = kChroma / kernels::kBlueScale;
    constexpr float kRedToGreen = kRed * kernels::kRedShare / kernels::kGreenShare;
    constexpr float kBlueToGreen = kBlue * kernels::kBlueShare / kernels::kGreenShare;
    const auto byte = [](float value) {
      return static_cast<uint8_t>(std::clamp(value, 0.0f, 255.0f) + 0.5f);
    };
    constexpr float kMinChromaAlpha = 1.0f / 64;
    for (size_t x = 0; x < atLuma_.blue.size(); ++x, pixel += 4) {
      const float alpha = std::clamp(1 - static_cast<float>(high[x] - low[x]) / lumaSpan_, 0.0f, 1.0f);
      pixel[3] = byte(255 * alpha);
      if (pixel[3] == 0) {
        pixel[0] = pixel[1] = pixel[2] = 0;
        continue;
      }
      const float offset = static_cast<float>(dark_.backdrop[0]);
      const float luma = kLuma * (static_cast<float>(low[x]) - offset) / alpha;
      const float perAlpha = atLuma_.alpha[x] < kMinChromaAlpha ? 0 : 1 / atLuma_.alpha[x];
      const float blue = atLuma_.blue[x] * perAlpha, red = atLuma_.red[x] * perAlpha;
      pixel[0] = byte(luma + kRed * red);
      pixel[1] = byte(luma - kRedToGreen * red - kBlueToGreen * blue);
      pixel[2] = byte(luma + kBlue * blue);
    }
  }

  const FrameOverBackdrop &dark_, &bright_;
  Image& straight_;
  ChromaRow near_, atLuma_;
  const float lumaSpan_, chromaSpan_;
};

}  // namespace

void writeStraightFrame(const FrameOverBackdrop& dark, const FrameOverBackdrop& bright, Image& straight) {
  StraightRows(dark, bright, straight).write();
  straight.contents = 0;
}

}  // namespace framewright
