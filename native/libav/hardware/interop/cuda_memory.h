#pragma once

#include <memory>

#include "core/device_memory.h"
#include "libav/hardware/interop/cuda_driver.h"

namespace framewright::cuda {

// Of a libav device.
inline const AVCUDADeviceContext& contextOf(const AVBufferRef& device) {
  return *static_cast<const AVCUDADeviceContext*>(
      reinterpret_cast<const AVHWDeviceContext*>(device.data)->hwctx);
}

// Makes a CUDA context current on this thread.
class CurrentContext {
 public:
  CurrentContext(const CudaFunctions& cuda, CUcontext context) : cuda_(cuda) {
    cuda_.cuCtxPushCurrent(context);
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

// A GPU_FAILED error, or OUT_OF_MEMORY, unless `error`, the result of `call`, is 0.
Status check(const CudaFunctions& cuda, const char* call, CUresult error);

// Memory of the compositor's device as CUDA sees it. Created and destroyed while its context is current.
class ImportedMemory {
 public:
  static Result<std::unique_ptr<ImportedMemory>> import(const CudaFunctions& cuda,
                                                        std::shared_ptr<const DeviceMemory> memory);
  ~ImportedMemory();
  ImportedMemory(const ImportedMemory&) = delete;
  ImportedMemory& operator=(const ImportedMemory&) = delete;

  const std::shared_ptr<const DeviceMemory>& memory() const { return memory_; }
  CUdeviceptr rowsOf(int plane) const { return pointer_ + memory_->rows(plane).offset; }

 private:
  ImportedMemory(const CudaFunctions& cuda, std::shared_ptr<const DeviceMemory> memory)
      : cuda_(cuda), memory_(std::move(memory)) {}

  const CudaFunctions& cuda_;
  const std::shared_ptr<const DeviceMemory> memory_;
  CUexternalMemory external_ = nullptr;
  CUdeviceptr pointer_ = 0;
};

}  // namespace framewright::cuda
