#pragma once

namespace framewright {

// Shown by ps, gdb and perf; at most 15 characters.
void nameThisThread(const char* name);

// What this thread and those that it starts do from here on is wanted later: it takes the time that other
// threads leave, and a small share where all cores are busy. Cannot be taken back.
void letOthersFirst();

}  // namespace framewright
