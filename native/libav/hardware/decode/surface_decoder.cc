#include "libav/hardware/decode/surface_decoder.h"

#include <algorithm>
#include <utility>

#include "libav/av_error.h"
#include "libav/codec_policy.h"
#include "libav/hardware/decode/frame_keeper.h"
#include "libav/hardware/surface_rows.h"
#include "libav/log_capture.h"

namespace framewright {
namespace {

struct FreePool {
  void operator()(AVBufferPool* pool) const { av_buffer_pool_uninit(&pool); }
};
constexpr int kRowAlignment = 64;

class SurfaceDecoder final : public FrameDecoder {
 public:
  explicit SurfaceDecoder(std::shared_ptr<const DecodeDevice> device)
      : device_(std::move(device)), keeper_(device_) {}

  Status open(const AVStream& stream, bool keepsFrames) {
    FW_ASSIGN_OR_RETURN(surface_, allocateFrame());
    FW_ASSIGN_OR_RETURN(downloaded_, allocateFrame());
    const LogCapture log;
    // One thread: the device works on its own, and each thread would take a surface of the pool.
    FW_ASSIGN_OR_RETURN(context_,
                        openDecoder(findHardwareDecoder(stream), stream, 1, [&](AVCodecContext& context) {
                          context.opaque = this;
                          context.get_format = &SurfaceDecoder::choose;
                          context.err_recognition |= AV_EF_EXPLODE;
                          // libav crops surfaces on two sides only, so cropping is applied after the
                          // download.
                          context.apply_cropping = 0;
                          if (keepsFrames) context.extra_hw_frames = device_->extraSurfaces();
                          return device_->attach(context);
                        }));
    return {};
  }

  int send(const AVPacket* packet) override {
    if (fault_) return AVERROR_EXTERNAL;
    const bool isDamaged = packet != nullptr && (packet->flags & AV_PKT_FLAG_CORRUPT) != 0;
    if (isDamaged) return fail("the file is damaged", false);
    const LogCapture log;
    const int status = avcodec_send_packet(context_.get(), packet);
    if (isDeviceUnused_) return fail(notDecodedReason(log), false);
    const bool isFine = status >= 0 || status == AVERROR(EAGAIN) || status == AVERROR_EOF;
    return isFine ? status : failWith("it rejects a packet", status, log);
  }

  int receive(AVFrame& frame) override {
    if (fault_) return AVERROR_EXTERNAL;
    const LogCapture log;
    int status = avcodec_receive_frame(context_.get(), surface_.get());
    if (isDeviceUnused_) return fail(notDecodedReason(log), false);
    if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return status;
    if (status < 0) return failWith("it outputs no frame", status, log);
    if (surface_->format != device_->surface()) return fail(notDecodedReason(log), false);
    const int flaws = surface_->decode_error_flags | (surface_->flags & AV_FRAME_FLAG_CORRUPT);
    if (flaws != 0) return fail("a frame is damaged", false);
    // Without timestamps software decoding could not resume at the same position.
    if (surface_->best_effort_timestamp == AV_NOPTS_VALUE)
      return fail("its frames have no timestamps", false);
    const FrameFormat frameFormat{surface_->width, surface_->height, software_};
    if (!frameFormat_) frameFormat_ = frameFormat;
    if (*frameFormat_ != frameFormat) return fail("its frames change in size or format", false);
    if (keeper_.keep(frame, *surface_, software_)) {
      av_frame_unref(surface_.get());
      return 0;
    }
    av_frame_unref(downloaded_.get());
    const LogCapture downloadLog;
    status = device_->download(*downloaded_, *surface_);
    // libav 5.1 reports the success of copies from CUDA that failed, but logs their error.
    if (status >= 0 && !downloadLog.text().empty()) status = AVERROR_EXTERNAL;
    if (status >= 0 && downloaded_->format != surfaceFormat()) status = AVERROR(EINVAL);
    if (status >= 0) status = convert(frame);
    // Surfaces are few, so none is retained while others are decoded.
    av_frame_unref(surface_.get());
    if (status >= 0) keeper_.addDownload();
    return status >= 0 ? 0 : failWith("a frame cannot be downloaded", status, downloadLog, true);
  }

  void flush() override { avcodec_flush_buffers(context_.get()); }

  const std::optional<DecoderFault>& fault() const override { return fault_; }

  void setOutput(const DecoderOutput& output) override { keeper_.setOutput(output); }
  void useHostMemory(const std::string& reason) override { keeper_.useHostMemory(reason); }
  void fail(const DecoderFault& fault) override { fault_ = fault; }
  FrameTransfers transfers() const override { return keeper_.transfers(); }

 private:
  struct FrameFormat {
    int width = 0, height = 0;
    AVPixelFormat software = AV_PIX_FMT_NONE;

    bool operator==(const FrameFormat&) const = default;
  };

  // AVCodecContext::get_format: called at the start and on format changes, and once more without the surface
  // format if it cannot be set up. The last entry is the software format.
  static AVPixelFormat choose(AVCodecContext* context, const AVPixelFormat* offered) {
    auto& self = *static_cast<SurfaceDecoder*>(context->opaque);
    const AVPixelFormat* end = offered;
    bool isOffered = false;
    for (; *end != AV_PIX_FMT_NONE; ++end) isOffered = isOffered || *end == self.device_->surface();
    if (end == offered) return AV_PIX_FMT_NONE;
    self.software_ = end[-1];
    self.isDeviceUnused_ = !isOffered || surfaceBits(self.software_) == 0;
    return self.isDeviceUnused_ ? self.software_ : self.device_->surface();
  }

  static std::string notDecodedReason(const LogCapture& log) {
    const std::string message = log.text();
    return "libav does not decode this video with it" + (message.empty() ? "" : " (" + message + ")");
  }

  int fail(const std::string& why, bool isDeviceFault) {
    fault_ = DecoderFault{why, isDeviceFault};
    return AVERROR_EXTERNAL;
  }
  int failWith(const std::string& what, int status, const LogCapture& log, bool isDeviceFault = false) {
    const std::string message = log.text();
    return fail(what + " (" + (message.empty() ? avText(status) : message) + ")",
                isDeviceFault || status != AVERROR_INVALIDDATA);
  }

  AVPixelFormat surfaceFormat() const {
    return surfaceBits(software_) == 8 ? AV_PIX_FMT_NV12 : AV_PIX_FMT_P010LE;
  }

  // Converts the download to what the software decoder outputs.
  int convert(AVFrame& frame) {
    int status = av_frame_copy_props(&frame, surface_.get());
    frame.format = software_;
    frame.width = surface_->width;
    frame.height = surface_->height;
    if (status >= 0) status = allocate(frame);
    if (status < 0) return status;
    if (downloaded_->width < frame.width || downloaded_->height < frame.height) return AVERROR(EINVAL);
    Plane planes[3];
    for (int p = 0; p < 3; ++p) {
      const int shift = p == 0 ? 0 : 1;
      planes[p] = {frame.data[p], frame.linesize[p], (frame.width + shift) >> shift,
                   (frame.height + shift) >> shift};
    }
    copySurface(*downloaded_, surfaceBits(software_), planes);
    return av_frame_apply_cropping(&frame, 0);
  }

  // Allocates from a pool: reused memory is not cleared by the kernel again.
  int allocate(AVFrame& frame) {
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
  FrameKeeper keeper_;
  CodecContextPtr context_;
  FramePtr surface_, downloaded_;
  std::unique_ptr<AVBufferPool, FreePool> pool_;  // of one size, because the format does not change
  AVPixelFormat software_ = AV_PIX_FMT_NONE;
  bool isDeviceUnused_ = false;  // libav fell back to software
  std::optional<FrameFormat> frameFormat_;
  std::optional<DecoderFault> fault_;
};

}  // namespace

Result<std::unique_ptr<FrameDecoder>> decodeOnDevice(const AVStream& stream,
                                                     std::shared_ptr<const DecodeDevice> device,
                                                     bool keepsFrames) {
  auto decoder = std::make_unique<SurfaceDecoder>(std::move(device));
  FW_RETURN_IF_ERROR(decoder->open(stream, keepsFrames));
  return std::unique_ptr<FrameDecoder>(std::move(decoder));
}

}  // namespace framewright
