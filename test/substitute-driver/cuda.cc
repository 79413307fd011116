#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>
#include <vulkan/vulkan.h>

#include "importer.h"
#include "streams.h"
#include "substitute.h"

// CUDA on the memory of the host. External memory is imported through the software Vulkan device that made
// it.

// What the headers lack.
struct CUctx_st {
  int card;
};
struct CUstream_st {
  CUcontext context;
};
struct CUextMemory_st {
  VkDeviceMemory memory;
  CUdeviceptr address;
  size_t bytes;
  bool isMapped;
};

namespace substitute {
namespace {

constexpr CUresult kInvalidValue = CUresult(1), kOutOfMemory = CUresult(2), kNotInitialized = CUresult(3),
                   kInvalidDevice = CUresult(101), kInvalidContext = CUresult(201),
                   kOperatingSystem = CUresult(304), kInvalidHandle = CUresult(400),
                   kNotSupported = CUresult(801);
constexpr size_t kPitch = 512;

std::mutex mutex;
bool isInitialized = false;
std::set<CUcontext> contexts;
std::set<CUstream> streams;
std::map<CUdeviceptr, size_t> allocations;  // device memory, external memory too
std::set<CUexternalMemory> imports;
thread_local std::vector<CUcontext> current;

// CUDA_ERROR_INVALID_CONTEXT unless a context is current on this thread.
CUresult needContext(const char* call) {
  if (!isInitialized) return refuse(kNotInitialized, std::string(call) + " before cuInit");
  if (current.empty()) return refuse(kInvalidContext, std::string(call) + " without a current context");
  return CUDA_SUCCESS;
}

bool isOpen(CUstream stream) {
  std::lock_guard lock(mutex);
  return stream == nullptr || streams.count(stream) != 0;
}

CUresult checkStream(const char* call, CUstream stream) {
  if (const CUresult status = needContext(call)) return status;
  return isOpen(stream) ? CUDA_SUCCESS
                        : refuse(kInvalidHandle, std::string(call) + " with an unknown stream");
}

// The first byte of one side of a copy, or null if it lies outside of device memory.
uint8_t* sideOf(CUmemorytype type, const void* host, CUdeviceptr device, size_t x, size_t y, size_t pitch,
                const CUDA_MEMCPY2D& copy) {
  const size_t first = y * pitch + x;
  if (type == CU_MEMORYTYPE_HOST) return static_cast<uint8_t*>(const_cast<void*>(host)) + first;
  if (type != CU_MEMORYTYPE_DEVICE || pitch < copy.WidthInBytes || copy.Height == 0) return nullptr;
  const size_t bytes = (copy.Height - 1) * pitch + copy.WidthInBytes;
  return containsDeviceMemory(device + first, bytes) ? reinterpret_cast<uint8_t*>(device + first) : nullptr;
}

// Checks the copy, and returns it as work of a stream.
CUresult prepareCopy(const CUDA_MEMCPY2D& copy, std::function<CUresult()>& work) {
  if (const int status = faultOf("Memcpy2D")) return CUresult(status);
  const bool isOnDevice =
      copy.srcMemoryType == CU_MEMORYTYPE_DEVICE && copy.dstMemoryType == CU_MEMORYTYPE_DEVICE;
  if (const int status = isOnDevice ? faultOf("Memcpy2DOnDevice") : 0) return CUresult(status);
  const uint8_t* from = sideOf(copy.srcMemoryType, copy.srcHost, copy.srcDevice, copy.srcXInBytes, copy.srcY,
                               copy.srcPitch, copy);
  uint8_t* to = sideOf(copy.dstMemoryType, copy.dstHost, copy.dstDevice, copy.dstXInBytes, copy.dstY,
                       copy.dstPitch, copy);
  if (from == nullptr || to == nullptr) {
    const bool isSource = from == nullptr;
    return refuse(kInvalidValue, "cuMemcpy2D " + std::string(isSource ? "from" : "to") +
                                     " memory that is not on the device, " + std::to_string(copy.Height) +
                                     " rows of " + std::to_string(copy.WidthInBytes) + " bytes, pitch " +
                                     std::to_string(isSource ? copy.srcPitch : copy.dstPitch));
  }
  const bool isLost = isOnDevice && setting("lose-copies", 0) != 0;
  work = [=]() mutable {
    for (size_t row = 0; !isLost && row < copy.Height; ++row, from += copy.srcPitch, to += copy.dstPitch)
      std::memcpy(to, from, copy.WidthInBytes);
    return CUDA_SUCCESS;
  };
  return CUDA_SUCCESS;
}

// The driver's needs of a sandbox: it binds an abstract socket and names its threads.
bool isConfined() {
  const int descriptor = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return true;
  sockaddr_un address{AF_UNIX, {}};
  const int length = std::snprintf(address.sun_path + 1, sizeof address.sun_path - 1,
                                   "cuda-uvmfd-%d-substitute-%ld", getpid(), random());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + static_cast<size_t>(length));
  const bool isBound = bind(descriptor, reinterpret_cast<const sockaddr*>(&address), size) == 0;
  close(descriptor);
  // As driver 580 opens it: with the right to create and truncate.
  const std::string comm = "/proc/self/task/" + std::to_string(syscall(SYS_gettid)) + "/comm";
  const int name = open(comm.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (name >= 0) close(name);
  return !isBound || name < 0;
}

// Names what a process has left open.
struct Leaks {
  ~Leaks() {
    std::lock_guard lock(mutex);
    if (!imports.empty()) report(std::to_string(imports.size()) + " external memories were not destroyed");
    if (!allocations.empty()) report(std::to_string(allocations.size()) + " allocations were not freed");
    if (!contexts.empty()) report(std::to_string(contexts.size()) + " contexts were not destroyed");
  }
} leaks;

}  // namespace

int cardOf(const void* context) {
  std::lock_guard lock(mutex);
  const auto found = contexts.find(static_cast<CUcontext>(const_cast<void*>(context)));
  return found == contexts.end() ? -1 : (*found)->card;
}

CUcontext currentContext() { return current.empty() ? nullptr : current.back(); }

bool containsDeviceMemory(CUdeviceptr address, size_t bytes) {
  std::lock_guard lock(mutex);
  auto after = allocations.upper_bound(address);
  if (after == allocations.begin()) return false;
  --after;
  return address + bytes <= after->first + after->second;
}

bool isOfOtherApi(CUdeviceptr address) {
  std::lock_guard lock(mutex);
  return std::any_of(imports.begin(), imports.end(),
                     [&](CUexternalMemory each) { return each->isMapped && each->address == address; });
}

CUresult allocateDeviceMemory(CUdeviceptr* address, size_t bytes) {
  if (const CUresult status = needContext("cuMemAlloc")) return status;
  if (const int status = faultOf("MemAlloc")) return CUresult(status);
  void* const memory = std::aligned_alloc(kPitch, (bytes + kPitch - 1) / kPitch * kPitch);
  if (memory == nullptr) return kOutOfMemory;
  *address = reinterpret_cast<CUdeviceptr>(memory);
  std::lock_guard lock(mutex);
  allocations[*address] = bytes;
  return CUDA_SUCCESS;
}

CUresult freeDeviceMemory(CUdeviceptr address) {
  if (const CUresult status = needContext("cuMemFree")) return status;
  // As the driver does.
  synchronizeContext();
  if (isRegistered(address)) report("memory is freed that an encoder has registered");
  std::lock_guard lock(mutex);
  if (allocations.erase(address) == 0) return refuse(kInvalidValue, "cuMemFree of unknown memory");
  for (const CUexternalMemory each : imports) {
    if (each->address != address) continue;
    each->isMapped = false;
    return CUDA_SUCCESS;
  }
  std::free(reinterpret_cast<void*>(address));
  return CUDA_SUCCESS;
}

}  // namespace substitute

using namespace substitute;

extern "C" {

CUresult cuInit(unsigned flags) {
  if (flags != 0) return refuse(kInvalidValue, "cuInit with flags");
  if (const int status = faultOf("Init")) return CUresult(status);
  if (isConfined()) return kOperatingSystem;
  isInitialized = true;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
  if (!isInitialized) return refuse(kNotInitialized, "cuDeviceGetCount before cuInit");
  *count = setting("cards", 1);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  if (!isInitialized || ordinal < 0 || ordinal >= setting("cards", 1)) return kInvalidDevice;
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute name, CUdevice device) {
  switch (name) {
    case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID:
      *value = device + 1;
      return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID:
    case CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID:
      *value = 0;
      return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT:
      *value = kPitch;
      return CUDA_SUCCESS;
    default:
      return refuse(kInvalidValue, "an attribute that the substitute lacks: " + std::to_string(name));
  }
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  std::snprintf(name, static_cast<size_t>(length), "Substitute card %d",
                device == setting("other-model", -1));
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  std::memcpy(uuid->bytes, Importer::ofProcess().uuid, sizeof uuid->bytes);
  uuid->bytes[15] = static_cast<char>(uuid->bytes[15] ^ device);
  return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice) {
  *major = 8;
  *minor = 6;
  return CUDA_SUCCESS;
}

CUresult cuCtxCreate_v2(CUcontext* context, unsigned, CUdevice device) {
  if (const int status = faultOf("CtxCreate")) return CUresult(status);
  *context = new CUctx_st{device};
  current.push_back(*context);
  std::lock_guard lock(mutex);
  contexts.insert(*context);
  return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent_v2(CUcontext context) {
  if (cardOf(context) < 0) return refuse(kInvalidContext, "cuCtxPushCurrent of an unknown context");
  current.push_back(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent_v2(CUcontext* context) {
  if (current.empty()) return refuse(kInvalidContext, "cuCtxPopCurrent without a current context");
  *context = current.back();
  current.pop_back();
  return CUDA_SUCCESS;
}

CUresult cuCtxDestroy_v2(CUcontext context) {
  if (cardOf(context) < 0) return refuse(kInvalidContext, "cuCtxDestroy of an unknown context");
  std::erase(current, context);
  dropStreams(context);
  std::lock_guard lock(mutex);
  contexts.erase(context);
  delete context;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice* device) {
  if (const CUresult status = needContext("cuCtxGetDevice")) return status;
  *device = current.back()->card;
  return CUDA_SUCCESS;
}

CUresult cuMemAlloc_v2(CUdeviceptr* address, size_t bytes) { return allocateDeviceMemory(address, bytes); }

CUresult cuMemAllocPitch_v2(CUdeviceptr* address, size_t* pitch, size_t width, size_t height, unsigned) {
  *pitch = (width + kPitch - 1) / kPitch * kPitch;
  return allocateDeviceMemory(address, *pitch * height);
}

CUresult cuMemFree_v2(CUdeviceptr address) { return freeDeviceMemory(address); }

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* copy) {
  if (const CUresult status = needContext("cuMemcpy2D")) return status;
  std::function<CUresult()> work;
  if (const CUresult status = prepareCopy(*copy, work)) return status;
  const CUresult earlier = synchronizeContext();
  return earlier == CUDA_SUCCESS ? work() : earlier;
}

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* copy, CUstream stream) {
  if (const CUresult status = checkStream("cuMemcpy2DAsync", stream)) return status;
  std::function<CUresult()> work;
  if (const CUresult status = prepareCopy(*copy, work)) return status;
  return setting("delay", 0) != 0 ? enqueueWait(stream, std::move(work)) : enqueue(stream, std::move(work));
}

CUresult cuStreamCreate(CUstream* stream, unsigned) {
  if (const CUresult status = needContext("cuStreamCreate")) return status;
  *stream = new CUstream_st{current.back()};
  std::lock_guard lock(mutex);
  streams.insert(*stream);
  return CUDA_SUCCESS;
}

CUresult cuStreamSynchronize(CUstream stream) {
  if (const int status = faultOf("StreamSynchronize")) return CUresult(status);
  const CUresult status = checkStream("cuStreamSynchronize", stream);
  return status == CUDA_SUCCESS ? synchronize(stream) : status;
}

CUresult cuStreamDestroy_v2(CUstream stream) {
  if (const CUresult status = checkStream("cuStreamDestroy", stream)) return status;
  synchronize(stream);
  std::lock_guard lock(mutex);
  streams.erase(stream);
  delete stream;
  return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult error, const char** name) {
  static const std::map<int, const char*> names{
      {1, "CUDA_ERROR_INVALID_VALUE"},     {2, "CUDA_ERROR_OUT_OF_MEMORY"},
      {201, "CUDA_ERROR_INVALID_CONTEXT"}, {304, "CUDA_ERROR_OPERATING_SYSTEM"},
      {700, "CUDA_ERROR_ILLEGAL_ADDRESS"}, {702, "CUDA_ERROR_LAUNCH_TIMEOUT"},
      {999, "CUDA_ERROR_UNKNOWN"}};
  const auto found = names.find(error);
  *name = found == names.end() ? "CUDA_ERROR" : found->second;
  return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char** text) { return cuGetErrorName(error, text); }

CUresult cuImportExternalMemory(CUexternalMemory* external, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC* handle) {
  if (const CUresult status = needContext("cuImportExternalMemory")) return status;
  if (const int status = faultOf("ImportExternalMemory")) return CUresult(status);
  if (handle->type != CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD)
    return refuse(kInvalidValue, "cuImportExternalMemory of an unknown kind of handle");
  const VkDeviceMemory memory = Importer::ofProcess().import(handle->handle.fd, handle->size);
  if (memory == VK_NULL_HANDLE) return kOperatingSystem;
  *external = new CUextMemory_st{memory, 0, handle->size, false};
  std::lock_guard lock(mutex);
  imports.insert(*external);
  return CUDA_SUCCESS;
}

CUresult cuExternalMemoryGetMappedBuffer(CUdeviceptr* address, CUexternalMemory external,
                                         const CUDA_EXTERNAL_MEMORY_BUFFER_DESC* buffer) {
  if (const CUresult status = needContext("cuExternalMemoryGetMappedBuffer")) return status;
  if (const int status = faultOf("ExternalMemoryGetMappedBuffer")) return CUresult(status);
  std::lock_guard lock(mutex);
  if (imports.count(external) == 0) return refuse(kInvalidHandle, "a mapping of unknown external memory");
  if (buffer->flags != 0 || buffer->offset + buffer->size > external->bytes)
    return refuse(kInvalidValue, "a mapping beyond external memory");
  uint8_t* const mapped = Importer::ofProcess().map(external->memory, buffer->offset, buffer->size);
  if (mapped == nullptr) return kOperatingSystem;
  *address = external->address = reinterpret_cast<CUdeviceptr>(mapped);
  external->isMapped = true;
  allocations[*address] = buffer->size;
  return CUDA_SUCCESS;
}

CUresult cuDestroyExternalMemory(CUexternalMemory external) {
  if (const CUresult status = needContext("cuDestroyExternalMemory")) return status;
  std::lock_guard lock(mutex);
  if (imports.erase(external) == 0)
    return refuse(kInvalidHandle, "cuDestroyExternalMemory of unknown memory");
  if (hasWork()) report("external memory is destroyed while streams have work");
  if (external->isMapped) report("external memory is destroyed before its buffer is freed");
  Importer::ofProcess().free(external->memory);
  delete external;
  return CUDA_SUCCESS;
}

// Required by loaders, and not called here.
#define FW_ABSENT(name) \
  CUresult name() { return refuse(kNotSupported, #name " is not part of the substitute"); }
FW_ABSENT(cuCtxSetLimit)
FW_ABSENT(cuMemAllocManaged)
FW_ABSENT(cuMemsetD8Async)
FW_ABSENT(cuMemcpy)
FW_ABSENT(cuMemcpyAsync)
FW_ABSENT(cuMemcpyHtoD_v2)
FW_ABSENT(cuMemcpyHtoDAsync_v2)
FW_ABSENT(cuMemcpyDtoH_v2)
FW_ABSENT(cuMemcpyDtoHAsync_v2)
FW_ABSENT(cuMemcpyDtoD_v2)
FW_ABSENT(cuMemcpyDtoDAsync_v2)
FW_ABSENT(cuDevicePrimaryCtxRetain)
FW_ABSENT(cuDevicePrimaryCtxRelease)
FW_ABSENT(cuDevicePrimaryCtxSetFlags)
FW_ABSENT(cuDevicePrimaryCtxGetState)
FW_ABSENT(cuDevicePrimaryCtxReset)
FW_ABSENT(cuStreamQuery)
FW_ABSENT(cuStreamAddCallback)
FW_ABSENT(cuEventCreate)
FW_ABSENT(cuEventDestroy_v2)
FW_ABSENT(cuEventSynchronize)
FW_ABSENT(cuEventQuery)
FW_ABSENT(cuEventRecord)
FW_ABSENT(cuLaunchKernel)
FW_ABSENT(cuLinkCreate)
FW_ABSENT(cuLinkAddData)
FW_ABSENT(cuLinkComplete)
FW_ABSENT(cuLinkDestroy)
FW_ABSENT(cuModuleLoadData)
FW_ABSENT(cuModuleUnload)
FW_ABSENT(cuModuleGetFunction)
FW_ABSENT(cuModuleGetGlobal)
FW_ABSENT(cuTexObjectCreate)
FW_ABSENT(cuTexObjectDestroy)
FW_ABSENT(cuGLGetDevices_v2)
FW_ABSENT(cuGraphicsGLRegisterImage)
FW_ABSENT(cuGraphicsUnregisterResource)
FW_ABSENT(cuGraphicsMapResources)
FW_ABSENT(cuGraphicsUnmapResources)
FW_ABSENT(cuGraphicsSubResourceGetMappedArray)
FW_ABSENT(cuGraphicsResourceGetMappedPointer_v2)
FW_ABSENT(cuArray3DCreate_v2)
FW_ABSENT(cuArrayDestroy)

}  // extern "C"
