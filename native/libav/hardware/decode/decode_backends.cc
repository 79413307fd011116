#include "devices/device_registry.h"
#include "libav/hardware/decode/decode_backend.h"
#include "libav/hardware/hardware_device.h"

// NVDEC through CUDA, and VAAPI through DRM render nodes, both by libav.
namespace framewright {
namespace {

class LibavDevice final : public DecodeDevice {
 public:
  LibavDevice(AVHWDeviceType type, BufferPtr device)
      : surface_(surfaceFormatOf(type)), device_(std::move(device)) {}

  AVPixelFormat surface() const override { return surface_; }

  int attach(AVCodecContext& decoder) const override {
    decoder.hw_device_ctx = av_buffer_ref(device_.get());
    return decoder.hw_device_ctx == nullptr ? AVERROR(ENOMEM) : 0;
  }

  int download(AVFrame& to, const AVFrame& from) const override {
    if (from.hw_frames_ctx == nullptr) return AVERROR(EINVAL);
    to.format = reinterpret_cast<const AVHWFramesContext*>(from.hw_frames_ctx->data)->sw_format;
    return av_hwframe_transfer_data(&to, &from, 0);
  }

  Result<std::unique_ptr<DecodeInterop>> openDecodeInterop(
      const std::string& name, const std::shared_ptr<const DecodeTarget>& target,
      const std::shared_ptr<FrameCopies>& copies) const override {
    const auto open = surface_ == AV_PIX_FMT_CUDA ? openCudaDecodeInterop : openVaapiDecodeInterop;
    return open(*device_, name, target, copies);
  }
  int extraSurfaces() const override { return surface_ == AV_PIX_FMT_VAAPI ? kVaapiExtraSurfaces : 0; }

 private:
  const AVPixelFormat surface_;
  const BufferPtr device_;
};

template <AVHWDeviceType type>
bool supports(const AVCodec& codec) {
  for (int i = 0; const AVCodecHWConfig* const config = avcodec_get_hw_config(&codec, i); ++i) {
    if (config->device_type == type && (config->methods & AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX) != 0)
      return true;
  }
  return false;
}

template <AVHWDeviceType type>
Result<std::shared_ptr<const DecodeDevice>> open(const std::string& name) {
  FW_ASSIGN_OR_RETURN(BufferPtr device, openHardwareDevice(type, name));
  return std::shared_ptr<const DecodeDevice>(std::make_shared<LibavDevice>(type, std::move(device)));
}

std::vector<std::string> cudaDevices() {
  std::vector<std::string> ordinals;
  for (int i = 0; i < DeviceRegistry::ofProcess().nvidiaCount(); ++i) ordinals.push_back(std::to_string(i));
  return ordinals;
}

std::vector<std::string> vaapiDevices() {
  std::vector<std::string> paths;
  for (const int node : DeviceRegistry::ofProcess().renderNodes()) paths.push_back(renderNodePath(node));
  return paths;
}

std::vector<const DecodeBackend*>& backends() {
  static std::vector<const DecodeBackend*> all{&kNvdecBackend, &kVaapiDecodeBackend};
  return all;
}

}  // namespace

const DecodeBackend kNvdecBackend{"nvdec", cudaDevices, supports<AV_HWDEVICE_TYPE_CUDA>,
                                  open<AV_HWDEVICE_TYPE_CUDA>};
const DecodeBackend kVaapiDecodeBackend{"vaapi", vaapiDevices, supports<AV_HWDEVICE_TYPE_VAAPI>,
                                        open<AV_HWDEVICE_TYPE_VAAPI>};

const std::vector<const DecodeBackend*>& decodeBackends() { return backends(); }

void addDecodeBackend(const DecodeBackend& backend) { backends().insert(backends().begin(), &backend); }

}  // namespace framewright
