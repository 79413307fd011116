#include "libav/av_error.h"
#include "libav/encode/video/encoder_devices.h"
#include "libav/encode/video/families.h"
#include "libav/encode/video/libav_video_encoder.h"
#include "libav/encode/video/open_encoder.h"
#include "libav/light/content_light.h"
#include "libav/log_capture.h"
#include "libav/mux/packet_writer.h"

namespace framewright {

Status LibavVideoEncoder::open(const VideoEncoderSettings& settings, const std::string& path) {
  const EncoderFamily* family = findEncoderFamily(settings.encoder);
  if (family == nullptr) {
    return Error{ErrorCode::ENCODER_UNAVAILABLE, "the encoder " + settings.encoder + " is unknown", ""};
  }
  OpenResult outcome = openEncoder(*family, settings);
  if (!outcome.opened) return outcome.refusal.error;
  context_ = std::move(outcome.opened->context);
  input_ = std::move(outcome.opened->input);
  isHardware_ = family->isHardware;
  path_ = path;
  if (settings.mastering) {
    light_ = std::make_unique<LightMeter>();
    hideInHeaders({context_->extradata, static_cast<size_t>(context_->extradata_size)});
  }
  return writer_.open(path, *context_, family->maxReorderFrames, settings.mastering);
}

Status LibavVideoEncoder::encode(VideoFrame input) {
  for (int64_t i = 0; i < input.frames; ++i) {
    FW_ASSIGN_OR_RETURN(const FramePtr frame, nextFrame(input.image));
    FW_RETURN_IF_ERROR(send(frame.get()));
  }
  return {};
}

Result<FramePtr> LibavVideoEncoder::nextFrame(const ImagePtr& image) {
  if (light_ != nullptr && image != measured_) {
    light_->add(*image);
    measured_ = image;
  }
  FW_ASSIGN_OR_RETURN(FramePtr frame, input_.frame(image, nextPts_++));
  if (context_->pix_fmt == AV_PIX_FMT_YUV420P10LE) {
    frame->colorspace = context_->colorspace;
    frame->color_primaries = context_->color_primaries;
    frame->color_trc = context_->color_trc;
  }
  return frame;
}

Result<int64_t> LibavVideoEncoder::finish() {
  FW_RETURN_IF_ERROR(send(nullptr));
  FW_ASSIGN_OR_RETURN(const int64_t bytes, writer_.finish());
  if (light_ != nullptr) FW_RETURN_IF_ERROR(writeSegmentLight(path_, light_->light()));
  return bytes;
}

Status LibavVideoEncoder::send(const AVFrame* frame) {
  constexpr const char* kFailure = "the encoder rejected a frame";
  if (!isHardware_) return writer_.encode(*context_, frame, kFailure);
  const LogCapture log;
  const Status sent = writer_.encode(*context_, frame, kFailure);
  if (sent.ok() || sent.error().code == ErrorCode::IO_FAILED) return sent;
  // Out of memory here means device memory and says nothing about the host.
  return Error{ErrorCode::ENCODE_FAILED, sent.error().message, log.text()};
}

namespace {

std::unique_ptr<LibavVideoEncoder> createEncoder(const VideoEncoderSettings& settings) {
  const EncoderFamily* family = findEncoderFamily(settings.encoder);
  return family == nullptr || family->createEncoder == nullptr ? nullptr : family->createEncoder(settings);
}

}  // namespace

bool VideoEncoder::supportsStillSpans(const VideoEncoderSettings& settings) {
  return createEncoder(settings) != nullptr;
}

PixelFormat VideoEncoder::inputFormat(const VideoEncoderSettings& settings) {
  const EncoderFamily* family = findEncoderFamily(settings.encoder);
  return family != nullptr && family->inputFormat == AV_PIX_FMT_NV12 ? PixelFormat::kNv12
                                                                     : PixelFormat::kI420;
}

std::vector<std::string> VideoEncoder::devices(const VideoEncoderSettings& settings) {
  const EncoderFamily* family = findEncoderFamily(settings.encoder);
  std::vector<std::string> names;
  if (family == nullptr || !family->isHardware) return names;
  const std::vector<EncoderDevice> devices = encoderDevices(*family, settings.device);
  const EncoderDevice first = devices.empty() ? EncoderDevice{} : devices.front();
  names.push_back(first.name());
  // Frames in device memory are encoded by the device that composed them.
  if (settings.interop != nullptr) return names;
  for (const EncoderDevice& device : devices)
    if (device != first && isSameModel(device, first)) names.push_back(device.name());
  return names;
}

Result<std::unique_ptr<VideoEncoder>> VideoEncoder::open(const VideoEncoderSettings& settings,
                                                         const std::string& path) {
  std::unique_ptr<LibavVideoEncoder> encoder = createEncoder(settings);
  if (encoder == nullptr) encoder = std::make_unique<LibavVideoEncoder>();
  FW_RETURN_IF_ERROR(encoder->open(settings, path));
  return std::unique_ptr<VideoEncoder>(std::move(encoder));
}

}  // namespace framewright
