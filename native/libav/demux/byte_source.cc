#include "libav/demux/byte_source.h"

#include <cerrno>
#include <utility>

namespace framewright {
namespace {

constexpr int kBufferBytes = 64 * 1024;

}  // namespace

Result<std::unique_ptr<ByteSource>> ByteSource::open(const std::string& path) {
  std::unique_ptr<ByteSource> source(new ByteSource());
  FW_ASSIGN_OR_RETURN(source->file_, LocalFile::open(path));
  auto* buffer = static_cast<uint8_t*>(av_malloc(kBufferBytes));
  AVIOContext* io = buffer == nullptr ? nullptr
                                      : avio_alloc_context(buffer, kBufferBytes, 0, source.get(),
                                                           &ByteSource::read, nullptr, &ByteSource::seek);
  if (io == nullptr) {
    av_free(buffer);
    return outOfMemory("avio_alloc_context");
  }
  source->io_.reset(io);
  return source;
}

void ByteSource::hide(std::vector<ByteRange> elements) {
  hidden_ = std::move(elements);
  // Drops what was read ahead.
  io_->buf_ptr = io_->buf_end = io_->buffer;
}

int ByteSource::read(void* self, uint8_t* buffer, int size) {
  auto* source = static_cast<ByteSource*>(self);
  const int64_t count = source->file_->readSome(source->position_, buffer, static_cast<size_t>(size));
  if (count < 0) return AVERROR(errno);
  if (count == 0) return AVERROR_EOF;
  hideElements(source->hidden_, source->position_, {buffer, static_cast<size_t>(count)});
  source->position_ += count;
  return static_cast<int>(count);
}

int64_t ByteSource::seek(void* self, int64_t offset, int whence) {
  auto* source = static_cast<ByteSource*>(self);
  switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE:
      return source->file_->size();
    case SEEK_SET:
      break;
    case SEEK_CUR:
      offset += source->position_;
      break;
    case SEEK_END:
      offset += source->file_->size();
      break;
    default:
      return AVERROR(EINVAL);
  }
  if (offset < 0) return AVERROR(EINVAL);
  source->position_ = offset;
  return offset;
}

}  // namespace framewright
