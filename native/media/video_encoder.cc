#include "media/av_error.h"
#include "media/av_handle.h"
#include "media/libav_video_encoder.h"
#include "media/log_capture.h"
#include "media/packet_writer.h"
#include "media/still_span_encoder.h"

namespace framewright {
namespace {

// Hands an Image to libav; the reference travels with the AVFrame's buffer.
void releaseImage(void* opaque, uint8_t*) { delete static_cast<ImagePtr*>(opaque); }

// Everything that could make the headers of two segments differ is pinned here.
void configure(AVCodecContext& context, const VideoEncoderSettings& settings) {
  context.width = settings.width;
  context.height = settings.height;
  context.pix_fmt = AV_PIX_FMT_YUV420P;
  context.time_base = {static_cast<int>(settings.fps.den), static_cast<int>(settings.fps.num)};
  context.framerate = {static_cast<int>(settings.fps.num), static_cast<int>(settings.fps.den)};
  context.sample_aspect_ratio = {1, 1};
  context.gop_size = settings.keyframeInterval;
  context.color_range = AVCOL_RANGE_MPEG;
  context.colorspace = AVCOL_SPC_BT709;
  context.color_primaries = AVCOL_PRI_BT709;
  context.color_trc = AVCOL_TRC_BT709;
  context.chroma_sample_location = AVCHROMA_LOC_LEFT;
  context.thread_count = settings.threads;
  context.flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_CLOSED_GOP;
}

}  // namespace

Status LibavVideoEncoder::open(const VideoEncoderSettings& settings, const std::string& path) {
  const AVCodec* codec = avcodec_find_encoder_by_name(settings.encoder.c_str());
  if (codec == nullptr) {
    return Error{ErrorCode::ENCODER_UNAVAILABLE,
                 "the encoder " + settings.encoder + " is not part of this build", ""};
  }
  context_.reset(avcodec_alloc_context3(codec));
  if (context_ == nullptr) return avError(ErrorCode::OUT_OF_MEMORY, "encoder", AVERROR(ENOMEM));
  configure(*context_, settings);
  Options options;
  options.set("preset", settings.preset.c_str());
  options.set("crf", std::to_string(settings.crf).c_str());
  // Without loss there is a profile of its own (High 4:4:4 Predictive).
  if (settings.crf > 0) options.set("profile", "high");
  options.set("forced-idr", "1");
  // stitchable: no header may depend on the content or on the rate factor.
  options.set("x264-params", "stitchable=1");
  LogCapture log;
  const int status = avcodec_open2(context_.get(), codec, options.get());
  if (status < 0) {
    Error error = avError(ErrorCode::ENCODER_UNAVAILABLE,
                          "the encoder " + settings.encoder + " cannot be opened", status);
    error.detail += "; " + log.text();
    return error;
  }
  return writer_.open(path, *context_);
}

Result<FramePtr> LibavVideoEncoder::wrapImage(ImagePtr image, int64_t pts) {
  FramePtr frame(av_frame_alloc());
  if (frame == nullptr) return avError(ErrorCode::OUT_OF_MEMORY, "frame", AVERROR(ENOMEM));
  frame->format = AV_PIX_FMT_YUV420P;
  frame->width = image->width();
  frame->height = image->height();
  frame->pts = pts;
  frame->color_range = AVCOL_RANGE_MPEG;
  frame->colorspace = AVCOL_SPC_BT709;
  frame->color_primaries = AVCOL_PRI_BT709;
  frame->color_trc = AVCOL_TRC_BT709;
  frame->chroma_location = AVCHROMA_LOC_LEFT;
  for (int i = 0; i < 3; ++i) {
    frame->data[i] = image->plane(i).data;
    frame->linesize[i] = static_cast<int>(image->plane(i).stride);
  }
  uint8_t* first = image->plane(0).data;
  auto* owner = new ImagePtr(std::move(image));
  frame->buf[0] = av_buffer_create(first, 1, releaseImage, owner, AV_BUFFER_FLAG_READONLY);
  if (frame->buf[0] == nullptr) {
    delete owner;
    return avError(ErrorCode::OUT_OF_MEMORY, "frame", AVERROR(ENOMEM));
  }
  return frame;
}

Status LibavVideoEncoder::encode(ShownPicture picture) {
  for (int64_t i = 0; i < picture.frames; ++i) {
    FW_ASSIGN_OR_RETURN(const FramePtr frame, wrapImage(picture.image, nextPts_++));
    FW_RETURN_IF_ERROR(send(frame.get()));
  }
  return {};
}

Result<int64_t> LibavVideoEncoder::finish() {
  FW_RETURN_IF_ERROR(send(nullptr));
  return writer_.finish();
}

Status LibavVideoEncoder::send(const AVFrame* frame) {
  return writer_.encode(*context_, frame, "the encoder refused a frame");
}

Result<std::unique_ptr<VideoEncoder>> VideoEncoder::open(const VideoEncoderSettings& settings,
                                                         const std::string& path) {
  std::unique_ptr<LibavVideoEncoder> encoder;
  if (StillSpanEncoder::suits(settings)) {
    encoder = std::make_unique<StillSpanEncoder>(settings);
  } else {
    encoder = std::make_unique<LibavVideoEncoder>();
  }
  FW_RETURN_IF_ERROR(encoder->open(settings, path));
  return std::unique_ptr<VideoEncoder>(std::move(encoder));
}

}  // namespace framewright
