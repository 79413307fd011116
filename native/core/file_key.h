#pragma once

#include <string>

#include <sys/stat.h>

namespace framewright {

// Cache key of a file's current contents: path, inode, size and modification time. Missing files have a key
// too; the error is reported when they are opened.
inline std::string fileKey(const std::string& path) {
  struct stat file {};
  stat(path.c_str(), &file);
  return path + '\n' + std::to_string(file.st_dev) + '.' + std::to_string(file.st_ino) + '.' +
         std::to_string(file.st_size) + '.' + std::to_string(file.st_mtim.tv_sec) + '.' +
         std::to_string(file.st_mtim.tv_nsec);
}

}  // namespace framewright
