#include "media/encoder_trial.h"

#include <array>
#include <cstring>

#include "media/av_error.h"
#include "media/av_handle.h"
#include "media/log_capture.h"

namespace framewright {
namespace {

constexpr int kWidth = 320, kHeight = 192;  // above the smallest size of every hardware encoder
constexpr std::array kEncoders{"libx264",    "libx265",    "libsvtav1", "h264_nvenc",
                               "hevc_nvenc", "h264_vaapi", "hevc_vaapi"};

struct AvUnref {
  void operator()(AVBufferRef* reference) const { av_buffer_unref(&reference); }
};
using BufferPtr = std::unique_ptr<AVBufferRef, AvUnref>;

FramePtr greyFrame(AVPixelFormat format) {
  FramePtr frame(av_frame_alloc());
  if (frame == nullptr) return nullptr;
  frame->format = format;
  frame->width = kWidth;
  frame->height = kHeight;
  if (av_frame_get_buffer(frame.get(), 0) < 0) return nullptr;
  for (int i = 0; i < AV_NUM_DATA_POINTERS && frame->data[i] != nullptr; ++i) {
    const int rows = i == 0 ? kHeight : kHeight / 2;
    std::memset(frame->data[i], 128, static_cast<size_t>(frame->linesize[i]) * rows);
  }
  return frame;
}

// VAAPI encoders take pictures in the device's own memory only.
int attachDevice(AVCodecContext& context, BufferPtr& device, FramePtr& frame) {
  AVBufferRef* created = nullptr;
  int status = av_hwdevice_ctx_create(&created, AV_HWDEVICE_TYPE_VAAPI, nullptr, nullptr, 0);
  // Asked for by name, libav says what is missing; its own search stays silent.
  if (status < 0)
    status = av_hwdevice_ctx_create(&created, AV_HWDEVICE_TYPE_VAAPI, "/dev/dri/renderD128", nullptr, 0);
  if (status < 0) return status;
  device.reset(created);
  BufferPtr pool(av_hwframe_ctx_alloc(created));
  if (pool == nullptr) return AVERROR(ENOMEM);
  auto* frames = reinterpret_cast<AVHWFramesContext*>(pool->data);
  frames->format = AV_PIX_FMT_VAAPI;
  frames->sw_format = AV_PIX_FMT_NV12;
  frames->width = kWidth;
  frames->height = kHeight;
  status = av_hwframe_ctx_init(pool.get());
  FramePtr uploaded(av_frame_alloc());
  if (status >= 0) status = av_hwframe_get_buffer(pool.get(), uploaded.get(), 0);
  if (status >= 0) status = av_hwframe_transfer_data(uploaded.get(), frame.get(), 0);
  if (status < 0) return status;
  context.pix_fmt = AV_PIX_FMT_VAAPI;
  context.hw_frames_ctx = av_buffer_ref(pool.get());
  frame = std::move(uploaded);
  return 0;
}

int encodeOne(const AVCodec& codec) {
  const std::string name = codec.name;
  const bool vaapi = name.find("vaapi") != std::string::npos;
  BufferPtr device;
  CodecContextPtr context(avcodec_alloc_context3(&codec));
  FramePtr frame = greyFrame(vaapi ? AV_PIX_FMT_NV12 : AV_PIX_FMT_YUV420P);
  PacketPtr packet(av_packet_alloc());
  if (context == nullptr || frame == nullptr || packet == nullptr) return AVERROR(ENOMEM);
  context->width = kWidth;
  context->height = kHeight;
  context->pix_fmt = AV_PIX_FMT_YUV420P;
  context->time_base = {1, 30};
  context->framerate = {30, 1};
  context->thread_count = 1;
  Options options;
  if (name == "libx265") options.set("x265-params", "log-level=none:pools=1");
  if (name == "libsvtav1") options.set("preset", "12");
  int status = vaapi ? attachDevice(*context, device, frame) : 0;
  frame->pts = 0;
  if (status >= 0) status = avcodec_open2(context.get(), &codec, options.get());
  if (status >= 0) status = avcodec_send_frame(context.get(), frame.get());
  if (status >= 0) status = avcodec_send_frame(context.get(), nullptr);
  if (status >= 0) status = avcodec_receive_packet(context.get(), packet.get());
  return status;
}

EncoderVerdict tryEncoder(const char* name) {
  EncoderVerdict verdict{name, false, ""};
  const AVCodec* codec = avcodec_find_encoder_by_name(name);
  if (codec == nullptr) {
    verdict.reason = "not part of this libav build";
    return verdict;
  }
  LogCapture log;
  const int status = encodeOne(*codec);
  verdict.available = status >= 0;
  if (status < 0) verdict.reason = log.text().empty() ? avText(status) : log.text();
  return verdict;
}

std::string versionText(unsigned version) {
  return std::to_string(AV_VERSION_MAJOR(version)) + "." + std::to_string(AV_VERSION_MINOR(version)) + "." +
         std::to_string(AV_VERSION_MICRO(version));
}

}  // namespace

std::vector<EncoderVerdict> tryEncoders() {
  std::vector<EncoderVerdict> verdicts;
  for (const char* name : kEncoders) verdicts.push_back(tryEncoder(name));
  return verdicts;
}

std::vector<std::pair<std::string, std::string>> libraryVersions() {
  return {{"libavcodec", versionText(avcodec_version())},
          {"libavformat", versionText(avformat_version())},
          {"libavutil", versionText(avutil_version())},
          {"libswscale", versionText(swscale_version())},
          {"libswresample", versionText(swresample_version())}};
}

}  // namespace framewright
