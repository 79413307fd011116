#pragma once

#include "sandbox/outcome.h"

namespace framewright::sandbox {

// For this process and whatever it becomes: no sockets, no tracing of others or signals to them, no mounts,
// no namespaces, no kernel modules, keys or programs, and no second way in (io_uring, other instruction
// sets).
Outcome restrictSystemCalls();

// For all threads of this process, from here on: what decoding, drawing and encoding on the processor calls,
// and nothing else. No programs, no processes (threads may be started), no code that is not loaded yet, and
// of devices nothing.
Outcome sealSystemCalls();

// The same for a process that may still load graphics drivers, of which it can not be told what they call and
// which compile code: no other program and no further process.
Outcome sealPrograms();

}  // namespace framewright::sandbox
