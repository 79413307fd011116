#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "formats/matroska_structure.h"
#include "libav/av_handle.h"
#include "libav/demux/local_file.h"

namespace framewright {

// An AVIOContext that reads one regular local file. libav opens nothing itself, so a hostile file cannot make
// it follow a path or a URL. Used by one thread.
class ByteSource {
 public:
  // Fails as LocalFile::open() does.
  static Result<std::unique_ptr<ByteSource>> open(const std::string& path);
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  AVIOContext* io() { return io_.get(); }
  const LocalFile& file() const { return *file_; }

  // From the next seek on, these elements of a Matroska file read as empty ones.
  void hide(std::vector<ByteRange> elements);

 private:
  ByteSource() = default;
  static int read(void* self, uint8_t* buffer, int size);
  static int64_t seek(void* self, int64_t offset, int whence);

  std::unique_ptr<LocalFile> file_;
  int64_t position_ = 0;
  std::vector<ByteRange> hidden_;
  IoPtr io_;
};

}  // namespace framewright
