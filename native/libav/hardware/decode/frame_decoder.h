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

// Whether frames are 8-bit 4:2:0, whose hardware surfaces are NV12 on every device.
inline bool is420(AVPixelFormat format) {
  return format == AV_PIX_FMT_YUV420P || format == AV_PIX_FMT_YUVJ420P;
}

// Wraps an open software decoder.
std::unique_ptr<FrameDecoder> decodeInSoftware(CodecContextPtr context);

}  // namespace framewright
