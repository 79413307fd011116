#pragma once

namespace framewright {

// Shown by ps, gdb and perf; at most 15 characters.
void nameThisThread(const char* name);

}  // namespace framewright
