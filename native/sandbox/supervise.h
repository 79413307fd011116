#pragma once

namespace framewright::sandbox {

// Starts the program in this process's group and waits. When the parent dies, this process is told to end, or
// the program does, the whole group is killed. Gives the exit code only when this process leads no group.
int supervise(char* const* command);

// The kernel kills this process, and what it becomes, when the thread that started it ends.
void dieWithParent();

}  // namespace framewright::sandbox
