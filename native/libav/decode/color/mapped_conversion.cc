#include "libav/decode/color/mapped_conversion.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "kernels/color_lut.h"
#include "libav/decode/color/planar_rows.h"
#include "libav/decode/color/primaries_conversion.h"

namespace framewright {
namespace {

// YCbCr 4:2:0, 4:2:2 or 4:4:4 to kI420, or to kI010 if Sample has 16 bits.
template <typename Sample>
class PlanarConversion final : public MappedConversion {
 public:
  PlanarConversion(const Request& request, std::shared_ptr<const ColorTable> table)
      : request_(request), table_(std::move(table)), rows_(request) {}

  Result<ImagePtr> run(const AVFrame& frame) override {
    FW_ASSIGN_OR_RETURN(std::shared_ptr<Image> image,
                        Image::create(sizeof(Sample) == 1 ? PixelFormat::kI420 : PixelFormat::kI010,
                                      request_.width, request_.height));
    const bool hasOwnChroma = av_pix_fmt_desc_get(request_.layout.format)->log2_chroma_w == 1;
    image->siting = hasOwnChroma ? request_.layout.siting : ChromaSiting::kLeft;
    const auto rowOf = [&](int plane, int y) {
      return reinterpret_cast<Sample*>(image->plane(plane).data + y * image->plane(plane).stride);
    };
    for (int y = 0; y < request_.height; y += 2) {
      rows_.load(frame, y);
      for (int i = 0; i < std::min(2, request_.height - y); ++i) {
        table_->prepare(rows_.luma(i), static_cast<size_t>(request_.width));
        kernels::mapLumaRow(rowOf(0, y + i), rows_.luma(i), table_->luma.data(),
                            static_cast<size_t>(request_.width));
      }
      table_->prepare(rows_.chroma(), static_cast<size_t>(image->plane(1).width));
      kernels::mapRow(rowOf(1, y / 2), rowOf(2, y / 2), rows_.chroma(), table_->vertices.data(), 2,
                      static_cast<size_t>(image->plane(1).width));
    }
    return ImagePtr(image);
  }

 private:
  const Request request_;
  const std::shared_ptr<const ColorTable> table_;
  PlanarRows rows_;
};

// Everything that swscale reads to kRgbaStraight.
class RgbaConversion final : public MappedConversion {
 public:
  RgbaConversion(const Request& request, std::shared_ptr<const ColorTable> table, ScalerPtr scaler)
      : request_(request),
        table_(std::move(table)),
        scaler_(std::move(scaler)),
        band_(static_cast<size_t>(request.width) * kBandRows * 2 * 4 + kPadding),
        signals_(static_cast<size_t>(request.width) * 3),
        colors_(static_cast<size_t>(request.width) * 3) {}

  Result<ImagePtr> run(const AVFrame& frame) override {
    FW_ASSIGN_OR_RETURN(std::shared_ptr<Image> image,
                        Image::create(PixelFormat::kRgbaStraight, request_.width, request_.height));
    const int chromaShift = av_pix_fmt_desc_get(request_.layout.format)->log2_chroma_h;
    const int stride = request_.width * 8;
    int converted = 0;
    for (int y = 0; y < request_.height; y += kBandRows) {
      const uint8_t* slice[4] = {};
      for (int i = 0; i < 4 && frame.data[i] != nullptr; ++i) {
        const int row = i == 1 || i == 2 ? y >> chromaShift : y;
        slice[i] = isPaletted() && i == 1 ? frame.data[i]
                                          : frame.data[i] + static_cast<ptrdiff_t>(row) * frame.linesize[i];
      }
      // swscale counts rows from the top of the frame, and may delay some.
      uint8_t* const band = reinterpret_cast<uint8_t*>(band_.data());
      uint8_t* const target[4] = {band - static_cast<ptrdiff_t>(converted) * stride};
      const int rows = sws_scale(scaler_.get(), slice, frame.linesize, y,
                                 std::min(kBandRows, request_.height - y), target, &stride);
      if (rows < 0 || rows > 2 * kBandRows) break;
      for (int i = 0; i < rows; ++i)
        mapPixels(band_.data() + static_cast<size_t>(i) * static_cast<size_t>(request_.width) * 4,
                  image->plane(0).data + (converted + i) * image->plane(0).stride);
      converted += rows;
    }
    if (converted == request_.height) return ImagePtr(image);
    return Error{ErrorCode::DECODE_FAILED, "the frame cannot be converted",
                 "sws_scale: " + std::to_string(converted)};
  }

 private:
  static constexpr int kBandRows = 64;
  static constexpr size_t kPadding = 64;

  bool isPaletted() const {
    return (av_pix_fmt_desc_get(request_.layout.format)->flags & AV_PIX_FMT_FLAG_PAL) != 0;
  }

  void mapPixels(const uint16_t* from, uint8_t* to) {
    const auto width = static_cast<size_t>(request_.width);
    const kernels::SignalRow row{signals_.data(), &signals_[width], &signals_[2 * width]};
    const auto signal = [](uint16_t value) {
      return static_cast<uint16_t>((value * uint32_t{kernels::kSignalRange} + 32767) / 65535);
    };
    for (size_t i = 0; i < width; ++i) {
      row.r[i] = signal(from[4 * i]);
      row.g[i] = signal(from[4 * i + 1]);
      row.b[i] = signal(from[4 * i + 2]);
    }
    table_->prepare(row, width);
    uint8_t *const red = colors_.data(), *const green = red + width, *const blue = green + width;
    kernels::mapRow(red, green, row, table_->vertices.data(), 0, width);
    kernels::mapRow(blue, nullptr, row, table_->vertices.data(), 2, width);
    for (size_t i = 0; i < width; ++i) {
      const uint8_t pixel[4] = {red[i], green[i], blue[i],
                                static_cast<uint8_t>((from[4 * i + 3] + 128) / 257)};
      std::memcpy(to + 4 * i, pixel, sizeof(pixel));
    }
  }

  const Request request_;
  const std::shared_ptr<const ColorTable> table_;
  const ScalerPtr scaler_;
  std::vector<uint16_t> band_, signals_;
  std::vector<uint8_t> colors_;
};

}  // namespace

Result<std::unique_ptr<MappedConversion>> MappedConversion::create(const Request& request) {
  if (PrimariesConversion::supports(request))
    return std::unique_ptr<MappedConversion>(std::make_unique<PrimariesConversion>(request));
  const bool isPlanar = !request.toRgba && PlanarRows::supports(request.layout.format);
  const bool isHdr = isPlanar && request.canvas != CanvasTransfer::kSdr;
  const Transfer sdr = request.isStill ? Transfer::kSrgb : Transfer::kVideo;
  const Transfer hdr = request.canvas == CanvasTransfer::kHlg ? Transfer::kHlg : Transfer::kPq;
  auto table = colorTableOf({request.space, isHdr ? hdr : sdr, isPlanar});
  if (isHdr || (isPlanar && request.isDeep)) {
    return std::unique_ptr<MappedConversion>(
        std::make_unique<PlanarConversion<uint16_t>>(request, std::move(table)));
  }
  if (isPlanar) {
    return std::unique_ptr<MappedConversion>(
        std::make_unique<PlanarConversion<uint8_t>>(request, std::move(table)));
  }
  FW_ASSIGN_OR_RETURN(ScalerPtr scaler, createScaler(request.width, request.height, request.layout,
                                                     {AV_PIX_FMT_RGBA64LE, AVCOL_SPC_BT709, true}));
  return std::unique_ptr<MappedConversion>(
      std::make_unique<RgbaConversion>(request, std::move(table), std::move(scaler)));
}

}  // namespace framewright
