#include "libav/encode/stills/preview_image.h"

#include "libav/decode/color_conversion.h"

namespace framewright {

Result<ImagePtr> toRgba(const Image& image) {
  FW_ASSIGN_OR_RETURN(const auto conversion,
                      ColorConversion::create(image.width(), image.height(), {AV_PIX_FMT_YUV420P},
                                              {AV_PIX_FMT_RGBA, AVCOL_SPC_BT709, true}));
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
  FW_RETURN_IF_ERROR(conversion->run(from, fromStrides, to, toStrides));
  return ImagePtr(rgba);
}

}  // namespace framewright
