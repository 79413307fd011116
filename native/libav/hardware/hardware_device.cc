#include "libav/hardware/hardware_device.h"

#include <utility>

#include "libav/av_error.h"
#include "libav/log_capture.h"

namespace framewright {
namespace {

Error deviceError(AVHWDeviceType type, int status, const LogCapture& log) {
  const std::string kind = type == AV_HWDEVICE_TYPE_CUDA ? "CUDA" : "VAAPI";
  return {ErrorCode::ENCODER_UNAVAILABLE, "libav cannot open a " + kind + " device (" + avText(status) + ")",
          log.text()};
}

}  // namespace

Result<BufferPtr> openHardwareDevice(AVHWDeviceType type, const std::string& name) {
  const LogCapture log;
  AVBufferRef* created = nullptr;
  const int status = av_hwdevice_ctx_create(&created, type, name.c_str(), nullptr, 0);
  if (status < 0) return deviceError(type, status, log);
  return BufferPtr(created);
}

Result<BufferPtr> createFramePool(AVBufferRef& device, int width, int height, int maxFrames,
                                  std::shared_ptr<void> owned) {
  const LogCapture log;
  const AVHWDeviceType type = reinterpret_cast<const AVHWDeviceContext*>(device.data)->type;
  BufferPtr pool(av_hwframe_ctx_alloc(&device));
  if (pool == nullptr) return deviceError(type, AVERROR(ENOMEM), log);
  auto* frames = reinterpret_cast<AVHWFramesContext*>(pool->data);
  frames->format = surfaceFormatOf(type);
  frames->sw_format = AV_PIX_FMT_NV12;
  frames->width = width;
  frames->height = height;
  frames->initial_pool_size = maxFrames;
  if (owned != nullptr) {
    frames->user_opaque = new std::shared_ptr<void>(std::move(owned));
    frames->free = [](AVHWFramesContext* ended) {
      delete static_cast<std::shared_ptr<void>*>(ended->user_opaque);
    };
  }
  const int status = av_hwframe_ctx_init(pool.get());
  if (status < 0) return deviceError(type, status, log);
  return pool;
}

AVPixelFormat surfaceFormatOf(AVHWDeviceType type) {
  return type == AV_HWDEVICE_TYPE_CUDA ? AV_PIX_FMT_CUDA : AV_PIX_FMT_VAAPI;
}

}  // namespace framewright
