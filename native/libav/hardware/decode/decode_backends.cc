#include <filesystem>

#include "libav/hardware/decode/decode_backend.h"
#include "libav/hardware/hardware_device.h"

// NVIDIA's decoder through CUDA and those of Intel and AMD through the kernel's render nodes, as libav has
// both.
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

  int bring(AVFrame& to, const AVFrame& from) const override {
    to.format = AV_PIX_FMT_NV12;
    return av_hwframe_transfer_data(&to, &from, 0);
  }

 private:
  const AVPixelFormat surface_;
  const BufferPtr device_;
};

template <AVHWDeviceType type>
bool serves(const AVCodec& codec) {
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

constexpr int kMostCards = 32;

// CUDA counts cards from 0 on; a container may show some of the host's nodes only, by their own numbers.
std::vector<std::string> cudaCards() {
  std::vector<std::string> cards;
  for (int i = 0; i < kMostCards; ++i) {
    std::error_code ignored;
    if (std::filesystem::exists("/dev/nvidia" + std::to_string(i), ignored))
      cards.push_back(std::to_string(cards.size()));
  }
  return cards;
}

std::vector<std::string> nodes() {
  std::vector<std::string> paths;
  for (const int number : renderNodes()) paths.push_back(renderNodePath(number));
  return paths;
}

std::vector<const DecodeWay*>& ways() {
  static std::vector<const DecodeWay*> all{&kNvdecWay, &kVaapiDecodeWay};
  return all;
}

}  // namespace

const DecodeWay kNvdecWay{"nvdec", cudaCards, serves<AV_HWDEVICE_TYPE_CUDA>, open<AV_HWDEVICE_TYPE_CUDA>};
const DecodeWay kVaapiDecodeWay{"vaapi", nodes, serves<AV_HWDEVICE_TYPE_VAAPI>, open<AV_HWDEVICE_TYPE_VAAPI>};

const std::vector<const DecodeWay*>& decodeWays() { return ways(); }

void addDecodeWay(const DecodeWay& way) { ways().insert(ways().begin(), &way); }

}  // namespace framewright
