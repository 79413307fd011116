#include "encoder_bench/measure_quality.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>

#include "encoder_bench/squared_error.h"
#include "encoder_bench/ssim.h"
#include "encoder_bench/xpsnr.h"
#include "encoder_bench/y4m_file.h"
#include "libav/av_error.h"
#include "libav/codec_policy.h"
#include "libav/decode/frame_converter.h"
#include "libav/mux/packet_file.h"

namespace framewright {
namespace {

using FrameCallback = std::function<Status(const ImagePtr&)>;

// Decodes packets into frames in presentation order.
class PacketDecoder {
 public:
  static Result<std::unique_ptr<PacketDecoder>> open(const PacketFile& file) {
    auto decoder = std::make_unique<PacketDecoder>();
    FW_ASSIGN_OR_RETURN(decoder->context_, openDecoder(file.stream(), 0));
    decoder->frame_.reset(av_frame_alloc());
    if (decoder->frame_ == nullptr) return Error{ErrorCode::OUT_OF_MEMORY, "decoder", ""};
    return decoder;
  }

  // Null flushes the decoder.
  Status decode(const AVPacket* packet, const FrameCallback& take) {
    const int sent = avcodec_send_packet(context_.get(), packet);
    if (sent < 0) return avError(ErrorCode::DECODE_FAILED, "a packet cannot be decoded", sent);
    for (;;) {
      const int got = avcodec_receive_frame(context_.get(), frame_.get());
      if (got == AVERROR(EAGAIN) || got == AVERROR_EOF) return {};
      if (got < 0) return avError(ErrorCode::DECODE_FAILED, "a packet cannot be decoded", got);
      if (frame_->format != AV_PIX_FMT_YUV420P)
        return Error{ErrorCode::DECODE_FAILED, "the encoder changed the pixel format", ""};
      FW_ASSIGN_OR_RETURN(const ImagePtr image, converter_.convert(*frame_));
      FW_RETURN_IF_ERROR(take(image));
    }
  }

 private:
  CodecContextPtr context_;
  FramePtr frame_;
  FrameConverter converter_{FrameOrigin::kVideo, Orientation{}};
};

Status decodeAll(const std::string& path, const FrameCallback& take) {
  FW_ASSIGN_OR_RETURN(const std::unique_ptr<PacketFile> file, PacketFile::open(path));
  FW_ASSIGN_OR_RETURN(const std::unique_ptr<PacketDecoder> decoder, PacketDecoder::open(*file));
  const PacketPtr packet(av_packet_alloc());
  if (packet == nullptr) return Error{ErrorCode::OUT_OF_MEMORY, "packet", ""};
  for (;;) {
    FW_ASSIGN_OR_RETURN(const bool more, file->read(*packet));
    FW_RETURN_IF_ERROR(decoder->decode(more ? packet.get() : nullptr, take));
    if (!more) return {};
  }
}

}  // namespace

Result<Quality> measureQuality(const std::string& source, int64_t frames, const std::string& encodedPath,
                               const std::string& decodedPath) {
  FW_ASSIGN_OR_RETURN(const std::unique_ptr<Y4mReader> reader, Y4mReader::open(source));
  const Y4mHeader& header = reader->header();
  const int64_t expected = frames > 0 ? std::min(frames, reader->frames()) : reader->frames();
  std::unique_ptr<Y4mWriter> writer;
  if (!decodedPath.empty()) {
    FW_ASSIGN_OR_RETURN(writer, Y4mWriter::open(decodedPath, header));
  }
  Quality quality;
  quality.minPsnr = std::numeric_limits<double>::infinity();
  PsnrMeter psnr;
  SsimMeter ssim;
  XpsnrMeter xpsnr(header.width, header.height,
                   static_cast<double>(header.fps.num) / static_cast<double>(header.fps.den));
  const auto compare = [&](const ImagePtr& decoded) -> Status {
    FW_ASSIGN_OR_RETURN(const ImagePtr reference, reader->next());
    if (reference == nullptr || ++quality.frames > expected)
      return Error{ErrorCode::DECODE_FAILED, "more frames were decoded than encoded", ""};
    if (decoded->width() != header.width || decoded->height() != header.height)
      return Error{ErrorCode::DECODE_FAILED, "the encoder changed the frame size", ""};
    psnr.add(*reference, *decoded);
    ssim.add(*reference, *decoded);
    xpsnr.add(reference, *decoded);
    PsnrMeter one;
    one.add(*reference, *decoded);
    quality.minPsnr = std::min(quality.minPsnr, one.planes()[0]);
    return writer == nullptr ? Status() : writer->write(*decoded);
  };
  FW_RETURN_IF_ERROR(decodeAll(encodedPath, compare));
  if (quality.frames != expected) {
    return Error{ErrorCode::DECODE_FAILED,
                 "of " + std::to_string(expected) + " frames " + std::to_string(quality.frames) + " came out",
                 ""};
  }
  if (writer != nullptr) FW_RETURN_IF_ERROR(writer->finish());
  quality.psnr = psnr.planes();
  quality.ssim = ssim.planes();
  quality.ssimAll = ssim.all();
  quality.xpsnr = xpsnr.planes();
  return quality;
}

}  // namespace framewright
