#pragma once

#include <memory>
#include <optional>
#include <string>

#include "libav/av_handle.h"
#include "libav/hardware/interop/decode_interop.h"

namespace framewright {

// Why a decoder's output cannot be trusted any more.
struct DecoderFault {
  std::string why;
  bool isDeviceFault = false;  // the device is at fault, not the video
};

// How the frames of a device reach the compositor.
struct FrameTransfers {
  std::string interop;  // path on which they stay on the card; empty: through main memory
  std::string reason;   // why not on the card
  std::shared_ptr<const FrameCopies> copies;  // null: they are decoded in software
};

// The compositor that a decoder's frames are for, and the probe's ProbeCache key of the path to it.
struct DecoderOutput {
  std::shared_ptr<const DecodeTarget> target;
  std::string device;  // name of the decoding device
  std::string key;
};

// Decodes packets to frames, with libav's semantics and status codes. Frames are in main memory, or
// deviceImageOf() them. Used by one thread.
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

  // Leaves later frames on the output's card, where that is possible; without a target in main memory.
  virtual void setOutput(const DecoderOutput& output) { static_cast<void>(output); }
  // Leaves later frames in main memory, for this reason.
  virtual void useHostMemory(const std::string& reason) { static_cast<void>(reason); }
  // Declares a fault that showed in the use of a frame.
  virtual void fail(const DecoderFault& fault) { static_cast<void>(fault); }
  virtual FrameTransfers transfers() const { return {}; }
};

// The image of a decoded frame that stays on the card; null: its samples are in the AVFrame. Such frames have
// the properties and the size of the software decoder's, and no data.
inline ImagePtr deviceImageOf(const AVFrame& frame) {
  if (frame.data[0] != nullptr || frame.buf[0] == nullptr) return nullptr;
  return *static_cast<const ImagePtr*>(av_buffer_get_opaque(frame.buf[0]));
}
// The same frame in main memory. Fails as DecodedFrame::download() does.
Result<FramePtr> downloadFrame(const AVFrame& frame);

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
