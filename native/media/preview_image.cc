#include "media/preview_image.h"

#include "media/av_error.h"
#include "media/av_handle.h"

namespace framewright {
Result<ImagePtr> toRgba(const Image& image) {
  ScalerPtr scaler(sws_getContext(
      image.width(), image.height(), AV_PIX_FMT_YUV420P, image.width(), image.height(), AV_PIX_FMT_RGBA,
      SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT, nullptr, nullptr, nullptr));
  if (scaler == nullptr) return avError(ErrorCode::OUT_OF_MEMORY, "scaler", AVERROR(ENOMEM));
  const int* table = sws_getCoefficients(SWS_CS_ITU709);
  sws_setColorspaceDetails(scaler.get(), table, 0, table, 1, 0, 1 << 16, 1 << 16);
  FW_ASSIGN_OR_RETURN(std::shared_ptr<Image> rgba,
                      Image::create(PixelFormat::kRgbaStraight, image.width(), image.height()));
  const uint8_t* from[4] = {};
  int fromStrides[4] = {};
  for (int i = 0; i < 3; ++i) {
    from[i] = image.plane(i).data;
    fromStrides[i] = static_cast<int>(image.plane(i).stride);
  }
  uint8_t* to[4] = {rgba->plane(0).data};
  const int toStrides[4] = {static_cast<int>(rgba->plane(0).stride)};
  sws_scale(scaler.get(), from, fromStrides, 0, image.height(), to, toStrides);
  return ImagePtr(rgba);
}

}  // namespace framewright
