#pragma once

#include "sandbox/outcome.h"

namespace framewright::sandbox {

// For this process and whatever it becomes: no sockets, no tracing of others or signals to them, no mounts,
// no namespaces, no kernel modules, keys or programs, and no second way in (io_uring, other instruction
// sets).
Outcome restrictSystemCalls();

// For all threads of this process, from here on: no other program and no further process. Threads may be
// started.
Outcome sealSystemCalls();

}  // namespace framewright::sandbox
