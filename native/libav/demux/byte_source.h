#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "libav/av_handle.h"

namespace framewright {

// Bytes of one regular local file for a demuxer. libav reads through this descriptor and opens nothing by
// itself, so a hostile file cannot make it follow a name or a URL. Used by one thread.
class ByteSource {
 public:
  // Fails with MEDIA_UNREADABLE when the file is missing, not a regular file, or empty.
  static Result<std::unique_ptr<ByteSource>> open(const std::string& path);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  AVIOContext* io() { return io_.get(); }
  int64_t size() const { return size_; }

 private:
  ByteSource() = default;
  static int read(void* self, uint8_t* buffer, int size);
  static int64_t seek(void* self, int64_t offset, int whence);

  int descriptor_ = -1;
  int64_t size_ = 0;
  int64_t position_ = 0;
  IoPtr io_;
};

// The whole file followed by the zero padding that decoders need (not counted in size()).
struct FileBytes {
  std::vector<uint8_t> padded;
  size_t size = 0;
};

// Fails with MEDIA_UNREADABLE, or MEDIA_UNSUPPORTED when the file is larger than `limit` bytes.
Result<FileBytes> readFileBytes(const std::string& path, int64_t limit);

}  // namespace framewright
