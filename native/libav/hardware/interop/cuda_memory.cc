#include "libav/hardware/interop/cuda_memory.h"

#include <unistd.h>

namespace framewright::cuda {
namespace {

constexpr unsigned kDedicatedMemory = 1;  // CUDA_EXTERNAL_MEMORY_DEDICATED, which the headers lack

constexpr int kOutOfMemory = 2;  // CUDA_ERROR_OUT_OF_MEMORY, too

}  // namespace

Status check(const CudaFunctions& cuda, const char* call, CUresult error) {
  if (error == CUDA_SUCCESS) return {};
  const bool isMemory = static_cast<int>(error) == kOutOfMemory;
  return Error{isMemory ? ErrorCode::OUT_OF_MEMORY : ErrorCode::GPU_FAILED,
               failure(cuda, call, error).message, ""};
}

Result<std::unique_ptr<ImportedMemory>> ImportedMemory::import(const CudaFunctions& cuda,
                                                               std::shared_ptr<const DeviceMemory> memory) {
  std::unique_ptr<ImportedMemory> imported(new ImportedMemory(cuda, std::move(memory)));
  CUDA_EXTERNAL_MEMORY_HANDLE_DESC handle{};
  handle.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
  handle.flags = kDedicatedMemory;
  handle.size = imported->memory_->bytes();
  FW_ASSIGN_OR_RETURN(handle.handle.fd, imported->memory_->exportFd());
  const Status opened =
      check(cuda, "cuImportExternalMemory", cuda.cuImportExternalMemory(&imported->external_, &handle));
  if (!opened.ok()) {
    close(handle.handle.fd);  // the driver owns the descriptor only after success
    return opened.error();
  }
  CUDA_EXTERNAL_MEMORY_BUFFER_DESC whole{};
  whole.size = handle.size;
  FW_RETURN_IF_ERROR(
      check(cuda, "cuExternalMemoryGetMappedBuffer",
            cuda.cuExternalMemoryGetMappedBuffer(&imported->pointer_, imported->external_, &whole)));
  return imported;
}

ImportedMemory::~ImportedMemory() {
  if (pointer_ != 0) cuda_.cuMemFree(pointer_);
  if (external_ != nullptr) cuda_.cuDestroyExternalMemory(external_);
}

}  // namespace framewright::cuda
