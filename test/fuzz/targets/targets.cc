#include "targets.h"

#include <cstdlib>

#include <sys/mman.h>
#include <unistd.h>

namespace framewright::fuzz {

std::span<const Target> targets() {
  static constexpr Target kTargets[] = {
      {"timeline", timeline}, {"media", media}, {"image", image}, {"files", files}, {"h264", h264}};
  return kTargets;
}

MemoryFile::MemoryFile(std::span<const uint8_t> bytes) : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
  if (descriptor_ < 0) std::abort();
  size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t count = ::write(descriptor_, bytes.data() + written, bytes.size() - written);
    if (count <= 0) std::abort();
    written += static_cast<size_t>(count);
  }
  path_ = "/proc/self/fd/" + std::to_string(descriptor_);
}

MemoryFile::~MemoryFile() { ::close(descriptor_); }

}  // namespace framewright::fuzz
