#include "libav/decode/sequence_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/byte_reader.h"
#include "libav/decode/still_decoder.h"
#include "libav/decode/video_decoder.h"

namespace framewright {
namespace {

constexpr size_t kHeaderBytes = 32, kEntryBytes = 16;
constexpr uint32_t kVersion = 1, kMaxSide = 16384, kMaxRate = 1000000000;
constexpr uint64_t kMaxPictureBytes = uint64_t{256} << 20;
constexpr size_t kMaxSequenceBytes = size_t{64} << 20;
constexpr uint8_t kPngMagic[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};

Error unreadable(const std::string& reason) {
  return {ErrorCode::MEDIA_UNREADABLE, "the picture sequence cannot be read (" + reason + ")", ""};
}

}  // namespace

Result<std::unique_ptr<SequenceFile>> SequenceFile::open(const std::string& path) {
  std::unique_ptr<SequenceFile> file(new SequenceFile());
  // Opening a pipe must not block.
  file->descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file->descriptor_ < 0) return unreadable(std::strerror(errno));
  struct stat facts {};
  if (::fstat(file->descriptor_, &facts) != 0 || !S_ISREG(facts.st_mode))
    return unreadable("not a regular file");
  file->size_ = static_cast<uint64_t>(facts.st_size);
  FW_RETURN_IF_ERROR(file->readTables());
  return file;
}

SequenceFile::~SequenceFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Status SequenceFile::readTables() {
  uint8_t header[kHeaderBytes] = {};
  if (size_ < kHeaderBytes) return unreadable("too short");
  FW_RETURN_IF_ERROR(readAt(0, header, kHeaderBytes));
  ByteReader reader({header, kHeaderBytes}, false);
  const bool magic = reader.startsWith("FWSQ", 4);
  reader.skip(4);
  if (reader.u32() != kVersion || !magic) return unreadable("not a sequence of version 1");
  const uint32_t width = reader.u32(), height = reader.u32(), num = reader.u32(), den = reader.u32();
  const uint64_t frames = reader.u32(), pictures = reader.u32();
  if (width == 0 || height == 0 || width > kMaxSide || height > kMaxSide) return unreadable("bad size");
  if (num == 0 || den == 0 || num > kMaxRate || den > kMaxRate) return unreadable("bad frame rate");
  if (frames == 0 || pictures == 0) return unreadable("it has no pictures");
  // Check the counts against the file's length before allocating for them.
  const uint64_t tables = frames * 4 + pictures * kEntryBytes;
  if (tables > size_ - kHeaderBytes) return unreadable("too short");
  width_ = static_cast<int>(width);
  height_ = static_cast<int>(height);
  fpsNum_ = num;
  fpsDen_ = den;
  std::vector<uint8_t> bytes(static_cast<size_t>(tables));
  FW_RETURN_IF_ERROR(readAt(kHeaderBytes, bytes.data(), bytes.size()));
  ByteReader table(bytes, false);
  frames_.resize(static_cast<size_t>(frames));
  for (uint32_t& frame : frames_) {
    frame = table.u32();
    if (frame >= pictures) return unreadable("a frame shows a picture that is not there");
  }
  pictures_.resize(static_cast<size_t>(pictures));
  const auto u64 = [&] {
    const uint64_t low = table.u32();
    return low | uint64_t{table.u32()} << 32;
  };
  for (Entry& entry : pictures_) {
    entry.offset = u64();
    entry.length = u64();
    const bool inside = entry.offset >= kHeaderBytes + tables && entry.offset <= size_ &&
                        entry.length <= size_ - entry.offset;
    if (!inside || entry.length < sizeof(kPngMagic) || entry.length > kMaxPictureBytes) {
      return unreadable("a picture lies outside the file");
    }
  }
  return {};
}

Status SequenceFile::readAt(uint64_t offset, uint8_t* to, size_t count) const {
  size_t done = 0;
  while (done < count) {
    const ssize_t got = ::pread(descriptor_, to + done, count - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return unreadable("it changed while being read");
    done += static_cast<size_t>(got);
  }
  return {};
}

int64_t SequenceFile::endUs() const {
  return static_cast<int64_t>(static_cast<__int128>(frames_.size()) * fpsDen_ * 1000000 / fpsNum_);
}

Result<ImagePtr> SequenceFile::frameAt(int64_t timeUs) {
  // Moments are rounded to microseconds; one that is all but the next frame belongs to it.
  const __int128 ticks = static_cast<__int128>(std::max<int64_t>(0, timeUs) + kFrameTimeSlackUs) * fpsNum_;
  const auto frame = static_cast<int64_t>(ticks / (static_cast<__int128>(fpsDen_) * 1000000));
  const uint32_t picture = frames_[static_cast<size_t>(std::min<int64_t>(frame, std::ssize(frames_) - 1))];
  const auto known =
      std::find_if(cache_.begin(), cache_.end(), [&](const CachedFrame& h) { return h.picture == picture; });
  if (known != cache_.end()) {
    std::rotate(cache_.begin(), known, known + 1);
    return cache_.front().image;
  }
  FW_ASSIGN_OR_RETURN(ImagePtr image, decode(pictures_[picture]));
  const size_t each = static_cast<size_t>(width_) * static_cast<size_t>(height_) * 4;
  const size_t most = std::max<size_t>(1, kMaxSequenceBytes / each);
  while (cache_.size() >= most) cache_.pop_back();
  cache_.push_front({picture, image});
  return image;
}

Result<ImagePtr> SequenceFile::decode(const Entry& entry) const {
  std::vector<uint8_t> bytes(static_cast<size_t>(entry.length));
  FW_RETURN_IF_ERROR(readAt(entry.offset, bytes.data(), bytes.size()));
  if (std::memcmp(bytes.data(), kPngMagic, sizeof(kPngMagic)) != 0)
    return unreadable("a picture is not a PNG");
  FW_ASSIGN_OR_RETURN(ImagePtr image, decodeStillBytes(std::move(bytes), {width_, height_}));
  return image;
}

}  // namespace framewright
