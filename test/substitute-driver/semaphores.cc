#include <mutex>
#include <set>
#include <string>

#include <unistd.h>

#include "streams.h"
#include "vulkan/exported_semaphore.h"

// CUDA's imported timeline semaphores, which the substitute Vulkan layer exports. A wait for a value that
// nothing has promised to signal, or that does not arrive, is an error.
//
// Settings of CUDA_SUBSTITUTE:
//   ignores-waits=1   waits do nothing, as with a driver that does not know them
//   signals-early=1   signals are given at once, before the work ahead of them
//   loses-signals=1   signals never arrive
//   wait-ms=N         longest wait (default 30000)
struct CUextSemaphore_st {
  substitute::ExportedSemaphorePtr semaphore;
};

namespace substitute {
namespace {

constexpr CUresult kInvalid = CUresult(1), kNoHandle = CUresult(400), kLaunchTimeout = CUresult(702);

std::mutex importing;
std::set<CUexternalSemaphore> imported;

struct ImportLeaks {
  ~ImportLeaks() {
    if (!imported.empty()) report(std::to_string(imported.size()) + " semaphores were not destroyed");
  }
} importLeaks;

bool isOn(const char* name) { return setting(name, 0) != 0; }

CUresult checkUse(const char* call, const CUexternalSemaphore* semaphores,
                  const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS* params, unsigned count) {
  if (currentContext() == nullptr)
    return refuse(CUresult(201), std::string(call) + " without a current context");
  std::lock_guard lock(importing);
  if (count != 1 || imported.count(*semaphores) == 0)
    return refuse(kNoHandle, std::string(call) + " with an unknown semaphore");
  bool isClear = params->flags == 0;
  for (const unsigned word : params->reserved) isClear = isClear && word == 0;
  for (const unsigned word : params->params.reserved) isClear = isClear && word == 0;
  return isClear ? CUDA_SUCCESS : refuse(kInvalid, std::string(call) + " with flags");
}

CUresult waitFor(const ExportedSemaphorePtr& semaphore, uint64_t value, int milliseconds) {
  if (semaphore->wait(value, milliseconds)) return CUDA_SUCCESS;
  return refuse(kLaunchTimeout, "a semaphore's value " + std::to_string(value) + " does not arrive");
}

CUresult signal(const ExportedSemaphorePtr& semaphore, uint64_t value) {
  if (semaphore->signal(value)) return CUDA_SUCCESS;
  return refuse(kInvalid, "a semaphore's value " + std::to_string(value) + " is not greater than its last");
}

}  // namespace
}  // namespace substitute

using namespace substitute;

extern "C" {

CUresult cuImportExternalSemaphore(CUexternalSemaphore* semaphore,
                                   const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC* handle) {
  if (currentContext() == nullptr)
    return refuse(CUresult(201), "cuImportExternalSemaphore without a current context");
  if (const int status = faultOf("ImportExternalSemaphore")) return CUresult(status);
  if (handle->type != CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD || handle->flags != 0)
    return refuse(kInvalid, "cuImportExternalSemaphore of an unknown kind of handle");
  const ExportedSemaphorePtr exported = semaphoreOf(handle->handle.fd);
  if (exported == nullptr) return refuse(kInvalid, "cuImportExternalSemaphore of something else");
  close(handle->handle.fd);
  *semaphore = new CUextSemaphore_st{exported};
  std::lock_guard lock(importing);
  imported.insert(*semaphore);
  return CUDA_SUCCESS;
}

CUresult cuDestroyExternalSemaphore(CUexternalSemaphore semaphore) {
  std::lock_guard lock(importing);
  if (imported.erase(semaphore) == 0)
    return refuse(kNoHandle, "cuDestroyExternalSemaphore of an unknown semaphore");
  if (hasWork()) report("a semaphore is destroyed while streams have work");
  delete semaphore;
  return CUDA_SUCCESS;
}

CUresult cuWaitExternalSemaphoresAsync(const CUexternalSemaphore* semaphores,
                                       const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS* params, unsigned count,
                                       CUstream stream) {
  if (const CUresult status = checkUse("cuWaitExternalSemaphoresAsync", semaphores, params, count))
    return status;
  if (const int status = faultOf("WaitExternalSemaphoresAsync")) return CUresult(status);
  const ExportedSemaphorePtr semaphore = (*semaphores)->semaphore;
  const uint64_t value = params->params.fence.value;
  if (value > semaphore->promised())
    return refuse(kInvalid, "a wait for the value " + std::to_string(value) + ", which nothing signals");
  if (isOn("ignores-waits")) return CUDA_SUCCESS;
  const int milliseconds = setting("wait-ms", 30'000);
  return enqueueWait(stream, [=] { return waitFor(semaphore, value, milliseconds); });
}

CUresult cuSignalExternalSemaphoresAsync(const CUexternalSemaphore* semaphores,
                                         const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS* params, unsigned count,
                                         CUstream stream) {
  if (const CUresult status = checkUse("cuSignalExternalSemaphoresAsync", semaphores, params, count))
    return status;
  if (const int status = faultOf("SignalExternalSemaphoresAsync")) return CUresult(status);
  const ExportedSemaphorePtr semaphore = (*semaphores)->semaphore;
  const uint64_t value = params->params.fence.value;
  if (value <= semaphore->promised())
    return refuse(kInvalid, "a signal of the value " + std::to_string(value) + ", which is not greater");
  semaphore->promise(value);
  if (isOn("loses-signals")) return CUDA_SUCCESS;
  if (!isOn("signals-early")) return enqueue(stream, [=] { return signal(semaphore, value); });
  const CUresult arrived = waitFor(semaphore, value - 1, setting("wait-ms", 30'000));
  return arrived == CUDA_SUCCESS ? signal(semaphore, value) : arrived;
}

}  // extern "C"
