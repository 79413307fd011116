#include "libav/hardware/interop/vaapi_surfaces.h"

#include <unistd.h>

#include "libav/av_error.h"
#include "libav/hardware/hardware_device.h"
#include "libav/log_capture.h"

namespace framewright {
namespace {

constexpr uint32_t kNv12Fourcc = 'N' | 'V' << 8 | '1' << 16 | uint32_t{'2'} << 24;
constexpr uint64_t kLinearModifier = 0;  // DRM_FORMAT_MOD_LINEAR

void closeDescriptor(void*, uint8_t* bytes) {
  auto* const descriptor = reinterpret_cast<AVDRMFrameDescriptor*>(bytes);
  close(descriptor->objects[0].fd);
  delete descriptor;
}

Error failed(const std::string& what, int status, const LogCapture& log) {
  return {ErrorCode::ENCODE_FAILED, what + " (" + avText(status) + ")", log.text()};
}

Result<FramePtr> describe(const Image& image) {
  const DeviceMemory& memory = *image.deviceMemory();
  FW_ASSIGN_OR_RETURN(FramePtr frame, allocateFrame());
  FW_ASSIGN_OR_RETURN(const int fd, memory.exportFd());
  auto* const descriptor = new AVDRMFrameDescriptor{};
  descriptor->nb_objects = descriptor->nb_layers = 1;
  descriptor->objects[0] = {fd, static_cast<size_t>(memory.bytes()), kLinearModifier};
  AVDRMLayerDescriptor& layer = descriptor->layers[0];
  layer.format = kNv12Fourcc;
  layer.nb_planes = 2;
  for (int p = 0; p < 2; ++p) {
    layer.planes[p] = {0, static_cast<ptrdiff_t>(memory.rows(p).offset),
                       static_cast<ptrdiff_t>(memory.rows(p).pitch)};
  }
  auto* const bytes = reinterpret_cast<uint8_t*>(descriptor);
  frame->buf[0] = av_buffer_create(bytes, sizeof *descriptor, closeDescriptor, nullptr, 0);
  if (frame->buf[0] == nullptr) {
    closeDescriptor(nullptr, bytes);
    return outOfMemory("frame");
  }
  frame->format = AV_PIX_FMT_DRM_PRIME;
  frame->width = image.width();
  frame->height = image.height();
  frame->data[0] = bytes;
  return frame;
}

}  // namespace

Status VaapiSurfaces::open(const DeviceIdentity& compositor, int width, int height) {
  if (compositor.renderNode < 0) {
    return Error{ErrorCode::ENCODER_UNAVAILABLE, "the Vulkan driver does not report its render node", ""};
  }
  FW_ASSIGN_OR_RETURN(device_,
                      openHardwareDevice(AV_HWDEVICE_TYPE_VAAPI, renderNodePath(compositor.renderNode)));
  FW_ASSIGN_OR_RETURN(pool_, createFramePool(*device_, width, height));
  return {};
}

Result<const AVFrame*> VaapiSurfaces::map(const Image& image) {
  const auto known = surfaces_.find(image.deviceMemory().get());
  if (known != surfaces_.end()) return known->second.surface.get();
  FW_ASSIGN_OR_RETURN(const FramePtr described, describe(image));
  FW_ASSIGN_OR_RETURN(FramePtr surface, allocateFrame());
  surface->format = AV_PIX_FMT_VAAPI;
  surface->hw_frames_ctx = av_buffer_ref(pool_.get());
  const LogCapture log;
  const int status = av_hwframe_map(surface.get(), described.get(), AV_HWFRAME_MAP_READ);
  if (status < 0) return failed("the driver cannot map a frame of the compositor's device", status, log);
  MappedSurface& mapped = surfaces_[image.deviceMemory().get()];
  mapped = {image.deviceMemory(), std::move(surface)};
  return mapped.surface.get();
}

}  // namespace framewright
