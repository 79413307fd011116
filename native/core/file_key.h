#pragma once

#include <string>

#include <sys/stat.h>

namespace framewright {

// Identifies the current contents of a file in caches: path, inode, size and modification time. A missing
// file has a key too; opening it reports the error.
inline std::string fileKey(const std::string& path) {
  struct stat file {};
  stat(path.c_str(), &file);
  return path + '\n' + std::to_string(file.st_dev) + '.' + std::to_string(file.st_ino) + '.' +
         std::to_string(file.st_size) + '.' + std::to_string(file.st_mtim.tv_sec) + '.' +
         std::to_string(file.st_mtim.tv_nsec);
}

}  // namespace framewright
