#include <map>
#include <string>

#include <unistd.h>

#include "libav/av_error.h"
#include "libav/encode/video/family.h"
#include "libav/hardware/hardware_device.h"
#include "libav/hardware/interop/interop_backend.h"
#include "libav/log_capture.h"

// Maps the dma-buf of a frame as a surface of the encoder's device, without a copy.
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

class VaapiInterop final : public FrameInterop {
 public:
  Status open(const std::string& node, int width, int height) {
    FW_ASSIGN_OR_RETURN(const BufferPtr device, openHardwareDevice(AV_HWDEVICE_TYPE_VAAPI, node));
    FW_ASSIGN_OR_RETURN(pool_, createFramePool(*device, width, height));
    return {};
  }

  AVPixelFormat format() const override { return AV_PIX_FMT_VAAPI; }
  AVBufferRef* pool() const override { return pool_.get(); }

  Result<FramePtr> frame(const ImagePtr& image) override {
    FW_ASSIGN_OR_RETURN(const AVFrame* const surface, mapSurface(*image));
    FramePtr frame(av_frame_clone(surface));
    if (frame == nullptr) return outOfMemory("frame");
    // The encoder reads the image while it references the frame.
    frame->opaque_ref = makeImageReference(image);
    if (frame->opaque_ref == nullptr) return outOfMemory("frame");
    return frame;
  }

 private:
  struct MappedSurface {
    std::shared_ptr<const DeviceMemory> memory;  // keeps its address unique
    FramePtr surface;
  };

  // Each memory is mapped once.
  Result<const AVFrame*> mapSurface(const Image& image) {
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

  static Result<FramePtr> describe(const Image& image) {
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

  BufferPtr pool_;
  std::map<const DeviceMemory*, MappedSurface> surfaces_;
};

Result<std::unique_ptr<FrameInterop>> open(const DeviceIdentity& device, int width, int height) {
  if (device.renderNode < 0) {
    return Error{ErrorCode::ENCODER_UNAVAILABLE, "the Vulkan driver does not report its render node", ""};
  }
  auto interop = std::make_unique<VaapiInterop>();
  FW_RETURN_IF_ERROR(interop->open(renderNodePath(device.renderNode), width, height));
  return std::unique_ptr<FrameInterop>(std::move(interop));
}

}  // namespace

const InteropBackend kVaapiInterop{
    "vaapi", FramePlace::kDmaBuf,
    [](const EncoderFamily& family) { return family.device == AV_HWDEVICE_TYPE_VAAPI; }, open};

}  // namespace framewright
