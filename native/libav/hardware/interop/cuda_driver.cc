#include "libav/hardware/interop/cuda_driver.h"

#include <cstring>
#include <string>

namespace framewright::cuda {
namespace {

Error unavailable(const std::string& reason) { return {ErrorCode::ENCODER_UNAVAILABLE, reason, ""}; }

DeviceIdentity identityOf(const CudaFunctions& cuda, int ordinal, CUdevice device) {
  DeviceIdentity identity{.cudaOrdinal = ordinal};
  CUuuid uuid{};
  if (cuda.cuDeviceGetUuid(&uuid, device) == CUDA_SUCCESS)
    std::memcpy(identity.uuid.data(), uuid.bytes, sizeof uuid.bytes);
  char model[256] = "";
  if (cuda.cuDeviceGetName(model, sizeof model, device) == CUDA_SUCCESS) identity.model = model;
  const auto attribute = [&](CUdevice_attribute name) {
    int value = -1;
    return cuda.cuDeviceGetAttribute(&value, name, device) == CUDA_SUCCESS ? value : -1;
  };
  const int domain = attribute(CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID);
  const int bus = attribute(CU_DEVICE_ATTRIBUTE_PCI_BUS_ID);
  const int slot = attribute(CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID);
  if (domain >= 0 && bus >= 0 && slot >= 0) identity.pciAddress = pciAddress(domain, bus, slot);
  return identity;
}

Result<const CudaFunctions*> open() {
  static CudaFunctions* cuda = nullptr;
  if (cuda_load_functions(&cuda, nullptr) != 0)
    return unavailable("libcuda.so.1 is not installed, may not be loaded or is too old");
  const bool isRecent = cuda->cuDeviceGetUuid != nullptr && cuda->cuImportExternalMemory != nullptr &&
                        cuda->cuExternalMemoryGetMappedBuffer != nullptr &&
                        cuda->cuDestroyExternalMemory != nullptr;
  if (!isRecent) return unavailable("libcuda.so.1 is older than CUDA 10");
  if (const CUresult error = cuda->cuInit(0); error != CUDA_SUCCESS) return failure(*cuda, "cuInit", error);
  int count = 0;
  if (const CUresult error = cuda->cuDeviceGetCount(&count); error != CUDA_SUCCESS)
    return failure(*cuda, "cuDeviceGetCount", error);
  for (int i = 0; i < count; ++i) {
    CUdevice device = 0;
    if (cuda->cuDeviceGet(&device, i) == CUDA_SUCCESS)
      DeviceRegistry::ofProcess().add(identityOf(*cuda, i, device));
  }
  return cuda;
}

}  // namespace

bool hasExternalSemaphores(const CudaFunctions& cuda) {
  return cuda.cuImportExternalSemaphore != nullptr && cuda.cuDestroyExternalSemaphore != nullptr &&
         cuda.cuSignalExternalSemaphoresAsync != nullptr && cuda.cuWaitExternalSemaphoresAsync != nullptr;
}

Error failure(const CudaFunctions& cuda, const char* call, CUresult error) {
  const char* name = nullptr;
  const bool isNamed = cuda.cuGetErrorName(error, &name) == CUDA_SUCCESS && name != nullptr;
  return unavailable(std::string(call) + ": " + (isNamed ? name : std::to_string(error)));
}

// The library stays open because its threads outlive the objects made with it.
Result<const CudaFunctions*> driver() {
  static const Result<const CudaFunctions*> opened = open();
  return opened;
}

Result<int> ordinalOf(const DeviceIdentity& device) {
  const auto cuda = driver();
  if (!cuda.ok()) return cuda.error();
  const int ordinal = DeviceRegistry::ofProcess().find(device).cudaOrdinal;
  if (ordinal < 0) return unavailable("CUDA does not list the compositor's device");
  return ordinal;
}

}  // namespace framewright::cuda
