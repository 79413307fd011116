#include <atomic>
#include <string>

#include "libav/av_error.h"
#include "libav/encode/video/family.h"
#include "libav/hardware/hardware_device.h"
#include "libav/hardware/interop/cuda_imports.h"
#include "libav/hardware/interop/in_place_frames.h"
#include "libav/hardware/interop/interop_backend.h"

// NVENC reads the compositor's memory where it is, or copies of it in libav's CUDA frames, which are made on
// the GPU. With semaphores libav's stream waits for the frame's timeline, and the host for nothing: NVENC
// reads in the order of that stream. With fences the host has waited until the frame is complete, and waits
// for the copy.
namespace framewright {
namespace {

struct Manner {
  bool usesSemaphores, isInPlace;
};

class CudaInterop final : public FrameInterop {
 public:
  CudaInterop(const CudaFunctions& driver, Manner manner) : cuda_(driver), manner_(manner) {}

  Status open(int ordinal, int width, int height) {
    FW_ASSIGN_OR_RETURN(device_, openHardwareDevice(AV_HWDEVICE_TYPE_CUDA, std::to_string(ordinal)));
    imports_ = std::make_shared<cuda::FrameImports>(cuda_, context(), manner_.usesSemaphores);
    FW_ASSIGN_OR_RETURN(pool_, createFramePool(*device_, width, height, 0, imports_));
    return {};
  }

  AVPixelFormat format() const override { return AV_PIX_FMT_CUDA; }
  AVBufferRef* pool() const override { return pool_.get(); }
  bool isInPlace() const override { return manner_.isInPlace; }
  int64_t copiedFrames() const override { return copiedFrames_; }

  Result<FramePtr> frame(const ImagePtr& image) override {
    const cuda::CurrentContext current(cuda_, context().cuda_ctx);
    const DeviceMemory& memory = *image->deviceMemory();
    FW_ASSIGN_OR_RETURN(const cuda::FrameImports::Import* const import,
                        imports_->import(image->deviceMemory()));
    const FrameTimeline* const timeline = manner_.usesSemaphores ? memory.timeline() : nullptr;
    const uint64_t written = timeline == nullptr ? 0 : timeline->lastValue();
    if (timeline != nullptr) FW_RETURN_IF_ERROR(imports_->wait(*import, written));
    if (manner_.isInPlace && !inPlace_.isFull()) {
      return inPlace_.wrap(image, *pool_,
                           {addressOf(import->memory->rowsOf(0)), addressOf(import->memory->rowsOf(1))});
    }
    FramePtr frame(av_frame_alloc());
    const int status =
        frame == nullptr ? AVERROR(ENOMEM) : av_hwframe_get_buffer(pool_.get(), frame.get(), 0);
    if (status < 0)
      return avError(ErrorCode::ENCODE_FAILED, "the device cannot allocate a frame for the encoder", status);
    FW_RETURN_IF_ERROR(imports_->copy(*image, *import, *frame));
    if (timeline != nullptr && !manner_.isInPlace) {
      FW_RETURN_IF_ERROR(imports_->signal(*import, written + 1));
      timeline->addRead();
    } else {
      // The source frame may be overwritten from here on.
      FW_RETURN_IF_ERROR(imports_->synchronize());
    }
    ++copiedFrames_;
    return frame;
  }

 private:
  static uint8_t* addressOf(CUdeviceptr pointer) { return reinterpret_cast<uint8_t*>(pointer); }
  const AVCUDADeviceContext& context() const { return cuda::contextOf(*device_); }

  const CudaFunctions& cuda_;
  const Manner manner_;
  BufferPtr device_, pool_;
  std::shared_ptr<cuda::FrameImports> imports_;  // the pool's
  const InPlaceFrames inPlace_{InPlaceFrames::maxFrames};
  std::atomic<int64_t> copiedFrames_ = 0;
};

template <bool kUsesSemaphores, bool kIsInPlace>
Result<std::unique_ptr<FrameInterop>> openCuda(const DeviceIdentity& device, int width, int height) {
  FW_ASSIGN_OR_RETURN(const CudaFunctions* const driver, cuda::driver());
  if (kUsesSemaphores && !cuda::hasExternalSemaphores(*driver))
    return Error{ErrorCode::ENCODER_UNAVAILABLE, "libcuda.so.1 does not import semaphores", ""};
  FW_ASSIGN_OR_RETURN(const int ordinal, cuda::ordinalOf(device));
  auto interop = std::make_unique<CudaInterop>(*driver, Manner{kUsesSemaphores, kIsInPlace});
  FW_RETURN_IF_ERROR(interop->open(ordinal, width, height));
  return std::unique_ptr<FrameInterop>(std::move(interop));
}

bool isNvenc(const EncoderFamily& family) { return family.isNvenc; }

}  // namespace

const InteropBackend kCudaDirectSemaphoreInterop{"cuda-direct-semaphores", FramePlace::kOpaqueTimeline,
                                                 isNvenc, openCuda<true, true>, true};
const InteropBackend kCudaDirectInterop{"cuda-direct", FramePlace::kOpaque, isNvenc, openCuda<false, true>,
                                        true};
const InteropBackend kCudaSemaphoreInterop{"cuda-semaphores", FramePlace::kOpaqueTimeline, isNvenc,
                                           openCuda<true, false>};
const InteropBackend kCudaInterop{"cuda", FramePlace::kOpaque, isNvenc, openCuda<false, false>};

}  // namespace framewright
