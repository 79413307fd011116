#include "libav/hardware/interop/cuda_driver.h"

#include <cstring>
#include <string>

#include <dlfcn.h>

namespace framewright::cuda {
namespace {

Error unavailable(const std::string& reason) { return {ErrorCode::ENCODER_UNAVAILABLE, reason, ""}; }

template <class Function>
bool load(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

Result<const Driver*> open() {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return unavailable("libcuda.so.1 is not installed or may not be loaded");
  static Driver driver;
  const bool hasAllSymbols =
      load(library, "cuInit", driver.init) && load(library, "cuDeviceGetCount", driver.deviceCount) &&
      load(library, "cuDeviceGet", driver.device) && load(library, "cuDeviceGetUuid", driver.uuid) &&
      load(library, "cuCtxPushCurrent_v2", driver.push) && load(library, "cuCtxPopCurrent_v2", driver.pop) &&
      load(library, "cuImportExternalMemory", driver.importMemory) &&
      load(library, "cuExternalMemoryGetMappedBuffer", driver.map) &&
      load(library, "cuDestroyExternalMemory", driver.destroyMemory) &&
      load(library, "cuMemFree_v2", driver.freePointer) && load(library, "cuMemcpy2DAsync_v2", driver.copy) &&
      load(library, "cuStreamSynchronize", driver.synchronize) &&
      load(library, "cuGetErrorName", driver.getErrorName);
  if (!hasAllSymbols) return unavailable("libcuda.so.1 is older than CUDA 10");
  if (const int error = driver.init(0); error != 0) return driver.failure("cuInit", error);
  return &driver;
}

}  // namespace

Error Driver::failure(const char* call, int error) const {
  const char* name = nullptr;
  const bool isNamed = getErrorName(error, &name) == 0 && name != nullptr;
  return {ErrorCode::ENCODER_UNAVAILABLE,
          std::string(call) + ": " + (isNamed ? name : std::to_string(error).c_str()), ""};
}

// The library stays open because its threads outlive the objects made with it.
Result<const Driver*> driver() {
  static const Result<const Driver*> opened = open();
  return opened;
}

Result<int> ordinalOf(const DeviceIdentity& wanted) {
  FW_ASSIGN_OR_RETURN(const Driver* const cuda, driver());
  int count = 0;
  if (const int error = cuda->deviceCount(&count); error != 0)
    return cuda->failure("cuDeviceGetCount", error);
  for (int i = 0; i < count; ++i) {
    Device device = 0;
    uint8_t uuid[16]{};
    if (cuda->device(&device, i) == 0 && cuda->uuid(uuid, device) == 0 &&
        std::memcmp(uuid, wanted.uuid.data(), sizeof uuid) == 0)
      return i;
  }
  return unavailable("CUDA does not list the compositor's device");
}

}  // namespace framewright::cuda
