#include "libav/decode/color_conversion.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

#include "core/image.h"
#include "libav/decode/color/ycbcr_conversion.h"

namespace framewright {
namespace {

constexpr int kScalerFlags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP;
// Rows converted at a time, so that the intermediate planes stay in the CPU cache.
constexpr int kBandRows = 64;

Status conversionFailed(int rows) {
  return Error{ErrorCode::DECODE_FAILED, "the frame cannot be converted",
               "sws_scale: " + std::to_string(rows)};
}

class SwscaleConversion : public ColorConversion {
 public:
  SwscaleConversion(ScalerPtr scaler, int height) : scaler_(std::move(scaler)), height_(height) {}

  Status run(const uint8_t* const* from, const int* fromStrides, uint8_t* const* to,
             const int* toStrides) override {
    const int rows = sws_scale(scaler_.get(), from, fromStrides, 0, height_, to, toStrides);
    return rows == height_ ? Status() : conversionFailed(rows);
  }

 private:
  ScalerPtr scaler_;
  int height_;
};

// Rows of planar RGB, in swscale's order: green, blue, red.
class RgbBand {
 public:
  // swscale may delay some rows and output them with the next band.
  static constexpr int kRows = 2 * kBandRows;

  static Result<RgbBand> create(int width) {
    RgbBand band;
    // One byte per sample, in an Image because its rows are aligned and padded for SIMD code.
    for (auto& plane : band.planes_) {
      FW_ASSIGN_OR_RETURN(plane, Image::create(PixelFormat::kRgbaStraight, width / 4 + 32, kRows));
    }
    return band;
  }

  int stride() const { return static_cast<int>(planes_[0]->plane(0).stride); }
  uint8_t* plane(int index) const { return planes_[index]->plane(0).data; }

 private:
  std::array<std::shared_ptr<Image>, 3> planes_;
};

// Converts YCbCr to planar RGB and that to the target.
class PlanarRgbConversion : public ColorConversion {
 public:
  // `fromPlanes`: from planar RGB to the target; null: the target is RGBA.
  PlanarRgbConversion(ScalerPtr toPlanes, ScalerPtr fromPlanes, RgbBand band, int width, int height,
                      const AVPixFmtDescriptor& source)
      : toPlanes_(std::move(toPlanes)),
        fromPlanes_(std::move(fromPlanes)),
        band_(std::move(band)),
        width_(width),
        height_(height),
        chromaShift_(source.log2_chroma_h) {}

  Status run(const uint8_t* const* from, const int* fromStrides, uint8_t* const* to,
             const int* toStrides) override {
    const int strides[4] = {band_.stride(), band_.stride(), band_.stride(), 0};
    int converted = 0, written = 0;
    for (int y = 0; y < height_; y += kBandRows) {
      const uint8_t* slice[4] = {};
      for (int i = 0; i < 4 && from[i] != nullptr; ++i) {
        const int row = i == 1 || i == 2 ? y >> chromaShift_ : y;
        slice[i] = from[i] + static_cast<ptrdiff_t>(row) * fromStrides[i];
      }
      // swscale counts rows from the top of the frame.
      uint8_t* planes[4] = {};
      for (int i = 0; i < 3; ++i) planes[i] = band_.plane(i) - static_cast<ptrdiff_t>(converted) * strides[i];
      const int rows = sws_scale(toPlanes_.get(), slice, fromStrides, y, std::min(kBandRows, height_ - y),
                                 planes, strides);
      if (rows < 0 || rows > RgbBand::kRows) return conversionFailed(rows);
      written += fromPlanes_ == nullptr ? interleave(converted, rows, to, toStrides)
                                        : scale(converted, rows, to, toStrides);
      converted += rows;
    }
    return written == height_ ? Status() : conversionFailed(written);
  }

 private:
  int interleave(int first, int rows, uint8_t* const* to, const int* toStrides) const {
    for (int y = 0; y < rows; ++y) {
      const ptrdiff_t at = static_cast<ptrdiff_t>(y) * band_.stride();
      const uint8_t *green = band_.plane(0) + at, *blue = band_.plane(1) + at, *red = band_.plane(2) + at;
      uint8_t* rgba = to[0] + static_cast<ptrdiff_t>(first + y) * toStrides[0];
      for (int x = 0; x < width_; ++x) {
        const uint8_t pixel[4] = {red[x], green[x], blue[x], 255};
        std::memcpy(rgba + 4 * x, pixel, sizeof(pixel));
      }
    }
    return rows;
  }

  int scale(int first, int rows, uint8_t* const* to, const int* toStrides) const {
    if (rows == 0) return 0;
    const uint8_t* const planes[4] = {band_.plane(0), band_.plane(1), band_.plane(2), nullptr};
    const int strides[4] = {band_.stride(), band_.stride(), band_.stride(), 0};
    return sws_scale(fromPlanes_.get(), planes, strides, first, rows, to, toStrides);
  }

  ScalerPtr toPlanes_, fromPlanes_;
  RgbBand band_;
  int width_, height_, chromaShift_;
};

bool isOpaqueYcbcr(const AVPixFmtDescriptor* format) {
  constexpr uint64_t kOther = AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_ALPHA |
                              AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_BAYER;
  return format != nullptr && format->nb_components == 3 && (format->flags & AV_PIX_FMT_FLAG_PLANAR) != 0 &&
         (format->flags & kOther) == 0;
}

bool goesThroughRgb(const ColorLayout& from, const ColorLayout& to) {
  if (!isOpaqueYcbcr(av_pix_fmt_desc_get(from.format))) return false;
  if (to.format == AV_PIX_FMT_RGBA) return true;
  const int *one = sws_getCoefficients(from.matrix), *other = sws_getCoefficients(to.matrix);
  return to.format == AV_PIX_FMT_YUV420P && !std::equal(one, one + 4, other);
}

}  // namespace

Result<ScalerPtr> createScaler(int width, int height, const ColorLayout& from, const ColorLayout& to) {
  ScalerPtr scaler(sws_alloc_context());
  if (scaler == nullptr) return Error{ErrorCode::OUT_OF_MEMORY, "not enough memory to convert a frame", ""};
  const auto set = [&](const char* name, int value) { av_opt_set_int(scaler.get(), name, value, 0); };
  set("srcw", width);
  set("srch", height);
  set("src_format", from.format);
  set("dstw", width);
  set("dsth", height);
  set("dst_format", to.format);
  set("sws_flags", kScalerFlags);
  // A context that learns the ranges later copies planes of one format and leaves their range as it is.
  set("src_range", from.fullRange ? 1 : 0);
  set("dst_range", to.fullRange ? 1 : 0);
  if (sws_init_context(scaler.get(), nullptr, nullptr) < 0) {
    const char* name = av_get_pix_fmt_name(from.format);
    return unsupportedMedia(std::string("the pixel layout ") + (name != nullptr ? name : "?") +
                            " is not supported");
  }
  sws_setColorspaceDetails(scaler.get(), sws_getCoefficients(from.matrix), from.fullRange ? 1 : 0,
                           sws_getCoefficients(to.matrix), to.fullRange ? 1 : 0, 0, 1 << 16, 1 << 16);
  return scaler;
}

Result<std::unique_ptr<ColorConversion>> ColorConversion::create(int width, int height,
                                                                 const ColorLayout& from,
                                                                 const ColorLayout& to) {
  if (YcbcrConversion::supports(from, to))
    return std::unique_ptr<ColorConversion>(std::make_unique<YcbcrConversion>(width, height, from, to));
  if (!goesThroughRgb(from, to)) {
    FW_ASSIGN_OR_RETURN(ScalerPtr scaler, createScaler(width, height, from, to));
    return std::unique_ptr<ColorConversion>(std::make_unique<SwscaleConversion>(std::move(scaler), height));
  }
  ColorLayout source = from, planes = to;
  planes.format = AV_PIX_FMT_GBRP;
  FW_ASSIGN_OR_RETURN(ScalerPtr toPlanes, createScaler(width, height, source, planes));
  ScalerPtr fromPlanes;
  if (to.format != AV_PIX_FMT_RGBA) {
    // Keeps the source's matrix and range, as swscale's own conversion does.
    source.format = AV_PIX_FMT_GBRP;
    FW_ASSIGN_OR_RETURN(fromPlanes, createScaler(width, height, source, to));
  }
  FW_ASSIGN_OR_RETURN(RgbBand band, RgbBand::create(width));
  return std::unique_ptr<ColorConversion>(
      std::make_unique<PlanarRgbConversion>(std::move(toPlanes), std::move(fromPlanes), std::move(band),
                                            width, height, *av_pix_fmt_desc_get(from.format)));
}

}  // namespace framewright
