#include "libav/outputs/output_frame.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "libav/av_error.h"

namespace framewright {
namespace {

constexpr int kScaleFlags =
    SWS_LANCZOS | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP | SWS_BITEXACT;

struct ImagePlanesForScaling {
  const uint8_t* data[4] = {};
  int strides[4] = {};

  explicit ImagePlanesForScaling(const Image& image) {
    for (int i = 0; i < image.planeCount(); ++i) {
      data[i] = image.plane(i).data;
      strides[i] = static_cast<int>(image.plane(i).stride);
    }
  }
};

bool isJpegFormat(AVPixelFormat format) { return format == AV_PIX_FMT_YUVJ420P; }
// Of canvas frames.
AVPixelFormat formatOf(const Image& image) {
  if (image.format() == PixelFormat::kI010) return AV_PIX_FMT_YUV420P10LE;
  return image.format() == PixelFormat::kI420 ? AV_PIX_FMT_YUV420P : AV_PIX_FMT_RGBA;
}
bool isRgbFormat(AVPixelFormat format) {
  return (av_pix_fmt_desc_get(format)->flags & AV_PIX_FMT_FLAG_RGB) != 0;
}

// `axis`: 0 across, 1 down.
bool isSubsampled(AVPixelFormat format, int axis) {
  const AVPixFmtDescriptor& descriptor = *av_pix_fmt_desc_get(format);
  return (axis == 0 ? descriptor.log2_chroma_w : descriptor.log2_chroma_h) > 0;
}

// Two bytes a channel keep the precision of colors under a low alpha.
std::vector<uint16_t> premultiplied(const Image& image) {
  const Plane& plane = image.plane(0);
  std::vector<uint16_t> pixels(static_cast<size_t>(plane.width) * static_cast<size_t>(plane.height) * 4);
  uint16_t* to = pixels.data();
  for (int y = 0; y < plane.height; ++y) {
    const uint8_t* from = plane.data + y * plane.stride;
    for (int x = 0; x < plane.width; ++x, from += 4, to += 4) {
      for (int i = 0; i < 3; ++i) to[i] = static_cast<uint16_t>((from[i] * from[3] * 257 + 127) / 255);
      to[3] = static_cast<uint16_t>(from[3] * 257);
    }
  }
  return pixels;
}

void writeStraight(const std::vector<uint16_t>& pixels, const Plane& plane) {
  const uint16_t* from = pixels.data();
  for (int y = 0; y < plane.height; ++y) {
    uint8_t* to = plane.data + y * plane.stride;
    for (int x = 0; x < plane.width; ++x, from += 4, to += 4) {
      const uint32_t alpha = from[3];
      to[3] = static_cast<uint8_t>((alpha + 128) / 257);
      for (int i = 0; i < 3; ++i) {
        // The filter overshoots at edges.
        const uint32_t color = std::min<uint32_t>(from[i], alpha);
        to[i] = to[3] == 0 ? 0 : static_cast<uint8_t>((color * 255 + alpha / 2) / alpha);
      }
    }
  }
}

std::shared_ptr<Image> overMatte(const Image& image, const Color& matte, std::shared_ptr<Image> opaque) {
  const Plane &from = image.plane(0), &to = opaque->plane(0);
  const int under[3] = {matte.r, matte.g, matte.b};
  for (int y = 0; y < from.height; ++y) {
    const uint8_t* pixel = from.data + y * from.stride;
    uint8_t* target = to.data + y * to.stride;
    for (int x = 0; x < from.width; ++x, pixel += 4, target += 4) {
      const int alpha = pixel[3];
      for (int i = 0; i < 3; ++i)
        target[i] = static_cast<uint8_t>((pixel[i] * alpha + under[i] * (255 - alpha) + 127) / 255);
      target[3] = 255;
    }
  }
  return opaque;
}

// Copies the alpha channel itself, because scalers treat it as color of limited range in some formats.
void writeAlphaPlane(const Image& image, AVFrame& frame) {
  const AVPixFmtDescriptor& format = *av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  if (format.nb_components < 4 || isRgbFormat(static_cast<AVPixelFormat>(frame.format))) return;
  const int depth = format.comp[3].depth;
  const int max = (1 << depth) - 1;
  const Plane& from = image.plane(0);
  for (int y = 0; y < from.height; ++y) {
    const uint8_t* pixel = from.data + y * from.stride + 3;
    uint8_t* row = frame.data[3] + y * frame.linesize[3];
    for (int x = 0; x < from.width; ++x, pixel += 4) {
      if (depth == 8) {
        row[x] = *pixel;
      } else {
        AV_WL16(row + 2 * x, static_cast<uint16_t>((*pixel * max + 127) / 255));
      }
    }
  }
}

}  // namespace

void tagColors(AVFrame& frame, CanvasTransfer transfer) {
  const auto format = static_cast<AVPixelFormat>(frame.format);
  if (isRgbFormat(format)) {
    frame.color_range = AVCOL_RANGE_JPEG;
    frame.colorspace = AVCOL_SPC_RGB;
    return;
  }
  const bool isJpeg = isJpegFormat(format);
  frame.color_range = isJpeg ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
  frame.colorspace = isJpeg ? AVCOL_SPC_SMPTE170M : AVCOL_SPC_BT709;
  frame.color_primaries = AVCOL_PRI_BT709;
  frame.color_trc = AVCOL_TRC_BT709;
  if (transfer != CanvasTransfer::kSdr) {
    frame.colorspace = AVCOL_SPC_BT2020_NCL;
    frame.color_primaries = AVCOL_PRI_BT2020;
    frame.color_trc = transfer == CanvasTransfer::kHlg ? AVCOL_TRC_ARIB_STD_B67 : AVCOL_TRC_SMPTE2084;
  }
  frame.chroma_location = isJpeg ? AVCHROMA_LOC_CENTER : AVCHROMA_LOC_LEFT;
}

Result<SwsContext*> OutputFrameConverter::scaler(Scaling& scaling, int width, int height, AVPixelFormat from,
                                                 AVPixelFormat to) {
  if (scaling.scaler != nullptr && scaling.width == width && scaling.height == height &&
      scaling.format == from)
    return scaling.scaler.get();
  scaling = {ScalerPtr(sws_alloc_context()), width, height, from};
  SwsContext* const context = scaling.scaler.get();
  if (context == nullptr) return outOfMemory("scaler");
  const auto set = [&](const char* name, int64_t value) { av_opt_set_int(context, name, value, 0); };
  set("srcw", width), set("srch", height), set("src_format", from);
  set("dstw", layout_.width), set("dsth", layout_.height), set("dst_format", to);
  set("sws_flags", kScaleFlags);
  // Positions only where chroma is subsampled: elsewhere they would shift it.
  if (isSubsampled(from, 0)) set("src_h_chr_pos", 0);
  if (isSubsampled(from, 1)) set("src_v_chr_pos", 128);
  if (isSubsampled(to, 0)) set("dst_h_chr_pos", isJpegFormat(to) ? 128 : 0);
  if (isSubsampled(to, 1)) set("dst_v_chr_pos", 128);
  const int* const bt709 = sws_getCoefficients(SWS_CS_ITU709);
  const bool isJpeg = isJpegFormat(to);
  sws_setColorspaceDetails(context, bt709, isRgbFormat(from) ? 1 : 0,
                           isJpeg ? sws_getCoefficients(SWS_CS_ITU601) : bt709,
                           isRgbFormat(to) || isJpeg ? 1 : 0, 0, 1 << 16, 1 << 16);
  const int status = sws_init_context(context, nullptr, nullptr);
  if (status < 0) return avError(ErrorCode::OUT_OF_MEMORY, "A frame cannot be converted.", status);
  // Initialization resets the matrices of some formats.
  sws_setColorspaceDetails(context, bt709, isRgbFormat(from) ? 1 : 0,
                           isJpeg ? sws_getCoefficients(SWS_CS_ITU601) : bt709,
                           isRgbFormat(to) || isJpeg ? 1 : 0, 0, 1 << 16, 1 << 16);
  return context;
}

Status OutputFrameConverter::scaleStraight(const Image& image, Image& to) {
  FW_ASSIGN_OR_RETURN(SwsContext* const context,
                      scaler(size_, image.width(), image.height(), AV_PIX_FMT_RGBA64LE, AV_PIX_FMT_RGBA64LE));
  const std::vector<uint16_t> from = premultiplied(image);
  std::vector<uint16_t> scaled(static_cast<size_t>(to.width()) * static_cast<size_t>(to.height()) * 4 + 64);
  const uint8_t* data[4] = {reinterpret_cast<const uint8_t*>(from.data())};
  const int strides[4] = {image.width() * 8};
  uint8_t* target[4] = {reinterpret_cast<uint8_t*>(scaled.data())};
  const int targetStrides[4] = {to.width() * 8};
  sws_scale(context, data, strides, 0, image.height(), target, targetStrides);
  writeStraight(scaled, to.plane(0));
  return {};
}

Result<std::shared_ptr<Image>> OutputFrameConverter::toRgba(const Image& image) {
  const bool isRgba = image.format() == PixelFormat::kRgbaStraight;
  const bool hasSize = image.width() == layout_.width && image.height() == layout_.height;
  FW_ASSIGN_OR_RETURN(auto rgba, Image::create(PixelFormat::kRgbaStraight, layout_.width, layout_.height));
  if (isRgba && layout_.hasAlpha) {
    if (!hasSize) {
      FW_RETURN_IF_ERROR(scaleStraight(image, *rgba));
      return rgba;
    }
    const Plane &from = image.plane(0), &to = rgba->plane(0);
    for (int y = 0; y < to.height; ++y)
      std::memcpy(to.data + y * to.stride, from.data + y * from.stride, static_cast<size_t>(to.width) * 4);
    return rgba;
  }
  if (isRgba && hasSize) return overMatte(image, layout_.matte, std::move(rgba));
  const Image* source = &image;
  std::shared_ptr<Image> opaque;
  if (isRgba) {
    FW_ASSIGN_OR_RETURN(opaque, Image::create(PixelFormat::kRgbaStraight, image.width(), image.height()));
    opaque = overMatte(image, layout_.matte, std::move(opaque));
    source = opaque.get();
  }
  FW_ASSIGN_OR_RETURN(SwsContext* const context,
                      scaler(size_, image.width(), image.height(), formatOf(image), AV_PIX_FMT_RGBA));
  const ImagePlanesForScaling from(*source);
  uint8_t* to[4] = {rgba->plane(0).data};
  const int strides[4] = {static_cast<int>(rgba->plane(0).stride)};
  sws_scale(context, from.data, from.strides, 0, image.height(), to, strides);
  return rgba;
}

Result<FramePtr> OutputFrameConverter::convert(const Image& image) {
  FW_ASSIGN_OR_RETURN(FramePtr frame, allocateFrame());
  frame->format = layout_.format;
  frame->width = layout_.width;
  frame->height = layout_.height;
  const int status = av_frame_get_buffer(frame.get(), 0);
  if (status < 0) return avError(ErrorCode::OUT_OF_MEMORY, "A frame cannot be allocated.", status);
  tagColors(*frame, layout_.transfer);
  // Opaque frames stay YCbCr.
  const bool isDeep = image.format() == PixelFormat::kI010;
  const bool isDirect = isDeep || (image.format() == PixelFormat::kI420 && !layout_.hasAlpha &&
                                   !isRgbFormat(layout_.format) && !isJpegFormat(layout_.format));
  std::shared_ptr<Image> rgba;
  if (!isDirect) {
    FW_ASSIGN_OR_RETURN(rgba, toRgba(image));
    if (layout_.hasAlpha && !isRgbFormat(layout_.format)) fillTransparentPixels(*rgba);
  }
  const Image& source = isDirect ? image : *rgba;
  FW_ASSIGN_OR_RETURN(SwsContext* const context,
                      scaler(colors_, source.width(), source.height(), formatOf(source), layout_.format));
  const ImagePlanesForScaling from(source);
  sws_scale(context, from.data, from.strides, 0, source.height(), frame->data, frame->linesize);
  if (!isDirect) writeAlphaPlane(source, *frame);
  return frame;
}

Result<ImagePtr> OutputFrameConverter::toPlanes(const Image& image) {
  FW_ASSIGN_OR_RETURN(FramePtr frame, convert(image));
  Plane planes[3];
  for (int i = 0; i < 3; ++i) {
    const int shift = i == 0 ? 0 : 1;
    planes[i] = {frame->data[i], frame->linesize[i], frame->width >> shift, frame->height >> shift};
  }
  const int width = frame->width, height = frame->height;
  const std::shared_ptr<AVFrame> owner(std::move(frame));
  const PixelFormat format =
      layout_.format == AV_PIX_FMT_YUV420P10LE ? PixelFormat::kI010 : PixelFormat::kI420;
  std::shared_ptr<Image> scaled = Image::wrap(format, width, height, planes, owner);
  scaled->hasGradient = image.hasGradient;
  return ImagePtr(std::move(scaled));
}

}  // namespace framewright
