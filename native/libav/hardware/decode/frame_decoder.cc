#include "libav/hardware/decode/frame_decoder.h"

#include <utility>

namespace framewright {
namespace {

class SoftwareDecoder final : public FrameDecoder {
 public:
  explicit SoftwareDecoder(CodecContextPtr context) : context_(std::move(context)) {}

  int send(const AVPacket* packet) override { return avcodec_send_packet(context_.get(), packet); }
  int receive(AVFrame& frame) override { return avcodec_receive_frame(context_.get(), &frame); }
  void flush() override { avcodec_flush_buffers(context_.get()); }
  const std::optional<DecoderFault>& fault() const override { return none_; }

 private:
  const CodecContextPtr context_;
  const std::optional<DecoderFault> none_;
};

}  // namespace

Result<FramePtr> downloadFrame(const AVFrame& frame) {
  const ImagePtr image = deviceImageOf(frame);
  FW_ASSIGN_OR_RETURN(const ImagePtr downloaded, image->decodedFrame()->download());
  FW_ASSIGN_OR_RETURN(FramePtr host, allocateFrame());
  if (av_frame_copy_props(host.get(), &frame) < 0) return outOfMemory("frame");
  host->format = frame.format;
  host->width = frame.width;
  host->height = frame.height;
  host->buf[0] = makeImageReference(downloaded);
  if (host->buf[0] == nullptr) return outOfMemory("frame");
  for (int p = 0; p < downloaded->planeCount(); ++p) {
    host->data[p] = downloaded->plane(p).data;
    host->linesize[p] = static_cast<int>(downloaded->plane(p).stride);
  }
  return host;
}

std::unique_ptr<FrameDecoder> decodeInSoftware(CodecContextPtr context) {
  return std::make_unique<SoftwareDecoder>(std::move(context));
}

}  // namespace framewright
