#pragma once

#include <cstdint>
#include <memory>

#include <sys/mman.h>
#include <unistd.h>

namespace substitute {

// A timeline semaphore that the substitute layer exports: its descriptor is a file that names this object, so
// that the substitute for CUDA reaches the software device's own semaphore. Lives until the device and every
// importer have released it.
struct ExportedSemaphore {
  virtual ~ExportedSemaphore() = default;
  // Blocks until the value is reached; false after `milliseconds`, or once the device is gone.
  virtual bool wait(uint64_t value, int milliseconds) = 0;
  // False if the value is not greater than the present one, or the device is gone.
  virtual bool signal(uint64_t value) = 0;
  // The largest value that submitted work or the host signals.
  virtual uint64_t promised() = 0;
  // Submitted work of the importer signals this value.
  virtual void promise(uint64_t value) = 0;
};

using ExportedSemaphorePtr = std::shared_ptr<ExportedSemaphore>;

// What a descriptor's file holds.
struct SemaphoreFile {
  static constexpr uint64_t kMagic = 0x66772d73656d6170;
  uint64_t magic = kMagic;
  int64_t process = getpid();
  ExportedSemaphorePtr* semaphore = nullptr;  // of the exporting device; valid as long as it
};

// A new descriptor of the semaphore, or -1.
inline int descriptorOf(ExportedSemaphorePtr& semaphore) {
  const int fd = memfd_create("semaphore", MFD_CLOEXEC);
  SemaphoreFile file;
  file.semaphore = &semaphore;
  if (fd >= 0 && pwrite(fd, &file, sizeof file, 0) == static_cast<ssize_t>(sizeof file)) return fd;
  if (fd >= 0) close(fd);
  return -1;
}

// Null: the descriptor is of something else.
inline ExportedSemaphorePtr semaphoreOf(int fd) {
  SemaphoreFile file;
  file.magic = 0;
  const bool isSemaphore = pread(fd, &file, sizeof file, 0) == static_cast<ssize_t>(sizeof file) &&
                           file.magic == SemaphoreFile::kMagic && file.process == getpid();
  return isSemaphore ? *file.semaphore : nullptr;
}

}  // namespace substitute
