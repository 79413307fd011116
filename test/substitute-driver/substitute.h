#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#define FFNV_LOG_FUNC(...)
#define FFNV_DEBUG_LOG_FUNC(...)
#include <ffnvcodec/dynlink_loader.h>

#include "faults.h"

// A substitute for NVIDIA's driver on hosts without a card: one library under the names libcuda.so.1,
// libnvidia-encode.so.1 and libnvcuvid.so.1, whose device memory is host memory, whose encoders are x264 and
// samples in HEVC, and whose decoders are libav's. It is stricter than the driver: a wrong version, handle,
// size or order of calls fails the call, and leaks are named on stderr.
//
// CUDA_SUBSTITUTE has settings separated by commas:
//   cards=N          cards, of which the first is the software Vulkan device (default 1)
//   sessions=N       encoder sessions that may be open at once (default 8)
//   frame-ms=N       time that a card's encoder takes per frame, one frame at a time (default 0)
//   no-encoder=N     card without an encoder
//   other-model=N    card of another model than the others
//   no-b-frames=1    cards of an older generation, without B-frames
//   own-only=1       encoders that refuse memory of other APIs
//   decoders=N       decoders that may be open at once (default 32)
//   delay=1          asynchronous copies happen when their stream is synchronised
//   lose-copies=1    copies within device memory do nothing
//   fault=CALL:N:S   see faults.h; CALL is a function without its prefix, such as EncodePicture, or
//                    Memcpy2DOnDevice for copies within device memory
namespace substitute {

// A value of CUDA_SUBSTITUTE, or `fallback` where it is absent.
inline int setting(const std::string& name, int fallback) {
  return settingOf("CUDA_SUBSTITUTE", name, fallback);
}

// The status with which this call shall fail, or 0.
inline int faultOf(const char* call) { return faultIn("CUDA_SUBSTITUTE", call); }

// The card of a context, or -1 if there is no such context.
int cardOf(const void* context);

// The context that is current on this thread, or null.
CUcontext currentContext();

// Whether device memory of this process contains [address, address + bytes).
bool containsDeviceMemory(CUdeviceptr address, size_t bytes);

// Whether the address begins memory that was imported from another API, or that an encoder has registered.
bool isOfOtherApi(CUdeviceptr address);
bool isRegistered(CUdeviceptr address);

// Device memory of the current context.
CUresult allocateDeviceMemory(CUdeviceptr* address, size_t bytes);
CUresult freeDeviceMemory(CUdeviceptr address);

}  // namespace substitute
