#pragma once

namespace framewright::sandbox {

// Runs the program in this process's group and waits. When the parent dies, this process gets a termination
// signal, or the program ends, the whole group is killed. Returns the exit code only if this process leads no
// group.
int supervise(char* const* command);

// Makes the kernel kill this process, also after exec, when the thread that started it ends.
void dieWithParent();

}  // namespace framewright::sandbox
