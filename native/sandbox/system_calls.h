#pragma once

#include "sandbox/outcome.h"

namespace framewright::sandbox {

// Which sockets a process may make.
enum class Sockets {
  kNone,
  // Sequential-packet sockets between processes of this host, which may be bound and listened on, but neither
  // connected nor accepted from: libcuda does not start without them.
  kLocalPackets,
};

// Applies to this process, also after exec: refuses sockets, tracing other processes or signalling them,
// mounts, namespaces, kernel modules, keys and BPF programs, and ways around the filter (io_uring, other
// ABIs).
Outcome restrictSystemCalls(Sockets sockets = Sockets::kNone);

// Applies to all threads of this process: allows only the calls that decoding, composing and encoding on the
// CPU need. No programs, no processes (threads may start), no new executable memory, no devices.
Outcome sealSystemCalls();

// For a process that may still load graphics drivers, whose calls are unknown and which compile code: only
// refuses other programs and new processes.
Outcome sealPrograms();

}  // namespace framewright::sandbox
