#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"

namespace framewright {

// A regular local file, open for reading at any offset. Any thread.
class LocalFile {
 public:
  // Fails with MEDIA_UNREADABLE when the file is missing, not a regular file, or empty.
  static Result<std::unique_ptr<LocalFile>> open(const std::string& path);
  ~LocalFile();
  LocalFile(const LocalFile&) = delete;
  LocalFile& operator=(const LocalFile&) = delete;

  int64_t size() const { return size_; }
  // Fills `to`. Fails with MEDIA_UNREADABLE, also when the file has become shorter.
  Status read(int64_t offset, std::span<uint8_t> to) const;
  // As pread(): the number of bytes read, 0 at the end, -1 with errno set.
  int64_t readSome(int64_t offset, uint8_t* to, size_t count) const;

 private:
  LocalFile(int descriptor, int64_t size) : descriptor_(descriptor), size_(size) {}

  const int descriptor_;
  const int64_t size_;
};

// A whole file in memory, followed by the zero padding that decoders need.
struct FileBytes {
  std::vector<uint8_t> padded;
  size_t size = 0;  // without the padding

  static FileBytes pad(std::vector<uint8_t> bytes);
  std::span<const uint8_t> data() const { return {padded.data(), size}; }
};

// Fails with MEDIA_UNREADABLE, or MEDIA_UNSUPPORTED when the file is larger than kMaxImageFileBytes.
Result<FileBytes> readImageFile(const std::string& path);

}  // namespace framewright
