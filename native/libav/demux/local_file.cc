#include "libav/demux/local_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libav/av_error.h"
#include "libav/codec_policy.h"

namespace framewright {
namespace {

Error unreadableFile(const char* reason) {
  return unreadableMedia(std::string("the file cannot be read (") + reason + ")");
}

}  // namespace

Result<std::unique_ptr<LocalFile>> LocalFile::open(const std::string& path) {
  // Non-blocking so that a FIFO cannot hang the open; regular files ignore it.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return unreadableFile(std::strerror(errno));
  struct stat status {};
  const bool isRegular = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  std::unique_ptr<LocalFile> file(new LocalFile(descriptor, status.st_size));
  if (!isRegular) return unreadableFile("not a regular file");
  if (file->size() == 0) return unreadableFile("it is empty");
  return file;
}

LocalFile::~LocalFile() { ::close(descriptor_); }

int64_t LocalFile::readSome(int64_t offset, uint8_t* to, size_t count) const {
  ssize_t got = 0;
  do {
    got = ::pread(descriptor_, to, count, offset);
  } while (got < 0 && errno == EINTR);
  return got;
}

Status LocalFile::read(int64_t offset, std::span<uint8_t> to) const {
  while (!to.empty()) {
    const int64_t got = readSome(offset, to.data(), to.size());
    if (got <= 0) return unreadableFile("it changed while being read");
    offset += got;
    to = to.subspan(static_cast<size_t>(got));
  }
  return {};
}

FileBytes FileBytes::pad(std::vector<uint8_t> bytes) {
  const size_t size = bytes.size();
  bytes.resize(size + AV_INPUT_BUFFER_PADDING_SIZE);
  return {std::move(bytes), size};
}

Result<FileBytes> readImageFile(const std::string& path) {
  FW_ASSIGN_OR_RETURN(const auto file, LocalFile::open(path));
  if (file->size() > kMaxImageFileBytes) {
    return unsupportedMedia("the image file is larger than " + std::to_string(kMaxImageFileBytes >> 20) +
                            " MiB");
  }
  const auto size = static_cast<size_t>(file->size());
  FileBytes bytes{std::vector<uint8_t>(size + AV_INPUT_BUFFER_PADDING_SIZE), size};
  FW_RETURN_IF_ERROR(file->read(0, std::span(bytes.padded).first(size)));
  return bytes;
}

}  // namespace framewright
