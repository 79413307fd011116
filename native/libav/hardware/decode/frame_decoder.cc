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

std::unique_ptr<FrameDecoder> decodeInSoftware(CodecContextPtr context) {
  return std::make_unique<SoftwareDecoder>(std::move(context));
}

}  // namespace framewright
