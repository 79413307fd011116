#pragma once

#include <cstdint>
#include <string>

#include "core/result.h"

namespace framewright {

// The unfinished file PATH.part. Without publish() the destructor removes it. One thread.
class PartFile {
 public:
  explicit PartFile(std::string path) : path_(std::move(path)), partPath_(path_ + ".part") {}
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  // Where the file is written.
  const std::string& path() const { return partPath_; }
  // Syncs the written file and renames it to PATH, so that PATH never names an incomplete file. Returns its
  // size in bytes. Fails with IO_FAILED and the message `failure`.
  Result<int64_t> publish(const char* failure = "The output file cannot be renamed.");

 private:
  const std::string path_, partPath_;
  bool isPublished_ = false;
};

}  // namespace framewright
