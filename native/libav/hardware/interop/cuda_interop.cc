#include <map>
#include <string>

#include <unistd.h>

#include "libav/av_error.h"
#include "libav/encode/video/family.h"
#include "libav/hardware/hardware_device.h"
#include "libav/hardware/interop/cuda_memory.h"
#include "libav/hardware/interop/interop_backend.h"

// Copies frames on the GPU into libav's CUDA frames, which NVENC takes. With semaphores the copy waits for
// the frame's timeline, and the host for neither: NVENC reads in the order of libav's stream. With fences the
// host has waited until the frame is complete, and waits for the copy.
namespace framewright {
namespace {

class CudaInterop final : public FrameInterop {
 public:
  CudaInterop(const CudaFunctions& driver, bool usesSemaphores)
      : cuda_(driver), usesSemaphores_(usesSemaphores) {}

  ~CudaInterop() override {
    if (imports_.empty()) return;
    const cuda::CurrentContext current = makeCurrent();
    // The stream may still use what is released.
    if (usesSemaphores_) cuda_.cuStreamSynchronize(stream());
    for (const auto& [memory, import] : imports_)
      if (import.semaphore != nullptr) cuda_.cuDestroyExternalSemaphore(import.semaphore);
    imports_.clear();
  }

  Status open(int ordinal, int width, int height) {
    FW_ASSIGN_OR_RETURN(device_, openHardwareDevice(AV_HWDEVICE_TYPE_CUDA, std::to_string(ordinal)));
    FW_ASSIGN_OR_RETURN(pool_, createFramePool(*device_, width, height));
    return {};
  }

  AVPixelFormat format() const override { return AV_PIX_FMT_CUDA; }
  AVBufferRef* pool() const override { return pool_.get(); }

  Result<FramePtr> frame(const ImagePtr& image) override {
    FramePtr frame(av_frame_alloc());
    const int status =
        frame == nullptr ? AVERROR(ENOMEM) : av_hwframe_get_buffer(pool_.get(), frame.get(), 0);
    if (status < 0)
      return avError(ErrorCode::ENCODE_FAILED, "the device cannot allocate a frame for the encoder", status);
    const cuda::CurrentContext current = makeCurrent();
    FW_ASSIGN_OR_RETURN(const Import* const import, importMemory(image->deviceMemory()));
    const FrameTimeline* const timeline = usesSemaphores_ ? image->deviceMemory()->timeline() : nullptr;
    const uint64_t written = timeline == nullptr ? 0 : timeline->lastValue();
    if (timeline != nullptr) FW_RETURN_IF_ERROR(wait(*import, written));
    for (int p = 0; p < 2; ++p) {
      const Plane& plane = image->plane(p);
      CUDA_MEMCPY2D copy{};
      copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
      copy.srcDevice = import->memory->rowsOf(p);
      copy.srcPitch = image->deviceMemory()->rows(p).pitch;
      copy.dstDevice = reinterpret_cast<CUdeviceptr>(frame->data[p]);
      copy.dstPitch = static_cast<size_t>(frame->linesize[p]);
      copy.WidthInBytes = static_cast<size_t>(plane.width) * static_cast<size_t>(p + 1);
      copy.Height = static_cast<size_t>(plane.height);
      FW_RETURN_IF_ERROR(check("cuMemcpy2DAsync", cuda_.cuMemcpy2DAsync(&copy, stream())));
    }
    if (timeline == nullptr) {
      // The source frame may be overwritten from here on.
      FW_RETURN_IF_ERROR(check("cuStreamSynchronize", cuda_.cuStreamSynchronize(stream())));
    } else {
      FW_RETURN_IF_ERROR(signal(*import, written + 1));
      timeline->addRead();
    }
    return frame;
  }

 private:
  struct Import {
    std::unique_ptr<cuda::ImportedMemory> memory;
    CUexternalSemaphore semaphore = nullptr;  // of the memory's timeline
  };

  // An ENCODE_FAILED error unless `error`, the result of `call`, is 0.
  Status check(const char* call, CUresult error) const {
    if (error == CUDA_SUCCESS) return {};
    return Error{ErrorCode::ENCODE_FAILED, cuda::failure(cuda_, call, error).message, ""};
  }

  const AVCUDADeviceContext& context() const { return cuda::contextOf(*device_); }
  CUstream stream() const { return context().stream; }
  cuda::CurrentContext makeCurrent() const { return {cuda_, context().cuda_ctx}; }

  Status wait(const Import& import, uint64_t value) const {
    CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS params{};
    params.params.fence.value = value;
    return check("cuWaitExternalSemaphoresAsync",
                 cuda_.cuWaitExternalSemaphoresAsync(&import.semaphore, &params, 1, stream()));
  }

  Status signal(const Import& import, uint64_t value) const {
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS params{};
    params.params.fence.value = value;
    return check("cuSignalExternalSemaphoresAsync",
                 cuda_.cuSignalExternalSemaphoresAsync(&import.semaphore, &params, 1, stream()));
  }

  // Importing is slow, so each memory is imported once. The result is valid as long as this object.
  Result<const Import*> importMemory(const std::shared_ptr<const DeviceMemory>& memory) {
    const auto known = imports_.find(memory.get());
    if (known != imports_.end()) return &known->second;
    auto imported = cuda::ImportedMemory::import(cuda_, memory);
    if (!imported.ok()) return Error{ErrorCode::ENCODE_FAILED, imported.error().message, ""};
    Import import{imported.take()};
    if (usesSemaphores_) {
      FW_ASSIGN_OR_RETURN(import.semaphore, importSemaphore(*memory->timeline()));
    }
    return &imports_.emplace(memory.get(), std::move(import)).first->second;
  }

  Result<CUexternalSemaphore> importSemaphore(const FrameTimeline& timeline) const {
    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC handle{};
    handle.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
    FW_ASSIGN_OR_RETURN(handle.handle.fd, timeline.exportFd());
    CUexternalSemaphore semaphore = nullptr;
    const Status imported =
        check("cuImportExternalSemaphore", cuda_.cuImportExternalSemaphore(&semaphore, &handle));
    if (imported.ok()) return semaphore;
    close(handle.handle.fd);  // the driver owns the descriptor only after success
    return imported.error();
  }

  const CudaFunctions& cuda_;
  const bool usesSemaphores_;
  BufferPtr device_, pool_;
  std::map<const DeviceMemory*, Import> imports_;
};

template <bool kUsesSemaphores>
Result<std::unique_ptr<FrameInterop>> openCuda(const DeviceIdentity& device, int width, int height) {
  FW_ASSIGN_OR_RETURN(const CudaFunctions* const driver, cuda::driver());
  if (kUsesSemaphores && !cuda::hasExternalSemaphores(*driver))
    return Error{ErrorCode::ENCODER_UNAVAILABLE, "libcuda.so.1 does not import semaphores", ""};
  FW_ASSIGN_OR_RETURN(const int ordinal, cuda::ordinalOf(device));
  auto interop = std::make_unique<CudaInterop>(*driver, kUsesSemaphores);
  FW_RETURN_IF_ERROR(interop->open(ordinal, width, height));
  return std::unique_ptr<FrameInterop>(std::move(interop));
}

bool isNvenc(const EncoderFamily& family) { return family.isNvenc; }

}  // namespace

const InteropBackend kCudaSemaphoreInterop{"cuda-semaphores", FramePlace::kOpaqueTimeline, isNvenc,
                                           openCuda<true>};
const InteropBackend kCudaInterop{"cuda", FramePlace::kOpaque, isNvenc, openCuda<false>};

}  // namespace framewright
