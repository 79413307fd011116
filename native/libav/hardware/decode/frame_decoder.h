#pragma once

#include <memory>
#include <optional>
#include <string>

#include "libav/av_handle.h"

namespace framewright {

// Why a decoder's output cannot be trusted any more.
struct DecoderFault {
  std::string why;
  bool isDeviceFault = false;  // the device is at fault, not the video
};

// Decodes packets to frames in host memory, with libav's semantics and status codes. Used by one thread.
class FrameDecoder {
 public:
  virtual ~FrameDecoder() = default;
  // Null drains the decoder.
  virtual int send(const AVPacket* packet) = 0;
  // `frame` is empty.
  virtual int receive(AVFrame& frame) = 0;
  virtual void flush() = 0;
  // After a fault nothing more is output; another decoder has to continue.
  virtual const std::optional<DecoderFault>& fault() const = 0;
};

// Bits of a sample of 4:2:0 frames that devices decode, into surfaces of NV12 (8 bits) or P010 (10 bits); 0:
// another format.
inline int surfaceBits(AVPixelFormat format) {
  if (format == AV_PIX_FMT_YUV420P || format == AV_PIX_FMT_YUVJ420P) return 8;
  return format == AV_PIX_FMT_YUV420P10LE ? 10 : 0;
}

// What a device is probed for.
struct DecodeFormat {
  AVCodecID codec = AV_CODEC_ID_NONE;
  int bits = 8;

  // "h264", "hevc (10 bits)"
  std::string name() const { return avcodec_get_name(codec) + std::string(bits == 8 ? "" : " (10 bits)"); }
};
// Formats whose standards define every sample, so that the output does not depend on the decoder.
inline constexpr DecodeFormat kExactFormats[] = {
    {AV_CODEC_ID_H264, 8}, {AV_CODEC_ID_HEVC, 8}, {AV_CODEC_ID_HEVC, 10}, {AV_CODEC_ID_VP9, 8},
    {AV_CODEC_ID_VP9, 10}, {AV_CODEC_ID_AV1, 8},  {AV_CODEC_ID_AV1, 10}};

// Wraps an open software decoder.
std::unique_ptr<FrameDecoder> decodeInSoftware(CodecContextPtr context);

}  // namespace framewright
