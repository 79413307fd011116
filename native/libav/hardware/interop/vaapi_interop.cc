#include <map>
#include <string>

#include <unistd.h>

#include "libav/av_error.h"
#include "libav/encode/video/family.h"
#include "libav/hardware/hardware_device.h"
#include "libav/hardware/interop/interop_backend.h"
#include "libav/log_capture.h"

// As surfaces of the encoder's own device, mapped from the kernel's descriptors: no copy at all.
namespace framewright {
namespace {

constexpr uint32_t kFourcc = 'N' | 'V' << 8 | '1' << 16 | uint32_t{'2'} << 24;
constexpr uint64_t kRowByRow = 0;  // the format modifier

void closeDescriptor(void*, uint8_t* bytes) {
  auto* const descriptor = reinterpret_cast<AVDRMFrameDescriptor*>(bytes);
  close(descriptor->objects[0].fd);
  delete descriptor;
}

void dropImage(void* opaque, uint8_t*) { delete static_cast<ImagePtr*>(opaque); }

Error failed(const std::string& what, int status, const LogCapture& log) {
  return {ErrorCode::ENCODE_FAILED, what + " (" + avText(status) + ")", log.text()};
}

class VaapiHandover final : public FrameHandover {
 public:
  Status open(const std::string& node, int width, int height) {
    FW_ASSIGN_OR_RETURN(const BufferPtr device, openHardwareDevice(AV_HWDEVICE_TYPE_VAAPI, node));
    FW_ASSIGN_OR_RETURN(pool_, createFramePool(*device, width, height));
    return {};
  }

  AVPixelFormat format() const override { return AV_PIX_FMT_VAAPI; }
  AVBufferRef* pool() const override { return pool_.get(); }

  Result<FramePtr> frame(const ImagePtr& image) override {
    FW_ASSIGN_OR_RETURN(const AVFrame* const surface, surfaceOf(*image));
    FramePtr frame(av_frame_clone(surface));
    if (frame == nullptr) return avError(ErrorCode::OUT_OF_MEMORY, "frame", AVERROR(ENOMEM));
    // The encoder reads it for as long as it keeps the frame.
    auto* const owner = new ImagePtr(image);
    frame->opaque_ref = av_buffer_create(reinterpret_cast<uint8_t*>(owner), 1, dropImage, owner, 0);
    if (frame->opaque_ref != nullptr) return frame;
    delete owner;
    return avError(ErrorCode::OUT_OF_MEMORY, "frame", AVERROR(ENOMEM));
  }

 private:
  struct Mapped {
    std::shared_ptr<const DeviceMemory> memory;  // so that no other stands at its address
    FramePtr surface;
  };

  // Each memory is mapped once.
  Result<const AVFrame*> surfaceOf(const Image& image) {
    const auto known = mapped_.find(image.deviceMemory().get());
    if (known != mapped_.end()) return known->second.surface.get();
    FW_ASSIGN_OR_RETURN(const FramePtr described, describe(image));
    FramePtr surface(av_frame_alloc());
    if (surface == nullptr) return avError(ErrorCode::OUT_OF_MEMORY, "frame", AVERROR(ENOMEM));
    surface->format = AV_PIX_FMT_VAAPI;
    surface->hw_frames_ctx = av_buffer_ref(pool_.get());
    const LogCapture log;
    const int status = av_hwframe_map(surface.get(), described.get(), AV_HWFRAME_MAP_READ);
    if (status < 0) return failed("the driver maps no frame of the device that draws", status, log);
    Mapped& mapped = mapped_[image.deviceMemory().get()];
    mapped = {image.deviceMemory(), std::move(surface)};
    return mapped.surface.get();
  }

  static Result<FramePtr> describe(const Image& image) {
    const DeviceMemory& memory = *image.deviceMemory();
    FramePtr frame(av_frame_alloc());
    if (frame == nullptr) return avError(ErrorCode::OUT_OF_MEMORY, "frame", AVERROR(ENOMEM));
    FW_ASSIGN_OR_RETURN(const int fd, memory.exportFd());
    auto* const descriptor = new AVDRMFrameDescriptor{};
    descriptor->nb_objects = descriptor->nb_layers = 1;
    descriptor->objects[0] = {fd, static_cast<size_t>(memory.bytes()), kRowByRow};
    AVDRMLayerDescriptor& layer = descriptor->layers[0];
    layer.format = kFourcc;
    layer.nb_planes = 2;
    for (int p = 0; p < 2; ++p) {
      layer.planes[p] = {0, static_cast<ptrdiff_t>(memory.rows(p).offset),
                         static_cast<ptrdiff_t>(memory.rows(p).pitch)};
    }
    auto* const bytes = reinterpret_cast<uint8_t*>(descriptor);
    frame->buf[0] = av_buffer_create(bytes, sizeof *descriptor, closeDescriptor, nullptr, 0);
    if (frame->buf[0] == nullptr) {
      closeDescriptor(nullptr, bytes);
      return avError(ErrorCode::OUT_OF_MEMORY, "frame", AVERROR(ENOMEM));
    }
    frame->format = AV_PIX_FMT_DRM_PRIME;
    frame->width = image.width();
    frame->height = image.height();
    frame->data[0] = bytes;
    return frame;
  }

  BufferPtr pool_;
  std::map<const DeviceMemory*, Mapped> mapped_;
};

Result<std::unique_ptr<FrameHandover>> open(const DeviceIdentity& device, int width, int height) {
  if (device.renderNode < 0) {
    return Error{ErrorCode::ENCODER_UNAVAILABLE, "the Vulkan driver does not tell its render node", ""};
  }
  auto handover = std::make_unique<VaapiHandover>();
  FW_RETURN_IF_ERROR(handover->open(renderNodePath(device.renderNode), width, height));
  return std::unique_ptr<FrameHandover>(std::move(handover));
}

}  // namespace

const HandoverWay kVaapiHandover{
    "vaapi", FramePlace::kDmaBuf,
    [](const EncoderFamily& family) { return family.device == AV_HWDEVICE_TYPE_VAAPI; }, open};

}  // namespace framewright
