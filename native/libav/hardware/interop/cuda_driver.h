#pragma once

#include "core/result.h"
#include "devices/device_registry.h"
#include "libav/av.h"
// Without these macros the headers log to stderr.
#define FFNV_LOG_FUNC(...)
#define FFNV_DEBUG_LOG_FUNC(...)
#include <ffnvcodec/dynlink_loader.h>

namespace framewright::cuda {

// The functions of libcuda, loaded at first use, which also adds CUDA's devices to the registry. Fails with
// ENCODER_UNAVAILABLE when it is missing or too old. Any thread.
Result<const CudaFunctions*> driver();

// Whether the driver can wait for semaphores of other APIs. Timeline semaphores are of CUDA 11.2; older
// drivers refuse to import them.
bool hasExternalSemaphores(const CudaFunctions& cuda);

// An ENCODER_UNAVAILABLE error that names the failed call and the driver's error.
Error failure(const CudaFunctions& cuda, const char* call, CUresult error);

// The device's ordinal in CUDA and NVENC. Fails with ENCODER_UNAVAILABLE.
Result<int> ordinalOf(const DeviceIdentity& device);

}  // namespace framewright::cuda
