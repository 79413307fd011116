#pragma once

#include <cstddef>
#include <cstdint>

#include "core/device_memory.h"
#include "core/result.h"
#include "libav/av_handle.h"

// The part of NVIDIA's driver interface that is used, as it is documented; the library is opened at run time.
namespace framewright::cuda {

using Device = int;
using Pointer = unsigned long long;
using ExternalMemory = struct ExternalMemoryOfDriver*;

struct MemoryHandle {
  int type = 1;  // an opaque descriptor
  union {
    int fd;
    struct {
      void* handle;
      const void* name;
    } otherSystems;
  } handle{};
  unsigned long long size = 0;
  unsigned int flags = 1;  // one allocation of its own
  unsigned int reserved[16]{};
};

struct MappedPart {
  unsigned long long offset = 0, size = 0;
  unsigned int flags = 0;
  unsigned int reserved[16]{};
};

// One side of a copy: type 2 is the device's memory.
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

// 0 is success.
struct Driver {
  int (*init)(unsigned int flags) = nullptr;
  int (*deviceCount)(int* count) = nullptr;
  int (*device)(Device* device, int ordinal) = nullptr;
  int (*uuid)(uint8_t* bytes16, Device device) = nullptr;
  int (*push)(CUcontext context) = nullptr;
  int (*pop)(CUcontext* context) = nullptr;
  int (*importMemory)(ExternalMemory* memory, const MemoryHandle* handle) = nullptr;
  int (*map)(Pointer* pointer, ExternalMemory memory, const MappedPart* part) = nullptr;
  int (*destroyMemory)(ExternalMemory memory) = nullptr;
  int (*freePointer)(Pointer pointer) = nullptr;
  int (*copy)(const Copy2d* copy, CUstream stream) = nullptr;
  int (*synchronize)(CUstream stream) = nullptr;
  int (*getErrorName)(int error, const char** name) = nullptr;

  Error failure(const char* call, int error) const;
};

// Opened once and kept. Fails with ENCODER_UNAVAILABLE where there is none, or one that lacks something.
Result<const Driver*> driver();

// The number by which CUDA and NVENC know this device.
Result<int> ordinalOf(const DeviceIdentity& device);

}  // namespace framewright::cuda
