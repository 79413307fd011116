#include "gpu_check/energy.h"

#include <cstdlib>

#include <dlfcn.h>

namespace framewright {
namespace {

// The few functions of NVML that are needed, as nvml.h declares them.
struct Library {
  using Handle = void*;
  int (*byIndex)(unsigned index, Handle* device) = nullptr;
  int (*byAddress)(const char* address, Handle* device) = nullptr;
  int (*energy)(Handle device, unsigned long long* millijoules) = nullptr;

  static const Library& get() {
    static const Library library;
    return library;
  }

 private:
  Library() {
    void* const opened = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (opened == nullptr) return;
    const auto start = reinterpret_cast<int (*)()>(dlsym(opened, "nvmlInit_v2"));
    if (start == nullptr || start() != 0) return;
    byIndex = reinterpret_cast<decltype(byIndex)>(dlsym(opened, "nvmlDeviceGetHandleByIndex_v2"));
    byAddress = reinterpret_cast<decltype(byAddress)>(dlsym(opened, "nvmlDeviceGetHandleByPciBusId_v2"));
    energy = reinterpret_cast<decltype(energy)>(dlsym(opened, "nvmlDeviceGetTotalEnergyConsumption"));
  }
};

}  // namespace

double energyUsed(const std::string& device) {
  const Library& nvml = Library::get();
  if (nvml.byIndex == nullptr || nvml.byAddress == nullptr || nvml.energy == nullptr) return 0;
  const bool isAddress = device.find(':') != std::string::npos;
  Library::Handle handle = nullptr;
  const int found = isAddress ? nvml.byAddress(device.c_str(), &handle)
                              : nvml.byIndex(static_cast<unsigned>(std::atoi(device.c_str())), &handle);
  unsigned long long millijoules = 0;
  if (found != 0 || nvml.energy(handle, &millijoules) != 0) return 0;
  return static_cast<double>(millijoules) / 1e3;
}

}  // namespace framewright
