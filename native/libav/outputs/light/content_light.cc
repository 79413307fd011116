#include "libav/outputs/light/content_light.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "libav/outputs/encoder_error.h"

namespace framewright {
namespace {

// No content is as bright, so that only placeholders have these bytes.
constexpr ContentLight kPlaceholder{0xF1D9, 0xE7CB};

using LightBytes = std::array<uint8_t, 4>;
LightBytes bytesOf(const ContentLight& light) {
  return {static_cast<uint8_t>(light.max >> 8), static_cast<uint8_t>(light.max),
          static_cast<uint8_t>(light.maxAverage >> 8), static_cast<uint8_t>(light.maxAverage)};
}

// What the placeholder follows in a file: the type of the box; header, type and size of the SEI message,
// which is alone in its NAL unit; and header, size and type of the OBU.
constexpr std::array<std::array<uint8_t, 4>, 3> kPrefixes = {
    {{'c', 'l', 'l', 'i'}, {0x4E, 0x01, 0x90, 0x04}, {0, 0x2A, 0x06, 0x01}}};
constexpr size_t kPrefixBytes = 4;

// HEVC would insert a byte into 00 00 0x with x up to 3.
ContentLight withoutEmulation(ContentLight light) {
  if ((light.max & 0xFF) == 0 && light.maxAverage <= 3) ++light.max;
  return light;
}

class FileDescriptor {
 public:
  explicit FileDescriptor(const std::string& path) : descriptor_(::open(path.c_str(), O_RDWR | O_CLOEXEC)) {}
  ~FileDescriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  // Bytes read, fewer than asked for only at the end of the file; negative: an error.
  ssize_t readAt(uint8_t* to, size_t size, off_t offset) const {
    size_t done = 0;
    while (done < size) {
      const ssize_t part = ::pread(descriptor_, to + done, size - done, offset + static_cast<off_t>(done));
      if (part < 0 && errno == EINTR) continue;
      if (part < 0) return part;
      if (part == 0) break;
      done += static_cast<size_t>(part);
    }
    return static_cast<ssize_t>(done);
  }
  bool writeAt(const LightBytes& bytes, off_t offset) const {
    return ::pwrite(descriptor_, bytes.data(), bytes.size(), offset) == static_cast<ssize_t>(bytes.size());
  }

 private:
  const int descriptor_;
};

bool isPrefix(const uint8_t* before) {
  return std::ranges::any_of(kPrefixes, [&](const auto& prefix) {
    const size_t skipped = prefix[0] == 0 ? 1 : 0;
    return std::equal(prefix.begin() + skipped, prefix.end(), before + skipped);
  });
}

}  // namespace

std::string contentLightPlaceholder() {
  return std::to_string(kPlaceholder.max) + "," + std::to_string(kPlaceholder.maxAverage);
}

Status addContentLightPlaceholder(AVStream& stream) {
  size_t size = 0;
  AVContentLightMetadata* const light = av_content_light_metadata_alloc(&size);
  if (light == nullptr) return outOfMemory("video stream");
  light->MaxCLL = kPlaceholder.max;
  light->MaxFALL = kPlaceholder.maxAverage;
  const int status = av_stream_add_side_data(&stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL,
                                             reinterpret_cast<uint8_t*>(light), size);
  if (status >= 0) return {};
  av_free(light);
  return outOfMemory("video stream");
}

Status writeContentLight(const std::string& path, const ContentLight& light) {
  constexpr size_t kBlockBytes = 1 << 20;
  const LightBytes wanted = bytesOf(kPlaceholder), written = bytesOf(withoutEmulation(light));
  const FileDescriptor file(path);
  const size_t overlap = kPrefixBytes + wanted.size() - 1;
  std::vector<uint8_t> block(kBlockBytes);
  for (off_t offset = 0;; offset += static_cast<off_t>(kBlockBytes - overlap)) {
    const ssize_t size = file.readAt(block.data(), block.size(), offset);
    if (size < 0) return outputUnwritable(AVERROR(errno));
    const uint8_t* const end = block.data() + size;
    for (const uint8_t* at = block.data() + kPrefixBytes; at < end; ++at) {
      const void* const found = memmem(at, static_cast<size_t>(end - at), wanted.data(), wanted.size());
      if (found == nullptr) break;
      at = static_cast<const uint8_t*>(found);
      if (!isPrefix(at - kPrefixBytes)) continue;
      if (!file.writeAt(written, offset + (at - block.data()))) return outputUnwritable(AVERROR(errno));
    }
    if (static_cast<size_t>(size) < block.size()) return {};
  }
}

}  // namespace framewright
