#include "libav/decode/color/profiled_image.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "libav/av_error.h"

namespace framewright {
namespace {

int clampByte(double value) { return static_cast<int>(std::lround(std::clamp(value, 0.0, 255.0))); }

// Y, Cb and Cr of JPEG to the three inks' stored samples, in place.
void convertYcc(int* samples) {
  const double y = samples[0], cb = samples[1] - 128, cr = samples[2] - 128;
  samples[0] = 255 - clampByte(y + 1.402 * cr);
  samples[1] = 255 - clampByte(y - 0.344136 * cb - 0.714136 * cr);
  samples[2] = 255 - clampByte(y + 1.772 * cb);
}

// A sample of a subsampled plane: three parts of the nearest one and one part of the next, in each subsampled
// direction, as libjpeg interpolates.
int interpolatedSample(const AVFrame& frame, int plane, int x, int y, const AVPixFmtDescriptor& format) {
  struct Taps {
    int nearest, next;
  };
  const auto tapsOf = [](int at, int size, int shift) -> Taps {
    if (shift == 0) return {at, at};
    const int last = (size + 1) / 2 - 1;
    return {at / 2, std::clamp(at / 2 + (at % 2 == 0 ? -1 : 1), 0, last)};
  };
  const Taps columns = tapsOf(x, frame.width, format.log2_chroma_w);
  const Taps rows = tapsOf(y, frame.height, format.log2_chroma_h);
  const auto rowSum = [&](int row) {
    const uint8_t* const samples = frame.data[plane] + row * ptrdiff_t{frame.linesize[plane]};
    return 3 * samples[columns.nearest] + samples[columns.next];
  };
  return (3 * rowSum(rows.nearest) + rowSum(rows.next) + 8) / 16;
}

// Alpha stays.
void writeRgb(uint8_t* rgba, const uint8_t* rgb, size_t count) {
  for (size_t x = 0; x < count; ++x) std::copy_n(rgb + 3 * x, 3, rgba + 4 * x);
}

}  // namespace

Result<ImagePtr> applyProfile(const Image& image, const IccProfile& profile) {
  FW_ASSIGN_OR_RETURN(std::shared_ptr<Image> converted,
                      Image::create(PixelFormat::kRgbaStraight, image.width(), image.height()));
  const auto width = static_cast<size_t>(image.width());
  std::vector<uint8_t> grey(width), rgb(3 * width);
  for (int y = 0; y < image.height(); ++y) {
    const uint8_t* from = image.plane(0).data + y * image.plane(0).stride;
    uint8_t* to = converted->plane(0).data + y * converted->plane(0).stride;
    if (profile.kind() == IccProfile::Kind::kRgb) {
      profile.toSrgb(from, to, width);
      continue;
    }
    for (size_t x = 0; x < width; ++x) {
      grey[x] = from[4 * x];
      to[4 * x + 3] = from[4 * x + 3];
    }
    profile.toSrgb(grey.data(), rgb.data(), width);
    writeRgb(to, rgb.data(), width);
  }
  return ImagePtr(converted);
}

Result<ImagePtr> convertCmyk(const AVFrame& frame, const std::optional<AdobeSegment>& adobe,
                             const IccProfile& profile) {
  const AVPixelFormat layouts[] = {AV_PIX_FMT_GBRAP, AV_PIX_FMT_YUVA444P, AV_PIX_FMT_YUVA422P,
                                   AV_PIX_FMT_YUVA420P};
  if (std::find(std::begin(layouts), std::end(layouts), frame.format) == std::end(layouts))
    return unsupportedMedia("a CMYK JPEG of this layout is not supported");
  const AVPixFmtDescriptor& format = *av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  FW_ASSIGN_OR_RETURN(std::shared_ptr<Image> image,
                      Image::create(PixelFormat::kRgbaStraight, frame.width, frame.height));
  const auto width = static_cast<size_t>(frame.width);
  std::vector<uint8_t> inks(4 * width), rgb(3 * width);
  for (int y = 0; y < frame.height; ++y) {
    for (size_t x = 0; x < width; ++x) {
      int samples[4];
      for (int i = 0; i < 4; ++i) {
        const bool isSubsampled = (i == 1 || i == 2) && format.log2_chroma_w > 0;
        samples[i] = isSubsampled
                         ? interpolatedSample(frame, i, static_cast<int>(x), y, format)
                         : frame.data[i][y * ptrdiff_t{frame.linesize[i]} + static_cast<ptrdiff_t>(x)];
      }
      if (adobe && adobe->isYcck) convertYcc(samples);
      for (size_t i = 0; i < 4; ++i)
        inks[4 * x + i] = static_cast<uint8_t>(adobe ? 255 - samples[i] : samples[i]);
    }
    profile.toSrgb(inks.data(), rgb.data(), width);
    std::fill_n(image->plane(0).data + y * image->plane(0).stride, 4 * width, uint8_t{255});
    writeRgb(image->plane(0).data + y * image->plane(0).stride, rgb.data(), width);
  }
  return ImagePtr(image);
}

}  // namespace framewright
