#include "libav/hardware/interop/cuda_imports.h"

#include <unistd.h>

#include "core/image.h"

namespace framewright::cuda {

FrameImports::~FrameImports() {
  if (imports_.empty()) return;
  const CurrentContext current(cuda_, context_.cuda_ctx);
  // The stream may still use what is released.
  if (usesSemaphores_) cuda_.cuStreamSynchronize(context_.stream);
  for (const auto& [memory, import] : imports_)
    if (import.semaphore != nullptr) cuda_.cuDestroyExternalSemaphore(import.semaphore);
  imports_.clear();
}

Result<const FrameImports::Import*> FrameImports::import(const std::shared_ptr<const DeviceMemory>& memory) {
  const auto known = imports_.find(memory.get());
  if (known != imports_.end()) return &known->second;
  auto imported = ImportedMemory::import(cuda_, memory);
  if (!imported.ok()) return Error{ErrorCode::ENCODE_FAILED, imported.error().message, ""};
  Import import{imported.take()};
  if (usesSemaphores_) {
    FW_ASSIGN_OR_RETURN(import.semaphore, importSemaphore(*memory->timeline()));
  }
  return &imports_.emplace(memory.get(), std::move(import)).first->second;
}

Status FrameImports::wait(const Import& import, uint64_t value) const {
  CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS params{};
  params.params.fence.value = value;
  return checkCall("cuWaitExternalSemaphoresAsync",
                   cuda_.cuWaitExternalSemaphoresAsync(&import.semaphore, &params, 1, context_.stream));
}

Status FrameImports::signal(const Import& import, uint64_t value) const {
  CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS params{};
  params.params.fence.value = value;
  return checkCall("cuSignalExternalSemaphoresAsync",
                   cuda_.cuSignalExternalSemaphoresAsync(&import.semaphore, &params, 1, context_.stream));
}

Status FrameImports::copy(const Image& image, const Import& import, const AVFrame& to) const {
  for (int p = 0; p < 2; ++p) {
    const Plane& plane = image.plane(p);
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = import.memory->rowsOf(p);
    copy.srcPitch = image.deviceMemory()->rows(p).pitch;
    copy.dstDevice = reinterpret_cast<CUdeviceptr>(to.data[p]);
    copy.dstPitch = static_cast<size_t>(to.linesize[p]);
    copy.WidthInBytes = static_cast<size_t>(plane.width) * static_cast<size_t>(p + 1);
    copy.Height = static_cast<size_t>(plane.height);
    FW_RETURN_IF_ERROR(checkCall("cuMemcpy2DAsync", cuda_.cuMemcpy2DAsync(&copy, context_.stream)));
  }
  return {};
}

Status FrameImports::synchronize() const {
  return checkCall("cuStreamSynchronize", cuda_.cuStreamSynchronize(context_.stream));
}

Status FrameImports::checkCall(const char* call, CUresult error) const {
  if (error == CUDA_SUCCESS) return {};
  return Error{ErrorCode::ENCODE_FAILED, failure(cuda_, call, error).message, ""};
}

Result<CUexternalSemaphore> FrameImports::importSemaphore(const FrameTimeline& timeline) const {
  CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC handle{};
  handle.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
  FW_ASSIGN_OR_RETURN(handle.handle.fd, timeline.exportFd());
  CUexternalSemaphore semaphore = nullptr;
  const Status imported =
      checkCall("cuImportExternalSemaphore", cuda_.cuImportExternalSemaphore(&semaphore, &handle));
  if (imported.ok()) return semaphore;
  close(handle.handle.fd);  // the driver owns the descriptor only after success
  return imported.error();
}

}  // namespace framewright::cuda
