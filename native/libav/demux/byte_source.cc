#include "libav/demux/byte_source.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace framewright {
namespace {

constexpr int kBufferBytes = 64 * 1024;

Error unreadable(const char* reason) {
  return {ErrorCode::MEDIA_UNREADABLE, std::string("the file cannot be read (") + reason + ")", ""};
}

struct OpenedFile {
  int descriptor = -1;
  int64_t size = 0;
};

Result<OpenedFile> openRegularFile(const std::string& path) {
  // Non-blocking so that a FIFO cannot hang the open; regular files ignore it.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return unreadable(std::strerror(errno));
  struct stat facts {};
  if (::fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    ::close(descriptor);
    return unreadable("not a regular file");
  }
  if (facts.st_size == 0) {
    ::close(descriptor);
    return unreadable("it is empty");
  }
  return OpenedFile{descriptor, facts.st_size};
}

}  // namespace

Result<std::unique_ptr<ByteSource>> ByteSource::open(const std::string& path) {
  FW_ASSIGN_OR_RETURN(const OpenedFile file, openRegularFile(path));
  std::unique_ptr<ByteSource> source(new ByteSource());
  source->descriptor_ = file.descriptor;
  source->size_ = file.size;
  auto* buffer = static_cast<uint8_t*>(av_malloc(kBufferBytes));
  AVIOContext* io = buffer == nullptr ? nullptr
                                      : avio_alloc_context(buffer, kBufferBytes, 0, source.get(),
                                                           &ByteSource::read, nullptr, &ByteSource::seek);
  if (io == nullptr) {
    av_free(buffer);
    return Error{ErrorCode::OUT_OF_MEMORY, "there was not enough memory", "avio_alloc_context"};
  }
  source->io_.reset(io);
  return source;
}

ByteSource::~ByteSource() {
  io_.reset();
  if (descriptor_ >= 0) ::close(descriptor_);
}

int ByteSource::read(void* self, uint8_t* buffer, int size) {
  auto* source = static_cast<ByteSource*>(self);
  ssize_t count = 0;
  do {
    count = ::pread(source->descriptor_, buffer, static_cast<size_t>(size), source->position_);
  } while (count < 0 && errno == EINTR);
  if (count < 0) return AVERROR(errno);
  if (count == 0) return AVERROR_EOF;
  source->position_ += count;
  return static_cast<int>(count);
}

int64_t ByteSource::seek(void* self, int64_t offset, int whence) {
  auto* source = static_cast<ByteSource*>(self);
  switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE:
      return source->size_;
    case SEEK_SET:
      break;
    case SEEK_CUR:
      offset += source->position_;
      break;
    case SEEK_END:
      offset += source->size_;
      break;
    default:
      return AVERROR(EINVAL);
  }
  if (offset < 0) return AVERROR(EINVAL);
  source->position_ = offset;
  return offset;
}

Result<FileBytes> readFileBytes(const std::string& path, int64_t limit) {
  FW_ASSIGN_OR_RETURN(const OpenedFile file, openRegularFile(path));
  if (file.size > limit) {
    ::close(file.descriptor);
    return Error{ErrorCode::MEDIA_UNSUPPORTED,
                 "the file is larger than the " + std::to_string(limit >> 20) + " MiB allowed for a picture",
                 ""};
  }
  FileBytes bytes;
  bytes.padded.resize(static_cast<size_t>(file.size) + AV_INPUT_BUFFER_PADDING_SIZE);
  while (bytes.size < static_cast<size_t>(file.size)) {
    const ssize_t count = ::read(file.descriptor, bytes.padded.data() + bytes.size,
                                 static_cast<size_t>(file.size) - bytes.size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    bytes.size += static_cast<size_t>(count);
  }
  ::close(file.descriptor);
  if (bytes.size != static_cast<size_t>(file.size)) return unreadable("it changed while being read");
  return bytes;
}

}  // namespace framewright
