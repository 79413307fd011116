#include "libav/hardware/decode/surface_decoder.h"

#include <algorithm>
#include <utility>

#include "libav/av_error.h"
#include "libav/codec_policy.h"
#include "libav/log_capture.h"

namespace framewright {
namespace {

struct FreePool {
  void operator()(AVBufferPool* pool) const { av_buffer_pool_uninit(&pool); }
};
constexpr int kRowAlignment = 64;

// 4:2:0 of 8 bits, whose surfaces are NV12 everywhere.
bool isPlain(AVPixelFormat format) { return format == AV_PIX_FMT_YUV420P || format == AV_PIX_FMT_YUVJ420P; }

void splitPairs(const uint8_t* pairs, uint8_t* first, uint8_t* second, int count) {
  for (int i = 0; i < count; ++i) {
    first[i] = pairs[2 * i];
    second[i] = pairs[2 * i + 1];
  }
}

class SurfaceDecoder final : public PictureDecoder {
 public:
  explicit SurfaceDecoder(std::shared_ptr<const DecodeDevice> device) : device_(std::move(device)) {}

  Status open(const AVStream& stream) {
    surface_.reset(av_frame_alloc());
    brought_.reset(av_frame_alloc());
    if (surface_ == nullptr || brought_ == nullptr)
      return avError(ErrorCode::OUT_OF_MEMORY, "frame", AVERROR(ENOMEM));
    const LogCapture log;
    // Of one thread: the device works on its own, and each thread would take a surface of the pool.
    FW_ASSIGN_OR_RETURN(context_, openDecoderFor(stream, 1, [this](AVCodecContext& context) {
                          context.opaque = this;
                          context.get_format = &SurfaceDecoder::choose;
                          context.err_recognition |= AV_EF_EXPLODE;
                          // libav cuts surfaces on two sides only; cut below, as its own pictures are.
                          context.apply_cropping = 0;
                          return device_->attach(context);
                        }));
    return {};
  }

  int send(const AVPacket* packet) override {
    if (doubt_) return AVERROR_EXTERNAL;
    const bool isDamaged = packet != nullptr && (packet->flags & AV_PKT_FLAG_CORRUPT) != 0;
    if (isDamaged) return lose("the file is damaged", false);
    const LogCapture log;
    const int status = avcodec_send_packet(context_.get(), packet);
    if (isLeftOut_) return lose(leftOut(log), false);
    const bool isFine = status >= 0 || status == AVERROR(EAGAIN) || status == AVERROR_EOF;
    return isFine ? status : loseBy("it takes no packet", status, log);
  }

  int receive(AVFrame& frame) override {
    if (doubt_) return AVERROR_EXTERNAL;
    const LogCapture log;
    int status = avcodec_receive_frame(context_.get(), surface_.get());
    if (isLeftOut_) return lose(leftOut(log), false);
    if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return status;
    if (status < 0) return loseBy("it gives no picture", status, log);
    if (surface_->format != device_->surface()) return lose(leftOut(log), false);
    const int flaws = surface_->decode_error_flags | (surface_->flags & AV_FRAME_FLAG_CORRUPT);
    if (flaws != 0) return lose("a picture is damaged", false);
    // Without times the processor could not go on at the same place.
    if (surface_->best_effort_timestamp == AV_NOPTS_VALUE) return lose("its pictures tell no times", false);
    const Shape shape{surface_->width, surface_->height, software_};
    if (!shape_) shape_ = shape;
    if (*shape_ != shape) return lose("its pictures change in size or kind", false);
    av_frame_unref(brought_.get());
    status = device_->bring(*brought_, *surface_);
    if (status >= 0 && brought_->format != AV_PIX_FMT_NV12) status = AVERROR(EINVAL);
    if (status >= 0) status = unpack(frame);
    // Surfaces are few: none is kept while others are decoded.
    av_frame_unref(surface_.get());
    return status >= 0 ? 0 : loseBy("no picture comes to main memory", status, log, true);
  }

  void flush() override { avcodec_flush_buffers(context_.get()); }

  const std::optional<Doubt>& doubt() const override { return doubt_; }

 private:
  struct Shape {
    int width = 0, height = 0;
    AVPixelFormat software = AV_PIX_FMT_NONE;

    bool operator==(const Shape&) const = default;
  };

  // Called by libav when a film begins and when its pictures change. Where the surface that was chosen cannot
  // be had, it is called once more without it; the last is what the processor would decode to.
  static AVPixelFormat choose(AVCodecContext* context, const AVPixelFormat* offered) {
    auto& self = *static_cast<SurfaceDecoder*>(context->opaque);
    const AVPixelFormat* end = offered;
    bool isOffered = false;
    for (; *end != AV_PIX_FMT_NONE; ++end) isOffered = isOffered || *end == self.device_->surface();
    if (end == offered) return AV_PIX_FMT_NONE;
    self.software_ = end[-1];
    self.isLeftOut_ = !isOffered || !isPlain(self.software_);
    return self.isLeftOut_ ? self.software_ : self.device_->surface();
  }

  static std::string leftOut(const LogCapture& log) {
    const std::string words = log.text();
    return "libav does not decode this film with it" + (words.empty() ? "" : " (" + words + ")");
  }

  int lose(const std::string& why, bool isOfDevice) {
    doubt_ = Doubt{why, isOfDevice};
    return AVERROR_EXTERNAL;
  }
  int loseBy(const std::string& what, int status, const LogCapture& log, bool isOfDevice = false) {
    const std::string words = log.text();
    return lose(what + " (" + (words.empty() ? avText(status) : words) + ")",
                isOfDevice || status != AVERROR_INVALIDDATA);
  }

  // What was brought, as the processor would have given it.
  int unpack(AVFrame& frame) {
    int status = av_frame_copy_props(&frame, surface_.get());
    frame.format = software_;
    frame.width = surface_->width;
    frame.height = surface_->height;
    if (status >= 0) status = takeBuffer(frame);
    if (status < 0) return status;
    if (brought_->width < frame.width || brought_->height < frame.height) return AVERROR(EINVAL);
    av_image_copy_plane(frame.data[0], frame.linesize[0], brought_->data[0], brought_->linesize[0],
                        frame.width, frame.height);
    for (int y = 0; y < (frame.height + 1) / 2; ++y) {
      splitPairs(brought_->data[1] + y * brought_->linesize[1], frame.data[1] + y * frame.linesize[1],
                 frame.data[2] + y * frame.linesize[2], (frame.width + 1) / 2);
    }
    return av_frame_apply_cropping(&frame, 0);
  }

  // Memory that was used before is not cleared again by the kernel.
  int takeBuffer(AVFrame& frame) {
    const auto format = static_cast<AVPixelFormat>(frame.format);
    const int width = FFALIGN(frame.width, 2 * kRowAlignment);
    if (pool_ == nullptr) {
      const int bytes = av_image_get_buffer_size(format, width, frame.height, kRowAlignment);
      if (bytes < 0) return bytes;
      pool_.reset(av_buffer_pool_init(static_cast<size_t>(bytes) + kRowAlignment, nullptr));
    }
    frame.buf[0] = pool_ == nullptr ? nullptr : av_buffer_pool_get(pool_.get());
    if (frame.buf[0] == nullptr) return AVERROR(ENOMEM);
    frame.extended_data = frame.data;
    return av_image_fill_arrays(frame.data, frame.linesize, frame.buf[0]->data, format, width, frame.height,
                                kRowAlignment);
  }

  const std::shared_ptr<const DecodeDevice> device_;
  CodecContextPtr context_;
  FramePtr surface_, brought_;
  std::unique_ptr<AVBufferPool, FreePool> pool_;  // of one size, as the pictures are
  AVPixelFormat software_ = AV_PIX_FMT_NONE;
  bool isLeftOut_ = false;  // libav went on without the device
  std::optional<Shape> shape_;
  std::optional<Doubt> doubt_;
};

}  // namespace

Result<std::unique_ptr<PictureDecoder>> decodeOnDevice(const AVStream& stream,
                                                       std::shared_ptr<const DecodeDevice> device) {
  auto decoder = std::make_unique<SurfaceDecoder>(std::move(device));
  FW_RETURN_IF_ERROR(decoder->open(stream));
  return std::unique_ptr<PictureDecoder>(std::move(decoder));
}

}  // namespace framewright
