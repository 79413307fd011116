#include "libav/mux/part_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace framewright {

PartFile::~PartFile() {
  if (!isPublished_) std::remove(partPath_.c_str());
}

Result<int64_t> PartFile::publish(const char* failure) {
  const int descriptor = ::open(partPath_.c_str(), O_RDONLY | O_CLOEXEC);
  const bool isSynced = descriptor >= 0 && ::fsync(descriptor) == 0;
  const int64_t bytes = descriptor >= 0 ? ::lseek(descriptor, 0, SEEK_END) : 0;
  if (descriptor >= 0) ::close(descriptor);
  if (!isSynced || std::rename(partPath_.c_str(), path_.c_str()) != 0)
    return Error{ErrorCode::IO_FAILED, failure, std::strerror(errno)};
  isPublished_ = true;
  return bytes;
}

}  // namespace framewright
