#include "libav/decode/coded_image.h"

#include <algorithm>
#include <utility>

#include "formats/stills/formats.h"
#include "formats/supported_files.h"
#include "libav/av_error.h"

namespace framewright {
namespace {

AVCodecID codecOf(ImageType type) {
  switch (type) {
    case ImageType::kPng:
      return AV_CODEC_ID_PNG;
    case ImageType::kJpeg:
      return AV_CODEC_ID_MJPEG;
    case ImageType::kWebp:
      return AV_CODEC_ID_WEBP;
    case ImageType::kGif:
      return AV_CODEC_ID_GIF;
    case ImageType::kBmp:
      return AV_CODEC_ID_BMP;
    case ImageType::kTiff:
      return AV_CODEC_ID_TIFF;
    case ImageType::kAvif:
      return AV_CODEC_ID_AV1;
    case ImageType::kHeic:
      return AV_CODEC_ID_HEVC;
  }
  return AV_CODEC_ID_NONE;
}

Error decodeError(ImageType type, int status) {
  return avError(ErrorCode::DECODE_FAILED,
                 std::string("the ") + imageTypeName(type) + " image cannot be decoded", status);
}

// libav's native AV1 decoder works with hardware only.
const AVCodec* decoderFor(ImageType type) {
  if (type != ImageType::kAvif) return avcodec_find_decoder(codecOf(type));
  const AVCodec* dav1d = avcodec_find_decoder_by_name("libdav1d");
  return dav1d != nullptr ? dav1d : avcodec_find_decoder_by_name("libaom-av1");
}

Status configure(AVCodecContext& decoder, std::span<const uint8_t> configuration) {
  if (configuration.empty()) return {};
  // The decoder frees it.
  decoder.extradata = static_cast<uint8_t*>(av_mallocz(configuration.size() + AV_INPUT_BUFFER_PADDING_SIZE));
  if (decoder.extradata == nullptr) return outOfMemory("decoder");
  std::copy(configuration.begin(), configuration.end(), decoder.extradata);
  decoder.extradata_size = static_cast<int>(configuration.size());
  return {};
}

FileBytes joinParts(const FileBytes& file, const std::vector<HeifFile::Part>& parts) {
  std::vector<uint8_t> bytes;
  for (const HeifFile::Part& part : parts) {
    const auto from = file.padded.begin() + static_cast<ptrdiff_t>(part.offset);
    bytes.insert(bytes.end(), from, from + static_cast<ptrdiff_t>(part.length));
  }
  return FileBytes::pad(std::move(bytes));
}

// Copies what of a tile is inside of the frame; both have one planar format.
void copyTile(const AVFrame& tile, int left, int top, AVFrame& frame) {
  const auto format = static_cast<AVPixelFormat>(frame.format);
  const AVPixFmtDescriptor& descriptor = *av_pix_fmt_desc_get(format);
  const int width = std::min(tile.width, frame.width - left);
  const int height = std::min(tile.height, frame.height - top);
  for (int plane = 0; plane < av_pix_fmt_count_planes(format); ++plane) {
    const int down = plane == 1 || plane == 2 ? descriptor.log2_chroma_h : 0;
    uint8_t* const to = frame.data[plane] + static_cast<ptrdiff_t>(top >> down) * frame.linesize[plane] +
                        av_image_get_linesize(format, left, plane);
    av_image_copy_plane(to, frame.linesize[plane], tile.data[plane], tile.linesize[plane],
                        av_image_get_linesize(format, width, plane), AV_CEIL_RSHIFT(height, down));
  }
}

}  // namespace

Result<FramePtr> decodeCodedImage(ImageType type, const FileBytes& bytes,
                                  std::span<const uint8_t> configuration) {
  const AVCodec* codec = decoderFor(type);
  if (codec == nullptr) return unsupportedKind(type, "(this host's libav has no decoder for it)");
  FW_ASSIGN_OR_RETURN(FramePtr frame, allocateFrame());
  FW_ASSIGN_OR_RETURN(PacketPtr packet, allocatePacket());
  CodecContextPtr decoder(avcodec_alloc_context3(codec));
  if (decoder == nullptr) return outOfMemory("decoder");
  decoder->thread_count = 1;
  decoder->max_pixels = kMaxImagePixels;
  decoder->err_recognition = AV_EF_CRCCHECK | AV_EF_EXPLODE;
  FW_RETURN_IF_ERROR(configure(*decoder, configuration));
  int status = avcodec_open2(decoder.get(), decoder->codec, nullptr);
  if (status < 0) return decodeError(type, status);
  packet->data = const_cast<uint8_t*>(bytes.padded.data());
  packet->size = static_cast<int>(bytes.size);
  packet->flags = AV_PKT_FLAG_KEY;
  status = avcodec_send_packet(decoder.get(), packet.get());
  if (status >= 0) status = avcodec_receive_frame(decoder.get(), frame.get());
  if (status == AVERROR(EAGAIN)) {
    avcodec_send_packet(decoder.get(), nullptr);
    status = avcodec_receive_frame(decoder.get(), frame.get());
  }
  if (status < 0) return decodeError(type, status == AVERROR_EOF ? AVERROR_INVALIDDATA : status);
  if (frame->decode_error_flags != 0) return decodeError(type, AVERROR_INVALIDDATA);
  return frame;
}

namespace {

Result<FramePtr> joinTiles(ImageType type, const FileBytes& file, const HeifFile::TiledImage& image) {
  const auto decode = [&](const HeifFile::Tile& tile) {
    return decodeCodedImage(type, joinParts(file, tile.parts), tile.configuration);
  };
  FW_ASSIGN_OR_RETURN(FramePtr first, decode(image.tiles.front()));
  if (image.tiles.size() == 1) return first;
  const AVPixFmtDescriptor* const format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(first->format));
  const bool isPlanar =
      format != nullptr && (format->nb_components == 1 || (format->flags & AV_PIX_FMT_FLAG_PLANAR) != 0);
  const auto covers = [](int tile, int count, int size) {
    return int64_t{tile} * count >= size && int64_t{tile} * (count - 1) < size && tile % 2 == 0;
  };
  const Error mismatch = unreadableMedia("the tiles of the image do not fit together");
  if (!isPlanar || !covers(first->width, image.columns, image.codedWidth) ||
      !covers(first->height, image.rows, image.codedHeight))
    return mismatch;
  FW_ASSIGN_OR_RETURN(FramePtr whole, allocateFrame());
  whole->format = first->format;
  whole->width = image.codedWidth;
  whole->height = image.codedHeight;
  int status = av_frame_get_buffer(whole.get(), 0);
  if (status >= 0) status = av_frame_copy_props(whole.get(), first.get());
  if (status < 0) return outOfMemory("image");
  copyTile(*first, 0, 0, *whole);
  for (size_t i = 1; i < image.tiles.size(); ++i) {
    FW_ASSIGN_OR_RETURN(const FramePtr tile, decode(image.tiles[i]));
    if (tile->format != first->format || tile->width != first->width || tile->height != first->height)
      return mismatch;
    const int column = static_cast<int>(i) % image.columns, row = static_cast<int>(i) / image.columns;
    copyTile(*tile, column * tile->width, row * tile->height, *whole);
  }
  return whole;
}

}  // namespace

Result<FramePtr> decodeTiles(ImageType type, const FileBytes& file, const HeifFile::TiledImage& image) {
  FW_ASSIGN_OR_RETURN(FramePtr frame, joinTiles(type, file, image));
  const int right = frame->width - image.left - image.width;
  const int bottom = frame->height - image.top - image.height;
  if (right < 0 || bottom < 0) return frame;
  frame->crop_left = static_cast<size_t>(image.left);
  frame->crop_top = static_cast<size_t>(image.top);
  frame->crop_right = static_cast<size_t>(right);
  frame->crop_bottom = static_cast<size_t>(bottom);
  if (av_frame_apply_cropping(frame.get(), AV_FRAME_CROP_UNALIGNED) < 0)
    return unreadableMedia("the image cannot be cropped");
  return frame;
}

}  // namespace framewright
