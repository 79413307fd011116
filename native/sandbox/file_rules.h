#pragma once

#include <string>
#include <vector>

#include "sandbox/outcome.h"

namespace framewright::sandbox {

// Files and folders with all that is below them; those that do not exist are left out.
struct FileRules {
  std::vector<std::string> readable;
  std::vector<std::string> writable;  // read, written, made and removed
  std::vector<std::string> devices;   // read, written and controlled, not made
  std::vector<std::string> programs;  // executed
};

// For this thread and all it starts, until they end: everything else is closed to open(), as are TCP, sockets
// by name, and signals to processes outside, as far as the kernel knows those rules.
Outcome restrictFiles(const FileRules& rules);

// The version of Landlock that the kernel has; 0: none.
int landlockVersion();

}  // namespace framewright::sandbox
