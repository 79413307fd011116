#include <cstdio>

#include <dlfcn.h>

#include "libav/av_error.h"
#include "libav/hardware/hardware_device.h"
#include "libav/hardware/interop/decode_interop.h"
#include "libav/hardware/surface_rows.h"
#include "libav/log_capture.h"

// Imports the DMA-BUFs of VAAPI's surfaces into the compositor's device, without a copy.
namespace framewright {
namespace {

constexpr uint64_t kLinear = 0;  // DRM_FORMAT_MOD_LINEAR
constexpr int kVaSuccess = 0;

// vaSyncSurface() of the library that libav has loaded. libav does not call it when it exports a surface.
using SyncSurface = int (*)(void* display, unsigned surface);

SyncSurface findSyncSurface() {
  void* const library = dlopen("libva.so.2", RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  const auto function = reinterpret_cast<SyncSurface>(dlsym(library, "vaSyncSurface"));
  dlclose(library);  // libav keeps it loaded
  return function;
}

// The start of AVVAAPIDeviceContext, whose header needs that of libva.
struct VaapiDevice {
  void* display;
};

Error rejected(const std::string& reason) { return {ErrorCode::ENCODER_UNAVAILABLE, reason, ""}; }

// The surfaces of a decoder that the compositor uses.
using SurfaceCount = std::shared_ptr<std::atomic<int>>;

class VaapiDecodedFrame final : public DownloadedOnce {
 public:
  VaapiDecodedFrame(FramePtr surface, const FrameShape& shape, SurfaceCount count,
                    std::shared_ptr<const DecodeTarget> target, std::shared_ptr<FrameCopies> copies)
      : DownloadedOnce(shape, std::move(target), std::move(copies)),
        surface_(std::move(surface)),
        count_(std::move(count)) {
    ++*count_;
  }
  ~VaapiDecodedFrame() override {
    surface_.reset();
    --*count_;
  }

  const AVFrame& surface() const { return *surface_; }

 private:
  Status downloadTo(const Image& image) const override {
    FW_ASSIGN_OR_RETURN(const FramePtr downloaded, allocateFrame());
    downloaded->format = shape().surfaceFormat();
    const LogCapture log;
    const int status = av_hwframe_transfer_data(downloaded.get(), surface_.get(), 0);
    if (status == AVERROR(ENOMEM)) return outOfMemory("frame");
    if (status < 0)
      return Error{ErrorCode::GPU_FAILED, "a decoded frame cannot be downloaded (" + avText(status) + ")",
                   log.text()};
    copySurface(*downloaded, shape().bits, {image.plane(0), image.plane(1), image.plane(2)});
    return {};
  }

  FramePtr surface_;
  const SurfaceCount count_;
};

// Where the planes of an exported surface are. Fails with ENCODER_UNAVAILABLE for a layout that is no buffer.
Result<DmaBufFrame> describe(const AVDRMFrameDescriptor& exported, const FrameShape& shape) {
  AVDRMPlaneDescriptor planes[2]{};
  int count = 0;
  for (int i = 0; i < exported.nb_layers; ++i) {
    for (int p = 0; p < exported.layers[i].nb_planes; ++p, ++count)
      if (count < 2) planes[count] = exported.layers[i].planes[p];
  }
  if (count != 2 || planes[0].object_index != planes[1].object_index)
    return rejected("its surfaces are not in one memory object");
  const AVDRMObjectDescriptor& object = exported.objects[planes[0].object_index];
  if (object.format_modifier != kLinear) {
    char text[80];
    std::snprintf(text, sizeof text, "its surfaces are not linear (modifier 0x%llx)",
                  static_cast<unsigned long long>(object.format_modifier));
    return rejected(text);
  }
  DmaBufFrame frame{shape.bits, object.fd, object.size, shape.width, shape.height, {}};
  for (int p = 0; p < 2; ++p)
    frame.rows[p] = {static_cast<uint64_t>(planes[p].offset), static_cast<uint32_t>(planes[p].pitch)};
  return frame;
}

class VaapiDecodeInterop final : public DecodeInterop {
 public:
  VaapiDecodeInterop(AVBufferRef& device, SyncSurface sync, std::shared_ptr<const DecodeTarget> target,
                     std::shared_ptr<FrameCopies> copies)
      : device_(av_buffer_ref(&device)),
        sync_(sync),
        target_(std::move(target)),
        copies_(std::move(copies)) {}

  const char* name() const override { return "vaapi"; }

  Result<ImagePtr> keep(const AVFrame& surface, FrameShape shape) override {
    if (*count_ >= kVaapiExtraSurfaces)
      return Error{ErrorCode::ENCODER_BUSY, "too many decoded frames are in use", ""};
    FramePtr own(av_frame_clone(&surface));
    if (own == nullptr) return outOfMemory("frame");
    const auto frame = std::make_shared<VaapiDecodedFrame>(std::move(own), shape, count_, target_, copies_);
    FW_RETURN_IF_ERROR(waitFor(surface));
    FW_ASSIGN_OR_RETURN(const FramePtr exported, allocateFrame());
    exported->format = AV_PIX_FMT_DRM_PRIME;
    const LogCapture log;
    const int status = av_hwframe_map(exported.get(), &surface, AV_HWFRAME_MAP_READ);
    if (status < 0) {
      const std::string message = log.text();
      return rejected("the driver cannot export a decoded surface (" +
                      (message.empty() ? avText(status) : message) + ")");
    }
    const auto& descriptor = *reinterpret_cast<const AVDRMFrameDescriptor*>(exported->data[0]);
    FW_ASSIGN_OR_RETURN(const DmaBufFrame described, describe(descriptor, shape));
    FW_ASSIGN_OR_RETURN(auto memory, target_->memory->import(described));
    return ImagePtr(
        Image::decodedOnDevice(shape.deviceFormat(), shape.width, shape.height, std::move(memory), frame));
  }

 private:
  // Waits until the surface is decoded.
  Status waitFor(const AVFrame& surface) const {
    const auto* const device =
        static_cast<const VaapiDevice*>(reinterpret_cast<const AVHWDeviceContext*>(device_->data)->hwctx);
    const auto id = static_cast<unsigned>(reinterpret_cast<uintptr_t>(surface.data[3]));
    const int status = sync_(device->display, id);
    if (status == kVaSuccess) return {};
    return Error{ErrorCode::GPU_FAILED, "vaSyncSurface: " + std::to_string(status), ""};
  }

  const BufferPtr device_;
  const SyncSurface sync_;
  const std::shared_ptr<const DecodeTarget> target_;
  const std::shared_ptr<FrameCopies> copies_;
  const SurfaceCount count_ = std::make_shared<std::atomic<int>>(0);
};

}  // namespace

Result<std::unique_ptr<DecodeInterop>> openVaapiDecodeInterop(
    AVBufferRef& device, const std::string& name, const std::shared_ptr<const DecodeTarget>& target,
    const std::shared_ptr<FrameCopies>& copies) {
  const int node = DeviceRegistry::ofProcess().find(target->device).renderNode;
  if (node < 0) return rejected("the Vulkan driver does not report its render node");
  if (name != renderNodePath(node)) return rejected("another card composes");
  const SyncSurface sync = findSyncSurface();
  if (sync == nullptr) return rejected("libva.so.2 is not loaded");
  return std::unique_ptr<DecodeInterop>(std::make_unique<VaapiDecodeInterop>(device, sync, target, copies));
}

}  // namespace framewright
