#include <map>
#include <string>

#include <unistd.h>

#include "libav/av_error.h"
#include "libav/encode/video/family.h"
#include "libav/hardware/hardware_device.h"
#include "libav/hardware/interop/cuda_driver.h"
#include "libav/hardware/interop/interop_backend.h"

// Copies frames on the GPU into libav's CUDA frames, which NVENC takes.
namespace framewright {
namespace {

constexpr unsigned kDedicated = 1;  // CUDA_EXTERNAL_MEMORY_DEDICATED, which the headers lack

class CudaInterop final : public FrameInterop {
 public:
  explicit CudaInterop(const CudaFunctions& driver) : cuda_(driver) {}

  ~CudaInterop() override {
    if (imports_.empty()) return;
    const CurrentContext current(*this);
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
    FW_ASSIGN_OR_RETURN(const CUdeviceptr from, importMemory(image->deviceMemory()));
    for (int p = 0; p < 2; ++p) {
      const Plane& plane = image->plane(p);
      const DeviceMemory::Rows& rows = image->deviceMemory()->rows(p);
      CUDA_MEMCPY2D copy{};
      copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
      copy.srcDevice = from + rows.offset;
      copy.srcPitch = rows.pitch;
      copy.dstDevice = reinterpret_cast<CUdeviceptr>(frame->data[p]);
      copy.dstPitch = static_cast<size_t>(frame->linesize[p]);
      copy.WidthInBytes = static_cast<size_t>(plane.width) * static_cast<size_t>(p + 1);
      copy.Height = static_cast<size_t>(plane.height);
      FW_RETURN_IF_ERROR(check("cuMemcpy2DAsync", cuda_.cuMemcpy2DAsync(&copy, stream())));
    }
    // The source frame may be overwritten from here on.
    FW_RETURN_IF_ERROR(check("cuStreamSynchronize", cuda_.cuStreamSynchronize(stream())));
    return frame;
  }

 private:
  struct Import {
    std::shared_ptr<const DeviceMemory> memory;  // keeps its address unique
    CUexternalMemory external = nullptr;
    CUdeviceptr pointer = 0;
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

  // Importing is slow, so each memory is imported once.
  Result<CUdeviceptr> importMemory(const std::shared_ptr<const DeviceMemory>& memory) {
    const auto known = imports_.find(memory.get());
    if (known != imports_.end()) return known->second.pointer;
    Import import{memory};
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
    const Status mapped =
        check("cuExternalMemoryGetMappedBuffer",
              cuda_.cuExternalMemoryGetMappedBuffer(&import.pointer, import.external, &whole));
    if (!mapped.ok()) {
      release(import);
      return mapped.error();
    }
    imports_.emplace(memory.get(), import);
    return import.pointer;
  }

  void release(Import& import) const {
    if (import.pointer != 0) cuda_.cuMemFree(import.pointer);
    cuda_.cuDestroyExternalMemory(import.external);
  }

  const CudaFunctions& cuda_;
  BufferPtr device_, pool_;
  std::map<const DeviceMemory*, Import> imports_;
};

Result<std::unique_ptr<FrameInterop>> open(const DeviceIdentity& device, int width, int height) {
  FW_ASSIGN_OR_RETURN(const CudaFunctions* const driver, cuda::driver());
  FW_ASSIGN_OR_RETURN(const int ordinal, cuda::ordinalOf(device));
  auto interop = std::make_unique<CudaInterop>(*driver);
  FW_RETURN_IF_ERROR(interop->open(ordinal, width, height));
  return std::unique_ptr<FrameInterop>(std::move(interop));
}

}  // namespace

const InteropBackend kCudaInterop{"cuda", FramePlace::kOpaque,
                                  [](const EncoderFamily& family) { return family.isNvenc; }, open};

}  // namespace framewright
