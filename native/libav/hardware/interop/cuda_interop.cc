#include <map>
#include <string>

#include <unistd.h>

#include "libav/av_error.h"
#include "libav/encode/video/family.h"
#include "libav/hardware/hardware_device.h"
#include "libav/hardware/interop/cuda_driver.h"
#include "libav/hardware/interop/interop_backend.h"

// Copies frames on the GPU into libav's CUDA frames, which NVENC takes. With semaphores the copy waits for
// the frame's timeline, and the host for neither: NVENC reads in the order of libav's stream. With fences the
// host has waited until the frame is complete, and waits for the copy.
namespace framewright {
namespace {

constexpr unsigned kDedicated = 1;  // CUDA_EXTERNAL_MEMORY_DEDICATED, which the headers lack

class CudaInterop final : public FrameInterop {
 public:
  CudaInterop(const CudaFunctions& driver, bool usesSemaphores)
      : cuda_(driver), usesSemaphores_(usesSemaphores) {}

  ~CudaInterop() override {
    if (imports_.empty()) return;
    const CurrentContext current(*this);
    // The stream may still use what is released.
    if (usesSemaphores_) cuda_.cuStreamSynchronize(stream());
    for (auto& [memory, import] : imports_) release(import);
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
    const CurrentContext current(*this);
    FW_ASSIGN_OR_RETURN(const Import* const import, importMemory(image->deviceMemory()));
    const FrameTimeline* const timeline = usesSemaphores_ ? image->deviceMemory()->timeline() : nullptr;
    const uint64_t written = timeline == nullptr ? 0 : timeline->lastValue();
    if (timeline != nullptr) FW_RETURN_IF_ERROR(wait(*import, written));
    for (int p = 0; p < 2; ++p) {
      const Plane& plane = image->plane(p);
      const DeviceMemory::Rows& rows = image->deviceMemory()->rows(p);
      CUDA_MEMCPY2D copy{};
      copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
      copy.srcDevice = import->pointer + rows.offset;
      copy.srcPitch = rows.pitch;
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
    std::shared_ptr<const DeviceMemory> memory;  // keeps its address unique
    CUexternalMemory external = nullptr;
    CUdeviceptr pointer = 0;
    CUexternalSemaphore semaphore = nullptr;  // of the memory's timeline
  };

  // Makes the CUDA context current on this thread.
  class CurrentContext {
   public:
    explicit CurrentContext(const CudaInterop& owner) : cuda_(owner.cuda_) {
      cuda_.cuCtxPushCurrent(owner.context().cuda_ctx);
    }
    ~CurrentContext() {
      CUcontext ignored = nullptr;
      cuda_.cuCtxPopCurrent(&ignored);
    }
    CurrentContext(const CurrentContext&) = delete;
    CurrentContext& operator=(const CurrentContext&) = delete;

   private:
    const CudaFunctions& cuda_;
  };

  // An ENCODE_FAILED error unless `error`, the result of `call`, is 0.
  Status check(const char* call, CUresult error) const {
    if (error == CUDA_SUCCESS) return {};
    return Error{ErrorCode::ENCODE_FAILED, cuda::failure(cuda_, call, error).message, ""};
  }

  const AVCUDADeviceContext& context() const {
    return *static_cast<const AVCUDADeviceContext*>(
        reinterpret_cast<const AVHWDeviceContext*>(device_->data)->hwctx);
  }
  CUstream stream() const { return context().stream; }

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
    Import import{memory};
    Status imported = importBuffer(import);
    if (imported.ok() && usesSemaphores_) imported = importSemaphore(import);
    if (imported.ok()) return &imports_.emplace(memory.get(), import).first->second;
    release(import);
    return imported.error();
  }

  Status importBuffer(Import& import) const {
    const DeviceMemory* const memory = import.memory.get();
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC handle{};
    handle.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
    handle.flags = kDedicated;
    handle.size = memory->bytes();
    FW_ASSIGN_OR_RETURN(handle.handle.fd, memory->exportFd());
    const Status imported =
        check("cuImportExternalMemory", cuda_.cuImportExternalMemory(&import.external, &handle));
    if (!imported.ok()) {
      close(handle.handle.fd);  // the driver owns the descriptor only after success
      return imported.error();
    }
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC whole{};
    whole.size = memory->bytes();
    return check("cuExternalMemoryGetMappedBuffer",
                 cuda_.cuExternalMemoryGetMappedBuffer(&import.pointer, import.external, &whole));
  }

  Status importSemaphore(Import& import) const {
    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC handle{};
    handle.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
    FW_ASSIGN_OR_RETURN(handle.handle.fd, import.memory->timeline()->exportFd());
    const Status imported =
        check("cuImportExternalSemaphore", cuda_.cuImportExternalSemaphore(&import.semaphore, &handle));
    if (!imported.ok()) close(handle.handle.fd);
    return imported;
  }

  void release(const Import& import) const {
    if (import.semaphore != nullptr) cuda_.cuDestroyExternalSemaphore(import.semaphore);
    if (import.pointer != 0) cuda_.cuMemFree(import.pointer);
    if (import.external != nullptr) cuda_.cuDestroyExternalMemory(import.external);
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
