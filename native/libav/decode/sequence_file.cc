#include "libav/decode/sequence_file.h"

#include <algorithm>
#include <cstring>

#include "core/byte_reader.h"
#include "libav/codec_policy.h"
#include "libav/decode/still_decoder.h"
#include "libav/decode/video_decoder.h"

namespace framewright {
namespace {

constexpr size_t kHeaderBytes = 32, kEntryBytes = 16;
constexpr uint32_t kVersion = 1, kMaxSide = 16384, kMaxRate = 1000000000;
constexpr uint8_t kPngMagic[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};

Error unreadableSequence(const std::string& reason) {
  return unreadableMedia("the image sequence cannot be read (" + reason + ")");
}

}  // namespace

Result<std::unique_ptr<SequenceFile>> SequenceFile::open(const std::string& path) {
  std::unique_ptr<SequenceFile> file(new SequenceFile());
  FW_ASSIGN_OR_RETURN(file->file_, LocalFile::open(path));
  FW_RETURN_IF_ERROR(file->readTables());
  return file;
}

Status SequenceFile::readTables() {
  uint8_t header[kHeaderBytes] = {};
  const auto size = static_cast<uint64_t>(file_->size());
  if (size < kHeaderBytes) return unreadableSequence("too short");
  FW_RETURN_IF_ERROR(file_->read(0, header));
  ByteReader reader({header, kHeaderBytes}, false);
  const bool magic = reader.startsWith("FWSQ", 4);
  reader.skip(4);
  if (reader.u32() != kVersion || !magic) return unreadableSequence("not a sequence of version 1");
  const uint32_t width = reader.u32(), height = reader.u32(), num = reader.u32(), den = reader.u32();
  const uint64_t frames = reader.u32(), images = reader.u32();
  if (width == 0 || height == 0 || width > kMaxSide || height > kMaxSide)
    return unreadableSequence("bad size");
  if (num == 0 || den == 0 || num > kMaxRate || den > kMaxRate) return unreadableSequence("bad frame rate");
  if (frames == 0 || images == 0) return unreadableSequence("it has no frames");
  // Check the counts against the file's length before allocating for them.
  const uint64_t tables = frames * 4 + images * kEntryBytes;
  if (tables > size - kHeaderBytes) return unreadableSequence("too short");
  width_ = static_cast<int>(width);
  height_ = static_cast<int>(height);
  fpsNum_ = num;
  fpsDen_ = den;
  std::vector<uint8_t> bytes(static_cast<size_t>(tables));
  FW_RETURN_IF_ERROR(file_->read(kHeaderBytes, bytes));
  ByteReader table(bytes, false);
  frames_.resize(static_cast<size_t>(frames));
  for (uint32_t& frame : frames_) {
    frame = table.u32();
    if (frame >= images) return unreadableSequence("a frame refers to a missing image");
  }
  images_.resize(static_cast<size_t>(images));
  const auto u64 = [&] {
    const uint64_t low = table.u32();
    return low | uint64_t{table.u32()} << 32;
  };
  for (Entry& entry : images_) {
    entry.offset = u64();
    entry.length = u64();
    const bool inside =
        entry.offset >= kHeaderBytes + tables && entry.offset <= size && entry.length <= size - entry.offset;
    if (!inside || entry.length < sizeof(kPngMagic) || entry.length > uint64_t{kMaxImageFileBytes}) {
      return unreadableSequence("an image lies outside the file");
    }
  }
  return {};
}

int64_t SequenceFile::endUs() const {
  return static_cast<int64_t>(static_cast<__int128>(frames_.size()) * fpsDen_ * 1000000 / fpsNum_);
}

Result<ImagePtr> SequenceFile::frameAt(int64_t timeUs) {
  // Times are rounded to microseconds, so a time just before a frame means that frame.
  const __int128 ticks = static_cast<__int128>(std::max<int64_t>(0, timeUs) + kFrameTimeSlackUs) * fpsNum_;
  const auto frame = static_cast<int64_t>(ticks / (static_cast<__int128>(fpsDen_) * 1000000));
  const uint32_t index = frames_[static_cast<size_t>(std::min<int64_t>(frame, std::ssize(frames_) - 1))];
  if (ImagePtr known = cache_.find(index)) return known;
  FW_ASSIGN_OR_RETURN(ImagePtr image, decode(images_[index]));
  cache_.store(index, image);
  return image;
}

Result<ImagePtr> SequenceFile::decode(const Entry& entry) const {
  std::vector<uint8_t> bytes(static_cast<size_t>(entry.length));
  FW_RETURN_IF_ERROR(file_->read(static_cast<int64_t>(entry.offset), bytes));
  if (std::memcmp(bytes.data(), kPngMagic, sizeof(kPngMagic)) != 0)
    return unreadableSequence("an image is not a PNG");
  return decodeStillBytes(std::move(bytes), {width_, height_});
}

}  // namespace framewright
