#pragma once

#include <dlfcn.h>

namespace framewright::speech {

// Opens a library for the life of the program; null if it is not installed.
inline void* openLibrary(const char* name) { return dlopen(name, RTLD_NOW | RTLD_GLOBAL); }

// Looks up a function of the library; false if it is missing.
template <typename Function>
bool load(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace framewright::speech
