#pragma once

#include <string>

// What a test wants of a substitute driver: an environment variable with settings separated by commas,
// `name=value`. VK_SUBSTITUTE and LIBVA_SUBSTITUTE stand for VULKAN_ and VAAPI_SUBSTITUTE where those are not
// set, such as in the engine's sandbox. `fault=CALL:N:STATUS`: the Nth call of CALL and all later ones fail
// with STATUS.
namespace substitute {

// The setting's value, or `fallback` where it is absent.
int settingOf(const char* variable, const std::string& name, int fallback);

// The status with which this call of `call` shall fail, or 0. Calls count from the last change of the fault.
int faultIn(const char* variable, const char* call);

// Says on stderr what the caller did wrong.
void report(const std::string& what);

// A violation of the interface: reports it and returns `status`.
template <class Status>
Status refuse(Status status, const std::string& what) {
  report(what);
  return status;
}

}  // namespace substitute
