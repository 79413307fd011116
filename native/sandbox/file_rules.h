#pragma once

#include <string>
#include <vector>

#include "sandbox/outcome.h"

namespace framewright::sandbox {

// Paths of files and folders with everything below; missing ones are ignored.
struct FileRules {
  std::vector<std::string> readable;
  std::vector<std::string> writable;  // read, write, create and remove
  std::vector<std::string> devices;   // read, write and ioctl, but not create
  std::vector<std::string> existing;  // read, write and truncate, but not create
  std::vector<std::string> programs;  // execute
};

// Restricts this thread and its children for good: other files cannot be opened, and TCP, abstract sockets
// and signals to outside processes are refused as far as the kernel supports those rules.
Outcome restrictFiles(const FileRules& rules);

// Landlock ABI version of the kernel; 0: none.
int landlockVersion();

}  // namespace framewright::sandbox
