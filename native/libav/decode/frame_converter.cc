#include "libav/decode/frame_converter.h"

#include "libav/av_error.h"
#include "libav/decode/color/planar_rows.h"

namespace framewright {
namespace {

// Stills of this many pixels are scaled down when drawn, which loses their full chroma resolution anyway. As
// 4:2:0 they take a third of the memory.
constexpr int64_t kPhotoPixels = 4'000'000;

struct JpegFormat {
  AVPixelFormat full, plain;
};
constexpr JpegFormat kJpegFormats[] = {{AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUV420P},
                                       {AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUV422P},
                                       {AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUV444P},
                                       {AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUV440P},
                                       {AV_PIX_FMT_YUVJ411P, AV_PIX_FMT_YUV411P}};

bool hasMoreThan8Bits(AVPixelFormat format) {
  const AVPixFmtDescriptor* const descriptor = av_pix_fmt_desc_get(format);
  return descriptor != nullptr && descriptor->comp[0].depth > 8;
}

// Wraps the buffers of a 4:2:0 frame without a copy; the Image owns a reference to the frame.
Result<ImagePtr> wrapFrame(const AVFrame& frame, ChromaSiting siting,
                           PixelFormat format = PixelFormat::kI420) {
  AVFrame* reference = av_frame_clone(&frame);
  if (reference == nullptr) return outOfMemory("frame");
  std::shared_ptr<const void> owner(reference, [](AVFrame* owned) { AvFree()(owned); });
  Plane planes[3];
  for (int i = 0; i < 3; ++i) {
    planes[i].data = reference->data[i];
    planes[i].stride = reference->linesize[i];
    planes[i].width = i == 0 ? frame.width : (frame.width + 1) / 2;
    planes[i].height = i == 0 ? frame.height : (frame.height + 1) / 2;
  }
  auto image = Image::wrap(format, frame.width, frame.height, planes, std::move(owner));
  image->siting = siting;
  return ImagePtr(image);
}

bool isLeftSited(AVChromaLocation location, FrameOrigin origin) {
  switch (location) {
    case AVCHROMA_LOC_CENTER:
    case AVCHROMA_LOC_TOP:
    case AVCHROMA_LOC_BOTTOM:
      return false;
    case AVCHROMA_LOC_UNSPECIFIED:
      return origin == FrameOrigin::kVideo;
    default:
      return true;
  }
}

}  // namespace

FrameTarget targetFor(const std::optional<CanvasTransfer>& canvas) {
  if (!canvas) return FrameTarget::kNearest;
  if (*canvas == CanvasTransfer::kHlg) return FrameTarget::kHlg;
  return *canvas == CanvasTransfer::kPq ? FrameTarget::kPq : FrameTarget::kSdr10;
}

struct FrameConverter::Layout : ColorLayout {
  ColorSpace space;
  bool rgba = false;  // the target is RGBA
};

FrameConverter::Layout FrameConverter::layoutOf(const AVFrame& frame) const {
  Layout layout;
  layout.format = static_cast<AVPixelFormat>(frame.format);
  layout.fullRange = frame.color_range == AVCOL_RANGE_JPEG;
  for (const JpegFormat& jpeg : kJpegFormats) {
    if (layout.format == jpeg.full) {
      layout.format = jpeg.plain;
      layout.fullRange = true;
    }
  }
  const AVPixFmtDescriptor* descriptor = av_pix_fmt_desc_get(layout.format);
  // libav does not mark 16-bit grey stills as full range.
  const bool grey = descriptor != nullptr && descriptor->nb_components <= 2;
  if (grey && origin_ == FrameOrigin::kStill && frame.color_range == AVCOL_RANGE_UNSPECIFIED) {
    layout.fullRange = true;
  }
  layout.matrix = frame.colorspace;
  const bool known = frame.colorspace != AVCOL_SPC_UNSPECIFIED && frame.colorspace != AVCOL_SPC_RESERVED &&
                     frame.colorspace != AVCOL_SPC_RGB && frame.colorspace <= AVCOL_SPC_BT2020_CL &&
                     frame.colorspace != AVCOL_SPC_YCGCO;
  // swscale converts some RGB layouts to YCbCr and back; both directions must use one matrix.
  const bool rgb =
      descriptor != nullptr && (descriptor->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL)) != 0;
  // Untagged standard definition and stills count as BT.601, as in players.
  if (!known) {
    const bool isStill = origin_ == FrameOrigin::kStill;
    layout.matrix = rgb ? AVCOL_SPC_BT709 : isStill ? AVCOL_SPC_SMPTE170M : untaggedMatrix(frame.height);
    if (!rgb && frame.color_primaries == AVCOL_PRI_BT2020) layout.matrix = AVCOL_SPC_BT2020_NCL;
  }
  layout.space = colorSpaceOf(frame, light_);
  const bool alpha =
      descriptor != nullptr && (descriptor->flags & (AV_PIX_FMT_FLAG_ALPHA | AV_PIX_FMT_FLAG_PAL)) != 0;
  const bool hasOddRotation = !orientation_.isIdentity() && (((frame.width | frame.height) & 1) != 0);
  const bool fullChroma = layout.format == AV_PIX_FMT_YUV444P || layout.format == AV_PIX_FMT_YUV422P;
  const bool planarStill = layout.format == AV_PIX_FMT_YUV420P ||
                           (fullChroma && int64_t{frame.width} * frame.height >= kPhotoPixels);
  const bool isDeepStill = isDeep(target_) && PlanarRows::supports(layout.format);
  layout.rgba = target_ == FrameTarget::kRgba || alpha || hasOddRotation ||
                (origin_ == FrameOrigin::kStill && !planarStill && !isDeepStill);
  // swscale centres chroma that it subsamples and leaves existing subsampled columns where they are.
  const bool ownChroma = descriptor != nullptr && descriptor->log2_chroma_w == 1;
  const bool left = ownChroma && isLeftSited(frame.chroma_location, origin_);
  layout.siting = left ? ChromaSiting::kLeft : ChromaSiting::kCenter;
  layout.isTopSited =
      frame.chroma_location == AVCHROMA_LOC_TOPLEFT || frame.chroma_location == AVCHROMA_LOC_TOP;
  return layout;
}

bool FrameConverter::isPassThrough(const AVFrame& frame, const Layout& layout) const {
  return !layout.rgba && layout.space.isBt709() && layout.format == AV_PIX_FMT_YUV420P && !layout.fullRange &&
         layout.matrix == AVCOL_SPC_BT709 && frame.linesize[0] > 0;
}

bool FrameConverter::isPassThrough(const AVFrame& frame) const {
  const Layout layout = layoutOf(frame);
  return isPassThrough(frame, layout) && layout.siting == ChromaSiting::kLeft && orientation_.isIdentity();
}

std::optional<ChromaSiting> FrameConverter::passThroughSiting(const AVFrame& frame) const {
  const Layout layout = layoutOf(frame);
  if (target_ == FrameTarget::kRgba || layout.rgba || !orientation_.isIdentity()) return std::nullopt;
  const bool keepsSamples =
      target_ == FrameTarget::kNearest ? isPassThrough(frame, layout) : isDeepPassThrough(frame, layout);
  return keepsSamples ? std::optional(layout.siting) : std::nullopt;
}

WideStill FrameConverter::wideStillOf(const AVFrame& frame) const {
  const Layout layout = layoutOf(frame);
  return {.frame = frame, .layout = layout, .space = layout.space};
}

Result<ImagePtr> FrameConverter::convert(const AVFrame& frame) {
  const Layout layout = layoutOf(frame);
  auto image = isDeep(target_) && !layout.rgba ? convertDeep(frame, layout)
               : isPassThrough(frame, layout)  ? wrapFrame(frame, layout.siting)
               : layout.space.isBt709()        ? scale(frame, layout)
                                               : map(frame, layout);
  if (!image.ok() || orientation_.isIdentity()) return image;
  return applyOrientation(image.take(), orientation_);
}

bool FrameConverter::hasCanvasColors(const Layout& layout) const {
  const CanvasTransfer canvas = canvasOf(target_);
  if (canvas == CanvasTransfer::kSdr) return layout.space.isBt709();
  return layout.space.transfer == (canvas == CanvasTransfer::kHlg ? Transfer::kHlg : Transfer::kPq) &&
         layout.space.primaries == AVCOL_PRI_BT2020;
}

// SDR of 8 bits stays so on SDR canvases. What has the canvas's colors keeps its signals.
bool FrameConverter::isDeepPassThrough(const AVFrame& frame, const Layout& layout) const {
  const bool isHdr = canvasOf(target_) != CanvasTransfer::kSdr;
  if (!hasCanvasColors(layout)) return false;
  if (!isHdr && !hasMoreThan8Bits(layout.format)) return isPassThrough(frame, layout);
  return layout.format == AV_PIX_FMT_YUV420P10LE && !layout.fullRange && frame.linesize[0] > 0 &&
         layout.matrix == (isHdr ? AVCOL_SPC_BT2020_NCL : AVCOL_SPC_BT709);
}

// Other colors than the canvas's are mapped.
Result<ImagePtr> FrameConverter::convertDeep(const AVFrame& frame, const Layout& layout) {
  if (!hasCanvasColors(layout)) return map(frame, layout);
  if (!isDeepPassThrough(frame, layout)) return scale(frame, layout);
  return wrapFrame(frame, layout.siting,
                   hasMoreThan8Bits(layout.format) ? PixelFormat::kI010 : PixelFormat::kI420);
}

Result<ImagePtr> FrameConverter::scale(const AVFrame& frame, const Layout& layout) {
  const bool isHdr = canvasOf(target_) != CanvasTransfer::kSdr;
  const bool isDeep =
      !layout.rgba && (isHdr || (target_ == FrameTarget::kSdr10 && hasMoreThan8Bits(layout.format)));
  const ColorLayout target{layout.rgba ? AV_PIX_FMT_RGBA
                           : isDeep    ? AV_PIX_FMT_YUV420P10LE
                                       : AV_PIX_FMT_YUV420P,
                           isHdr && !layout.rgba ? AVCOL_SPC_BT2020_NCL : AVCOL_SPC_BT709, layout.rgba};
  const ConversionKey wanted{frame.width, frame.height, layout, target};
  if (conversion_ == nullptr || wanted != key_) {
    FW_ASSIGN_OR_RETURN(conversion_, ColorConversion::create(frame.width, frame.height, layout, target));
    key_ = wanted;
  }
  const PixelFormat format = layout.rgba ? PixelFormat::kRgbaStraight
                             : isDeep    ? PixelFormat::kI010
                                         : PixelFormat::kI420;
  FW_ASSIGN_OR_RETURN(std::shared_ptr<Image> image, Image::create(format, frame.width, frame.height));
  image->siting = layout.siting;
  uint8_t* planes[4] = {};
  int strides[4] = {};
  for (int i = 0; i < image->planeCount(); ++i) {
    planes[i] = image->plane(i).data;
    strides[i] = static_cast<int>(image->plane(i).stride);
  }
  FW_RETURN_IF_ERROR(conversion_->run(frame.data, frame.linesize, planes, strides));
  return ImagePtr(image);
}

Result<ImagePtr> FrameConverter::map(const AVFrame& frame, const Layout& layout) {
  const bool isDeep =
      target_ == FrameTarget::kSdr10 && (layout.space.isHdr() || hasMoreThan8Bits(layout.format));
  const MappedConversion::Request wanted{
      frame.width, frame.height,      layout, layout.space, origin_ == FrameOrigin::kStill,
      layout.rgba, canvasOf(target_), isDeep};
  if (mapping_ == nullptr || wanted != mapped_) {
    FW_ASSIGN_OR_RETURN(mapping_, MappedConversion::create(wanted));
    mapped_ = wanted;
  }
  return mapping_->run(frame);
}

}  // namespace framewright
