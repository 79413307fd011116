#include "libav/hardware/interop/video_processor.h"

#include <string>

#include <dlfcn.h>

#include <va/va_vpp.h>

namespace framewright {
namespace {

// The functions in use of libva, which libav has loaded; hosts without it start the engine, too.
struct Libva {
  decltype(&vaCreateConfig) createConfig = nullptr;
  decltype(&vaDestroyConfig) destroyConfig = nullptr;
  decltype(&vaCreateContext) createContext = nullptr;
  decltype(&vaDestroyContext) destroyContext = nullptr;
  decltype(&vaCreateBuffer) createBuffer = nullptr;
  decltype(&vaDestroyBuffer) destroyBuffer = nullptr;
  decltype(&vaBeginPicture) begin = nullptr;
  decltype(&vaRenderPicture) render = nullptr;
  decltype(&vaEndPicture) end = nullptr;
  decltype(&vaErrorStr) errorText = nullptr;
  bool isComplete = true;

  static const Libva& get() {
    static const Libva libva;
    return libva;
  }

 private:
  Libva() {
    void* const library = dlopen("libva.so.2", RTLD_NOW | RTLD_LOCAL);
    const auto load = [&](auto& function, const char* name) {
      function = library == nullptr
                     ? nullptr
                     : reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      isComplete = isComplete && function != nullptr;
    };
    load(createConfig, "vaCreateConfig");
    load(destroyConfig, "vaDestroyConfig");
    load(createContext, "vaCreateContext");
    load(destroyContext, "vaDestroyContext");
    load(createBuffer, "vaCreateBuffer");
    load(destroyBuffer, "vaDestroyBuffer");
    load(begin, "vaBeginPicture");
    load(render, "vaRenderPicture");
    load(end, "vaEndPicture");
    load(errorText, "vaErrorStr");
  }
};

VASurfaceID surfaceOf(const AVFrame& frame) {
  return static_cast<VASurfaceID>(reinterpret_cast<uintptr_t>(frame.data[3]));
}

Error failed(const Libva& va, ErrorCode code, const std::string& what, VAStatus status) {
  return {code, what + " (" + va.errorText(status) + ")", ""};
}

class VaVideoProcessor final : public VideoProcessor {
 public:
  VaVideoProcessor(const Libva& libva, AVBufferRef& device) : va_(libva), device_(av_buffer_ref(&device)) {}

  ~VaVideoProcessor() override {
    if (context_ != VA_INVALID_ID) va_.destroyContext(display_, context_);
    if (config_ != VA_INVALID_ID) va_.destroyConfig(display_, config_);
  }

  Status open(int width, int height) {
    if (device_ == nullptr) return outOfMemory("device");
    const auto* const device = reinterpret_cast<const AVHWDeviceContext*>(device_->data);
    display_ = static_cast<const AVVAAPIDeviceContext*>(device->hwctx)->display;
    VAStatus status = va_.createConfig(display_, VAProfileNone, VAEntrypointVideoProc, nullptr, 0, &config_);
    if (status == VA_STATUS_SUCCESS)
      status = va_.createContext(display_, config_, width, height, VA_PROGRESSIVE, nullptr, 0, &context_);
    if (status != VA_STATUS_SUCCESS)
      return failed(va_, ErrorCode::ENCODER_UNAVAILABLE, "the driver has no video processor", status);
    region_.width = static_cast<uint16_t>(width);
    region_.height = static_cast<uint16_t>(height);
    return {};
  }

  Status copy(const AVFrame& from, const AVFrame& to) override {
    VAProcPipelineParameterBuffer pipeline{};
    pipeline.surface = surfaceOf(from);
    // Surfaces may be larger than their frames, and the same colours on both sides change no sample.
    pipeline.surface_region = pipeline.output_region = &region_;
    pipeline.surface_color_standard = pipeline.output_color_standard = VAProcColorStandardBT709;
    pipeline.input_color_properties.color_range = pipeline.output_color_properties.color_range =
        VA_SOURCE_RANGE_REDUCED;
    pipeline.filter_flags = VA_FRAME_PICTURE;
    VABufferID buffer = VA_INVALID_ID;
    VAStatus status = va_.createBuffer(display_, context_, VAProcPipelineParameterBufferType, sizeof pipeline,
                                       1, &pipeline, &buffer);
    if (status == VA_STATUS_SUCCESS) {
      status = va_.begin(display_, context_, surfaceOf(to));
      if (status == VA_STATUS_SUCCESS) {
        status = va_.render(display_, context_, &buffer, 1);
        // Ends the operation even if it was not accepted.
        const VAStatus ended = va_.end(display_, context_);
        if (status == VA_STATUS_SUCCESS) status = ended;
      }
      va_.destroyBuffer(display_, buffer);
    }
    if (status == VA_STATUS_SUCCESS) return {};
    return failed(va_, ErrorCode::ENCODE_FAILED, "the video processor does not copy a frame", status);
  }

 private:
  const Libva& va_;
  const BufferPtr device_;
  VADisplay display_ = nullptr;
  VAConfigID config_ = VA_INVALID_ID;
  VAContextID context_ = VA_INVALID_ID;
  VARectangle region_{};
};

}  // namespace

Result<std::unique_ptr<VideoProcessor>> VideoProcessor::open(AVBufferRef& device, int width, int height) {
  if (!Libva::get().isComplete)
    return Error{ErrorCode::ENCODER_UNAVAILABLE, "libva.so.2 is not installed or may not be loaded", ""};
  auto processor = std::make_unique<VaVideoProcessor>(Libva::get(), device);
  FW_RETURN_IF_ERROR(processor->open(width, height));
  return std::unique_ptr<VideoProcessor>(std::move(processor));
}

}  // namespace framewright
