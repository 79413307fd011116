#pragma once

namespace framewright {

// Sets the thread's name, which ps, gdb and perf show; at most 15 characters.
void nameThisThread(const char* name);

}  // namespace framewright
