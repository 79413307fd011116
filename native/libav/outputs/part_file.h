#pragma once

#include <cstdint>
#include <string>

#include "core/result.h"

namespace framewright {

// The unfinished file PATH.part of an output. Without publish() the destructor removes it. One thread.
class PartFile {
 public:
  explicit PartFile(std::string path) : path_(std::move(path)), partPath_(path_ + ".part") {}
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  // Where the file is written.
  const std::string& path() const { return partPath_; }
  // Syncs the written file and renames it to PATH, so that PATH never names an incomplete file. Returns its
  // size in bytes. Fails with IO_FAILED.
  Result<int64_t> publish();

 private:
  const std::string path_, partPath_;
  bool isPublished_ = false;
};

}  // namespace framewright
