#pragma once

#include <map>
#include <memory>

#include "libav/hardware/interop/cuda_memory.h"

namespace framewright::cuda {

// Frames of the compositor's device as CUDA sees them. Each memory is imported once and released with this
// object, which belongs to a pool of libav: encoders may read the memory as long as they refer to the pool.
// Used by one thread at a time, while the context is current; errors are ENCODE_FAILED.
class FrameImports {
 public:
  struct Import {
    std::unique_ptr<ImportedMemory> memory;
    CUexternalSemaphore semaphore = nullptr;  // of the memory's timeline, unless it is ordered by fences
  };

  // `context` is that of libav's device, which outlives the object.
  FrameImports(const CudaFunctions& cuda, const AVCUDADeviceContext& context, bool usesSemaphores)
      : cuda_(cuda), context_(context), usesSemaphores_(usesSemaphores) {}
  // Makes the context current, and waits for libav's stream.
  ~FrameImports();
  FrameImports(const FrameImports&) = delete;
  FrameImports& operator=(const FrameImports&) = delete;

  // The result is valid as long as this object.
  Result<const Import*> import(const std::shared_ptr<const DeviceMemory>& memory);
  // Work that is added to libav's stream later waits for the value of the frame's timeline.
  Status wait(const Import& import, uint64_t value) const;
  // Signals the value after all work that was added to libav's stream.
  Status signal(const Import& import, uint64_t value) const;
  // Copies the frame on the device, in the order of libav's stream.
  Status copy(const Image& image, const Import& import, const AVFrame& to) const;
  // Waits for libav's stream.
  Status synchronize() const;

 private:
  // An ENCODE_FAILED error unless `error`, the result of `call`, is 0.
  Status checkCall(const char* call, CUresult error) const;
  Result<CUexternalSemaphore> importSemaphore(const FrameTimeline& timeline) const;

  const CudaFunctions& cuda_;
  const AVCUDADeviceContext& context_;
  const bool usesSemaphores_;
  std::map<const DeviceMemory*, Import> imports_;
};

}  // namespace framewright::cuda
