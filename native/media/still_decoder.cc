#include "media/still_decoder.h"

#include <climits>
#include <cstring>
#include <vector>

#include "media/av_error.h"
#include "media/byte_source.h"
#include "media/codec_policy.h"
#include "media/image_header.h"
#include "media/picture_converter.h"

namespace framewright {
namespace {

constexpr int64_t kMaxFileBytes = 256 << 20;

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
  }
  return AV_CODEC_ID_NONE;
}

Error broken(ImageType type, int status) {
  return avError(ErrorCode::DECODE_FAILED,
                 std::string("the ") + imageTypeName(type) + " picture cannot be decoded", status);
}

void appendChunk(std::vector<uint8_t>& riff, const uint8_t* chunk, size_t size) {
  riff.insert(riff.end(), chunk, chunk + size);
  if ((size & 1) != 0) riff.push_back(0);
}

// The WebP decoder knows stills only: an animation becomes a file of its first picture.
void keepFirstWebpPicture(FileBytes& bytes) {
  const uint8_t* file = bytes.padded.data();
  size_t position = 12;
  while (position + 8 <= bytes.size) {
    const size_t size = AV_RL32(file + position + 4);
    if (size > bytes.size - position - 8) return;
    const uint8_t* body = file + position + 8;
    if (std::memcmp(file + position, "ANMF", 4) == 0 && size > 16) {
      std::vector<uint8_t> riff(12);
      // VP8X with the picture's own size (3 + 3 bytes after x and y) and, always harmless, the alpha flag.
      const uint8_t extended[18] = {'V', 'P', '8', 'X',     10,      0,       0,       0,        0x10,
                                    0,   0,   0,   body[6], body[7], body[8], body[9], body[10], body[11]};
      appendChunk(riff, extended, sizeof(extended));
      appendChunk(riff, body + 16, size - 16);
      std::memcpy(riff.data(), "RIFF", 4);
      AV_WL32(riff.data() + 4, static_cast<uint32_t>(riff.size() - 8));
      std::memcpy(riff.data() + 8, "WEBP", 4);
      bytes.size = riff.size();
      riff.resize(riff.size() + AV_INPUT_BUFFER_PADDING_SIZE);
      bytes.padded = std::move(riff);
      return;
    }
    position += 8 + size + (size & 1);
  }
}

Result<FramePtr> decodePacket(ImageType type, const FileBytes& bytes) {
  CodecContextPtr decoder(avcodec_alloc_context3(avcodec_find_decoder(codecOf(type))));
  FramePtr frame(av_frame_alloc());
  PacketPtr packet(av_packet_alloc());
  if (decoder == nullptr || frame == nullptr || packet == nullptr) {
    return avError(ErrorCode::OUT_OF_MEMORY, "decoder", AVERROR(ENOMEM));
  }
  decoder->thread_count = 1;
  decoder->max_pixels = kMaxImagePixels;
  decoder->err_recognition = AV_EF_CRCCHECK | AV_EF_EXPLODE;
  int status = avcodec_open2(decoder.get(), decoder->codec, nullptr);
  if (status < 0) return broken(type, status);
  packet->data = const_cast<uint8_t*>(bytes.padded.data());
  packet->size = static_cast<int>(bytes.size);
  packet->flags = AV_PKT_FLAG_KEY;
  status = avcodec_send_packet(decoder.get(), packet.get());
  if (status >= 0) status = avcodec_receive_frame(decoder.get(), frame.get());
  if (status == AVERROR(EAGAIN)) {
    avcodec_send_packet(decoder.get(), nullptr);
    status = avcodec_receive_frame(decoder.get(), frame.get());
  }
  if (status < 0) return broken(type, status == AVERROR_EOF ? AVERROR_INVALIDDATA : status);
  if (frame->decode_error_flags != 0) return broken(type, AVERROR_INVALIDDATA);
  return frame;
}

Result<ImagePtr> decodeFile(const ImageHeader& header, FileBytes& bytes) {
  if (header.type == ImageType::kWebp) keepFirstWebpPicture(bytes);
  FW_ASSIGN_OR_RETURN(const FramePtr frame, decodePacket(header.type, bytes));
  PictureConverter converter(PictureOrigin::kStill, orientationFromExif(header.exifOrientation));
  return converter.convert(*frame);
}

}  // namespace

Result<ImagePtr> decodeStill(const std::string& path) {
  FW_ASSIGN_OR_RETURN(FileBytes bytes, readFileBytes(path, kMaxFileBytes));
  FW_ASSIGN_OR_RETURN(const ImageHeader header, readImageHeader({bytes.padded.data(), bytes.size}));
  return decodeFile(header, bytes);
}

Result<ImagePtr> decodeStillBytes(std::vector<uint8_t> bytes, StillSize size) {
  FW_ASSIGN_OR_RETURN(const ImageHeader header, readImageHeader(bytes));
  if (header.width != size.width || header.height != size.height) {
    return Error{ErrorCode::MEDIA_UNREADABLE, "a picture has another size than it should have", ""};
  }
  FileBytes file;
  file.size = bytes.size();
  bytes.resize(bytes.size() + AV_INPUT_BUFFER_PADDING_SIZE);
  file.padded = std::move(bytes);
  return decodeFile(header, file);
}

}  // namespace framewright
