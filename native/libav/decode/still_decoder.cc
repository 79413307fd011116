#include "libav/decode/still_decoder.h"

#include <algorithm>
#include <vector>

#include "formats/animation/formats.h"
#include "formats/image_colors.h"
#include "formats/image_header.h"
#include "formats/stills/formats.h"
#include "formats/stills/heif_file.h"
#include "libav/av_error.h"
#include "libav/decode/coded_image.h"
#include "libav/decode/color/profiled_image.h"
#include "libav/decode/frame_converter.h"
#include "libav/demux/local_file.h"

namespace framewright {
namespace {

// libav's WebP decoder supports stills only: replaces an animation by a file with its first frame.
void extractFirstWebpFrame(FileBytes& bytes) {
  const std::span<const uint8_t> file = bytes.data();
  const auto found = findWebpFrames(file);
  if (!found.ok() || found.value().frames.empty()) return;
  const AnimationFrame& first = found.value().frames.front().frame;
  auto still = webpStill(first, file.subspan(first.offset, first.length));
  if (!still.ok()) return;
  bytes = FileBytes::pad(still.take());
}

// Converts premultiplied to straight alpha.
ImagePtr unpremultiply(ImagePtr image) {
  if (image->format() != PixelFormat::kRgbaStraight) return image;
  const Plane& plane = image->plane(0);
  for (int y = 0; y < plane.height; ++y) {
    uint8_t* pixel = plane.data + y * plane.stride;
    for (int x = 0; x < plane.width; ++x, pixel += 4) {
      const int alpha = pixel[3];
      for (int c = 0; c < 3 && alpha > 0; ++c) {
        pixel[c] = static_cast<uint8_t>(std::min(255, (pixel[c] * 255 + alpha / 2) / alpha));
      }
    }
  }
  return image;
}

// Sets the image's alpha to the luma of `alpha`, which has the same size.
Status setAlpha(const Image& image, const AVFrame& alpha) {
  const AVPixFmtDescriptor* format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(alpha.format));
  const bool fits = format != nullptr && (format->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_BE)) == 0;
  if (!fits || alpha.width != image.width() || alpha.height != image.height()) {
    return unreadableMedia("the alpha image of the file has another size or format");
  }
  const int depth = format->comp[0].depth;
  const bool fullRange = alpha.color_range != AVCOL_RANGE_MPEG;
  const int black = fullRange ? 0 : 16 << (depth - 8);
  const int white = fullRange ? (1 << depth) - 1 : 235 << (depth - 8);
  const Plane& plane = image.plane(0);
  for (int y = 0; y < image.height(); ++y) {
    const uint8_t* row = alpha.data[0] + y * alpha.linesize[0];
    for (int x = 0; x < image.width(); ++x) {
      const int value = depth > 8 ? row[2 * x] | row[2 * x + 1] << 8 : row[x];
      const int scaled = ((value - black) * 255 + (white - black) / 2) / (white - black);
      plane.data[y * plane.stride + 4 * x + 3] = static_cast<uint8_t>(std::clamp(scaled, 0, 255));
    }
  }
  return {};
}

void applyCodePoints(AVFrame& frame, const CodePoints& points) {
  frame.color_primaries = static_cast<AVColorPrimaries>(points.primaries);
  frame.color_trc = static_cast<AVColorTransferCharacteristic>(points.transfer);
  frame.color_range = points.fullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
  frame.colorspace = static_cast<AVColorSpace>(points.matrix);
}

// Until the container says more.
void clearColors(AVFrame& frame) {
  frame.color_primaries = AVCOL_PRI_UNSPECIFIED;
  frame.color_trc = AVCOL_TRC_UNSPECIFIED;
}

// The profile of the coded image, else of the file; null: none that fits the frame's components.
std::shared_ptr<const IccProfile> profileOf(const AVFrame& frame, std::span<const uint8_t> ofFile) {
  const AVFrameSideData* const side = av_frame_get_side_data(&frame, AV_FRAME_DATA_ICC_PROFILE);
  const AVPixFmtDescriptor* const format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  auto profile =
      IccProfile::read(side != nullptr ? std::span<const uint8_t>(side->data, side->size) : ofFile);
  if (profile == nullptr || format == nullptr) return nullptr;
  const bool isPaletted = (format->flags & AV_PIX_FMT_FLAG_PAL) != 0;
  const int components = isPaletted ? 3 : format->nb_components;
  const bool fits = profile->kind() == IccProfile::Kind::kRgb ||
                    (profile->kind() == IccProfile::Kind::kGrey ? components <= 2 : components == 4);
  return fits ? profile : nullptr;
}

bool isHdrTransfer(AVColorTransferCharacteristic transfer) {
  return transfer == AVCOL_TRC_SMPTE2084 || transfer == AVCOL_TRC_ARIB_STD_B67;
}

// What the frame becomes on a canvas with the target `deep`: kNearest where it has 8 bits and is SDR.
FrameTarget targetOf(const AVFrame& frame, FrameTarget deep) {
  const AVPixFmtDescriptor* const format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  const bool isDeep = format != nullptr && format->comp[0].depth <= 16 &&
                      (format->comp[0].depth > 8 || isHdrTransfer(frame.color_trc));
  return isDeep ? deep : FrameTarget::kNearest;
}

// Whether a still keeps more than 8 bits with alpha or an ICC profile, which planes of YCbCr do not have.
bool isWide(const AVFrame& frame, FrameTarget target, bool hasAlpha, bool hasProfile) {
  return isDeep(target) && (hasAlpha || hasProfile) && isWideFormat(static_cast<AVPixelFormat>(frame.format));
}

// Opaque RGB and grey as planes of YCbCr with 12 bits, which swscale would darken by half a percent; other
// frames as they are.
Result<FramePtr> toPlanes(FramePtr frame) {
  const AVPixFmtDescriptor& format = *av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame->format));
  const bool isGrey = format.nb_components == 1 && (format.flags & AV_PIX_FMT_FLAG_PAL) == 0;
  const bool isRgb = (format.flags & AV_PIX_FMT_FLAG_RGB) != 0 && format.nb_components == 3;
  if (!isGrey && !isRgb) return frame;
  FW_ASSIGN_OR_RETURN(FramePtr planes, allocateFrame());
  planes->format = AV_PIX_FMT_YUV444P12LE;
  planes->width = frame->width;
  planes->height = frame->height;
  if (av_frame_get_buffer(planes.get(), 0) < 0) return outOfMemory("image");
  const bool isWide = frame->color_primaries == AVCOL_PRI_BT2020;
  planes->color_primaries = frame->color_primaries;
  planes->color_trc = frame->color_trc;
  planes->colorspace = isWide ? AVCOL_SPC_BT2020_NCL : AVCOL_SPC_BT709;
  planes->color_range = AVCOL_RANGE_MPEG;
  const auto [red, blue] = lumaShares(planes->colorspace);
  const double max = (1 << format.comp[0].depth) - 1;
  std::vector<uint32_t> signals[3];
  for (std::vector<uint32_t>& row : signals) row.resize(static_cast<size_t>(frame->width));
  for (int y = 0; y < frame->height; ++y) {
    for (int c = 0; c < format.nb_components; ++c)
      av_read_image_line2(signals[c].data(), const_cast<const uint8_t**>(frame->data), frame->linesize,
                          &format, 0, y, c, frame->width, 0, sizeof(uint32_t));
    const auto rowOf = [&](int plane) {
      return reinterpret_cast<uint16_t*>(planes->data[plane] + ptrdiff_t{y} * planes->linesize[plane]);
    };
    uint16_t *const luma = rowOf(0), *const cb = rowOf(1), *const cr = rowOf(2);
    for (size_t x = 0; x < signals[0].size(); ++x) {
      const double r = signals[0][x] / max;
      const double g = isGrey ? r : signals[1][x] / max, b = isGrey ? r : signals[2][x] / max;
      const double light = red * r + (1 - red - blue) * g + blue * b;
      luma[x] = static_cast<uint16_t>(256 + 3504 * light + 0.5);
      cb[x] = static_cast<uint16_t>(2048 + 1792 * (b - light) / (1 - blue) + 0.5);
      cr[x] = static_cast<uint16_t>(2048 + 1792 * (r - light) / (1 - red) + 0.5);
    }
  }
  return planes;
}

// The signals of an SDR still are those of sRGB, whatever camera curve its tags name.
void setStillTransfer(AVFrame& frame) {
  if (colorSpaceOf(frame, {}).transfer == Transfer::kVideo) frame.color_trc = AVCOL_TRC_IEC61966_2_1;
}

Result<ImagePtr> decodeHeif(ImageType type, const FileBytes& bytes, StillColors colors, FrameTarget deep) {
  FW_ASSIGN_OR_RETURN(const HeifFile heif, readHeif(type, bytes.data()));
  FW_ASSIGN_OR_RETURN(const FramePtr frame, decodeTiles(type, bytes, heif.color));
  if (heif.codePoints) applyCodePoints(*frame, *heif.codePoints);
  const std::shared_ptr<const IccProfile> profile = profileOf(*frame, heif.iccProfile);
  // A profile says more than code points.
  if (profile != nullptr) clearColors(*frame);
  const bool hasAlpha = !heif.alpha.tiles.empty();
  const Orientation orientation = orientationFromExif(heif.header.exifOrientation);
  const FrameTarget nearest = colors == StillColors::kStraight ? FrameTarget::kRgba : targetOf(*frame, deep);
  if (isWide(*frame, nearest, hasAlpha, profile != nullptr)) {
    FramePtr alpha;
    if (hasAlpha) {
      FW_ASSIGN_OR_RETURN(alpha, decodeTiles(type, bytes, heif.alpha));
    }
    WideStill still = FrameConverter(FrameOrigin::kStill, {}, nearest).wideStillOf(*frame);
    still.profile = profile.get();
    still.alpha = alpha.get();
    still.isPremultiplied = hasAlpha && heif.header.premultiplied;
    FW_ASSIGN_OR_RETURN(ImagePtr image, toWideImage(still, canvasOf(nearest)));
    return applyOrientation(std::move(image), orientation);
  }
  const FrameTarget target = hasAlpha || profile != nullptr ? FrameTarget::kRgba : nearest;
  if (isDeep(target)) setStillTransfer(*frame);
  FrameConverter converter(FrameOrigin::kStill, hasAlpha ? Orientation() : orientation, target);
  FW_ASSIGN_OR_RETURN(ImagePtr image, converter.convert(*frame));
  if (hasAlpha) {
    FW_ASSIGN_OR_RETURN(const FramePtr alpha, decodeTiles(type, bytes, heif.alpha));
    FW_RETURN_IF_ERROR(setAlpha(*image, *alpha));
    if (heif.header.premultiplied) image = unpremultiply(std::move(image));
  }
  if (profile != nullptr) {
    FW_ASSIGN_OR_RETURN(image, applyProfile(*image, *profile));
  }
  return hasAlpha ? applyOrientation(std::move(image), orientation) : image;
}

// libav converts CMYK to RGB by itself, which loses the inks; with the Adobe segment hidden it leaves them.
Result<ImagePtr> decodeCmyk(const ImageHeader& header, FileBytes& bytes, const IccProfile& profile) {
  const auto adobe = hideAdobeSegment({bytes.padded.data(), bytes.size});
  FW_ASSIGN_OR_RETURN(const FramePtr frame, decodeCodedImage(header.type, bytes));
  FW_ASSIGN_OR_RETURN(ImagePtr image, convertCmyk(*frame, adobe, profile));
  return applyOrientation(std::move(image), orientationFromExif(header.exifOrientation));
}

Result<ImagePtr> decodeFile(const ImageHeader& header, FileBytes& bytes, StillColors colors,
                            FrameTarget deep = FrameTarget::kNearest) {
  if (header.type == ImageType::kAvif || header.type == ImageType::kHeic)
    return decodeHeif(header.type, bytes, colors, deep);
  const ImageColors tags = readImageColors(header.type, bytes.data());
  if (header.type == ImageType::kWebp) extractFirstWebpFrame(bytes);
  if (header.type == ImageType::kTiff) keepOnlyPixelFields({bytes.padded.data(), bytes.size});
  FW_ASSIGN_OR_RETURN(FramePtr frame, decodeCodedImage(header.type, bytes));
  // libav's decoders guess, e.g. gamma 2.2 for every grey TIFF. PNG stores RGB, whatever its code points say
  // of the matrix.
  clearColors(*frame);
  if (tags.codePoints) {
    frame->color_primaries = static_cast<AVColorPrimaries>(tags.codePoints->primaries);
    frame->color_trc = static_cast<AVColorTransferCharacteristic>(tags.codePoints->transfer);
  }
  const std::shared_ptr<const IccProfile> profile = profileOf(*frame, tags.iccProfile);
  if (profile != nullptr && profile->kind() == IccProfile::Kind::kCmyk) {
    return decodeCmyk(header, bytes, *profile);
  }
  if (profile != nullptr) clearColors(*frame);
  // Frees the file before the conversion allocates a second image.
  std::vector<uint8_t>().swap(bytes.padded);
  const FrameTarget nearest = colors == StillColors::kStraight ? FrameTarget::kRgba : targetOf(*frame, deep);
  const Orientation orientation = orientationFromExif(header.exifOrientation);
  const bool hasAlpha =
      (av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame->format))->flags & AV_PIX_FMT_FLAG_ALPHA) != 0;
  if (isWide(*frame, nearest, hasAlpha, profile != nullptr)) {
    WideStill still = FrameConverter(FrameOrigin::kStill, {}, nearest).wideStillOf(*frame);
    still.profile = profile.get();
    still.isPremultiplied = header.premultiplied;
    FW_ASSIGN_OR_RETURN(ImagePtr image, toWideImage(still, canvasOf(nearest)));
    return applyOrientation(std::move(image), orientation);
  }
  const FrameTarget target = profile != nullptr ? FrameTarget::kRgba : nearest;
  if (isDeep(target)) {
    FW_ASSIGN_OR_RETURN(frame, toPlanes(std::move(frame)));
    setStillTransfer(*frame);
  }
  FrameConverter converter(FrameOrigin::kStill, orientation, target);
  FW_ASSIGN_OR_RETURN(ImagePtr image, converter.convert(*frame));
  if (header.premultiplied) image = unpremultiply(std::move(image));
  return profile != nullptr ? applyProfile(*image, *profile) : image;
}

}  // namespace

Result<ImagePtr> decodeStill(const std::string& path, std::optional<CanvasTransfer> canvas) {
  FW_ASSIGN_OR_RETURN(FileBytes bytes, readImageFile(path));
  FW_ASSIGN_OR_RETURN(const ImageHeader header, readImageHeader(bytes.data()));
  return decodeFile(header, bytes, StillColors::kAsStored, targetFor(canvas));
}

Result<ImagePtr> decodeStillBytes(std::vector<uint8_t> bytes, StillSize size, StillColors colors) {
  FW_ASSIGN_OR_RETURN(const ImageHeader header, readImageHeader(bytes));
  const Error mismatch{ErrorCode::MEDIA_UNREADABLE, "an image does not have its declared size", ""};
  if (header.width != size.width || header.height != size.height) return mismatch;
  FileBytes file = FileBytes::pad(std::move(bytes));
  FW_ASSIGN_OR_RETURN(ImagePtr image, decodeFile(header, file, colors));
  // The coded size may differ from the header's, and EXIF may swap the sides.
  if (image->width() != size.width || image->height() != size.height) return mismatch;
  return image;
}

}  // namespace framewright
