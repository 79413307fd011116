#pragma once

#include <cstddef>
#include <cstdint>

#include "core/device_memory.h"
#include "core/result.h"
#include "libav/av_handle.h"

// The subset of the CUDA driver API in use, loaded at run time.
namespace framewright::cuda {

using Device = int;
using Pointer = unsigned long long;
using ExternalMemory = struct ExternalMemoryOfDriver*;

// CUDA_EXTERNAL_MEMORY_HANDLE_DESC.
struct MemoryHandle {
  int type = 1;  // CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD
  union {
    int fd;
    struct {
      void* handle;
      const void* name;
    } otherSystems;
  } handle{};
  unsigned long long size = 0;
  unsigned int flags = 1;  // CUDA_EXTERNAL_MEMORY_DEDICATED
  unsigned int reserved[16]{};
};

// CUDA_EXTERNAL_MEMORY_BUFFER_DESC.
struct MappedRange {
  unsigned long long offset = 0, size = 0;
  unsigned int flags = 0;
  unsigned int reserved[16]{};
};

// CUDA_MEMCPY2D; memory type 2 is CU_MEMORYTYPE_DEVICE.
struct Copy2d {
  size_t fromX = 0, fromY = 0;
  int fromType = 2;
  const void* fromHost = nullptr;
  Pointer from = 0;
  void* fromArray = nullptr;
  size_t fromPitch = 0;
  size_t toX = 0, toY = 0;
  int toType = 2;
  void* toHost = nullptr;
  Pointer to = 0;
  void* toArray = nullptr;
  size_t toPitch = 0;
  size_t rowBytes = 0, rows = 0;
};

// Functions of libcuda; they return 0 on success.
struct Driver {
  int (*init)(unsigned int flags) = nullptr;
  int (*deviceCount)(int* count) = nullptr;
  int (*device)(Device* device, int ordinal) = nullptr;
  int (*uuid)(uint8_t* bytes16, Device device) = nullptr;
  int (*push)(CUcontext context) = nullptr;
  int (*pop)(CUcontext* context) = nullptr;
  int (*importMemory)(ExternalMemory* memory, const MemoryHandle* handle) = nullptr;
  int (*map)(Pointer* pointer, ExternalMemory memory, const MappedRange* range) = nullptr;
  int (*destroyMemory)(ExternalMemory memory) = nullptr;
  int (*freePointer)(Pointer pointer) = nullptr;
  int (*copy)(const Copy2d* copy, CUstream stream) = nullptr;
  int (*synchronize)(CUstream stream) = nullptr;
  int (*getErrorName)(int error, const char** name) = nullptr;

  Error failure(const char* call, int error) const;
};

// The driver, loaded at first use. Fails with ENCODER_UNAVAILABLE when it is missing or too old. Any thread.
Result<const Driver*> driver();

// The device's ordinal in CUDA and NVENC. Fails with ENCODER_UNAVAILABLE.
Result<int> ordinalOf(const DeviceIdentity& device);

}  // namespace framewright::cuda
