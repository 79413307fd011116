#pragma once

#include <exception>
#include <new>

#include "core/result.h"

namespace framewright {

// Runs `work`, which returns a Result, and converts exceptions to errors. The engine throws none; exceptions
// of its libraries must not end the process.
template <typename Work>
auto guarded(const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::OUT_OF_MEMORY, "there was not enough memory", ""};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::UNEXPECTED, "something unexpected happened in the engine", exception.what()};
  }
}

}  // namespace framewright
