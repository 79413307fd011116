#include "libav/decode/color/primaries_conversion.h"

#include <algorithm>

#include "kernels/color_matrix.h"

namespace framewright {
namespace {

kernels::PrimariesConversion conversionOf(AVColorPrimaries primaries, const kernels::SignalMatrix& matrix) {
  using kernels::SignalMatrix;
  kernels::PrimariesConversion c;
  constexpr double kUnit = double{kernels::kSignalRange} * (1 << SignalMatrix::kShift);
  const auto setSignal = [&](int color, double fromCb, double fromCr, double offset) {
    // Without the rounding of integers.
    const double sums[4] = {static_cast<double>(matrix.y), fromCb, fromCr,
                            offset - (1 << (SignalMatrix::kShift - 1))};
    for (int i = 0; i < 4; ++i) c.signals[color][i] = static_cast<float>(sums[i] / kUnit);
  };
  setSignal(0, 0, matrix.redCr, matrix.redOffset);
  setSignal(1, matrix.greenCb, matrix.greenCr, matrix.greenOffset);
  setSignal(2, matrix.blueCb, 0, matrix.blueOffset);

  c.toLight = kernels::powerCurve(kVideoGamma);
  c.toSignal = kernels::powerCurve(1 / kVideoGamma);
  const Matrix3 light = primariesMatrix(primaries, AVCOL_PRI_BT709);
  for (size_t i = 0; i < 3; ++i) {
    for (size_t k = 0; k < 3; ++k) c.light[i][k] = static_cast<float>(light[i][k]);
  }

  using namespace kernels;
  const Vector3 luma{kRedShare, kGreenShare, kBlueShare};
  for (size_t k = 0; k < 3; ++k) {
    c.ycbcr[0][k] = static_cast<float>(kLumaRange * luma[k]);
    c.ycbcr[1][k] = static_cast<float>(kChromaRange * kBlueScale * ((k == 2 ? 1 : 0) - luma[k]));
    c.ycbcr[2][k] = static_cast<float>(kChromaRange * kRedScale * ((k == 0 ? 1 : 0) - luma[k]));
  }
  c.ycbcr[0][3] = static_cast<float>(kLumaOffset);
  c.ycbcr[1][3] = c.ycbcr[2][3] = static_cast<float>(kChromaOffset);
  return c;
}

}  // namespace

bool PrimariesConversion::supports(const Request& request) {
  return !request.toRgba && !request.isStill && request.canvas == CanvasTransfer::kSdr && !request.isDeep &&
         PlanarRows::supports(request.layout.format) &&
         av_pix_fmt_desc_get(request.layout.format)->log2_chroma_w == 1 &&
         request.space.transfer == Transfer::kVideo;
}

PrimariesConversion::PrimariesConversion(const Request& request)
    : request_(request),
      rows_(request),
      cells_(ratioCellsOf(request.space.primaries, lumaShares(request.layout.matrix))),
      conversion_(conversionOf(request.space.primaries, rows_.matrix())) {
  conversion_.ratios = cells_->table(request.layout, rows_.matrix());
}

Result<ImagePtr> PrimariesConversion::run(const AVFrame& frame) {
  FW_ASSIGN_OR_RETURN(std::shared_ptr<Image> image,
                      Image::create(PixelFormat::kI420, request_.width, request_.height));
  image->siting = request_.layout.siting;
  const auto rowOf = [&](int plane, int y) {
    return image->plane(plane).data + y * image->plane(plane).stride;
  };
  for (int y = 0; y < request_.height; y += 2) {
    rows_.loadSamples(frame, y);
    for (int i = 0; i < std::min(2, request_.height - y); ++i)
      kernels::convertPrimariesRow(rowOf(0, y + i), rows_.lumaSamples(i), conversion_,
                                   static_cast<size_t>(request_.width));
    kernels::convertPrimariesRow(rowOf(1, y / 2), rowOf(2, y / 2), rows_.chromaSamples(), conversion_,
                                 static_cast<size_t>(image->plane(1).width));
  }
  return ImagePtr(image);
}

}  // namespace framewright
