#include "libav/light/content_light.h"

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

// No content is as bright, so that only placeholders have these bytes. The second one is that of hidden
// headers.
constexpr ContentLight kPlaceholder{0xF1D9, 0xE7CB}, kHidden{0xF1DA, 0xE7CC};

using LightBytes = std::array<uint8_t, 4>;
LightBytes bytesOf(const ContentLight& light) {
  return {static_cast<uint8_t>(light.max >> 8), static_cast<uint8_t>(light.max),
          static_cast<uint8_t>(light.maxAverage >> 8), static_cast<uint8_t>(light.maxAverage)};
}

ContentLight lightOf(const uint8_t* bytes) {
  return {static_cast<uint16_t>(bytes[0] << 8 | bytes[1]), static_cast<uint16_t>(bytes[2] << 8 | bytes[3])};
}

// What the placeholder follows in a file: the type of the box; header, type and size of the SEI message,
// which is alone in its NAL unit; and header, size and type of the OBU. The type also marks light that was
// appended to a packet.
constexpr size_t kPrefixBytes = 4;
using Prefix = std::array<uint8_t, kPrefixBytes>;
constexpr Prefix kBox{'c', 'l', 'l', 'i'}, kSei{0x4E, 0x01, 0x90, 0x04}, kObu{0, 0x2A, 0x06, 0x01};

// The elements MaxCLL and MaxFALL of Matroska, which follow each other: 16 bits after ID and size.
using LightElements = std::array<uint8_t, 10>;
LightElements elementsOf(const ContentLight& light) {
  const LightBytes bytes = bytesOf(light);
  return {0x55, 0xBC, 0x82, bytes[0], bytes[1], 0x55, 0xBD, 0x82, bytes[2], bytes[3]};
}

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
  bool writeAt(std::span<const uint8_t> bytes, off_t offset) const {
    return ::pwrite(descriptor_, bytes.data(), bytes.size(), offset) == static_cast<ssize_t>(bytes.size());
  }

 private:
  const int descriptor_;
};

bool isPrefix(const uint8_t* before) {
  return std::equal(kBox.begin(), kBox.end(), before) || std::equal(kSei.begin(), kSei.end(), before) ||
         std::equal(kObu.begin() + 1, kObu.end(), before + 1);
}

// Bytes of the same size; `needsPrefix`: only where they follow a prefix.
struct Replacement {
  std::vector<uint8_t> wanted, written;
  bool needsPrefix = true;
};

template <size_t Size>
Replacement replacement(const std::array<uint8_t, Size>& wanted, const std::array<uint8_t, Size>& written,
                        bool needsPrefix) {
  return {{wanted.begin(), wanted.end()}, {written.begin(), written.end()}, needsPrefix};
}

// Replaces the bytes in the block, which begins at `offset` of the file.
bool replaceInBlock(std::span<const uint8_t> block, off_t offset, const FileDescriptor& file,
                    const Replacement& change) {
  const auto& [wanted, written, needsPrefix] = change;
  size_t at = needsPrefix ? kPrefixBytes : 0;
  while (at < block.size()) {
    const void* const found = memmem(block.data() + at, block.size() - at, wanted.data(), wanted.size());
    if (found == nullptr) break;
    at = static_cast<size_t>(static_cast<const uint8_t*>(found) - block.data());
    const bool isMeant = !needsPrefix || isPrefix(&block[at - kPrefixBytes]);
    if (isMeant && !file.writeAt(written, offset + static_cast<off_t>(at))) return false;
    ++at;
  }
  return true;
}

Status replaceInFile(const std::string& path, std::span<const Replacement> changes) {
  constexpr size_t kBlockBytes = 1 << 20;
  constexpr size_t kOverlap = std::max(kPrefixBytes + sizeof(LightBytes), sizeof(LightElements)) - 1;
  const FileDescriptor file(path);
  std::vector<uint8_t> bytes(kBlockBytes);
  for (off_t offset = 0;; offset += static_cast<off_t>(kBlockBytes - kOverlap)) {
    const ssize_t size = file.readAt(bytes.data(), bytes.size(), offset);
    if (size < 0) return outputUnwritable(AVERROR(errno));
    const std::span<const uint8_t> block(bytes.data(), static_cast<size_t>(size));
    const bool isWritten = std::ranges::all_of(
        changes, [&](const Replacement& change) { return replaceInBlock(block, offset, file, change); });
    if (!isWritten) return outputUnwritable(AVERROR(errno));
    if (block.size() < bytes.size()) return {};
  }
}

// The bytes of light in a packet; empty: none.
std::span<uint8_t> lightInHevc(std::span<uint8_t> packet) {
  constexpr std::array<uint8_t, 7> kUnit{0, 0, 1, kSei[0], kSei[1], kSei[2], kSei[3]};
  const auto found = std::ranges::search(packet, kUnit);
  const auto at = static_cast<size_t>(found.end() - packet.begin());
  if (found.empty() || packet.size() - at < sizeof(LightBytes)) return {};
  return packet.subspan(at, sizeof(LightBytes));
}

// OBUs with sizes; those of metadata are before the frame.
std::span<uint8_t> lightInAv1(std::span<uint8_t> packet) {
  constexpr uint8_t kTypeMask = 0x78, kSizeFlag = 0x02, kExtensionFlag = 0x04;
  while (packet.size() > kPrefixBytes + sizeof(LightBytes)) {
    if (std::equal(kObu.begin() + 1, kObu.end(), packet.begin()))
      return packet.subspan(kObu.size() - 1, sizeof(LightBytes));
    const uint8_t header = packet[0];
    if ((header & kSizeFlag) == 0 || (header & kTypeMask) == 0) return {};
    size_t at = (header & kExtensionFlag) != 0 ? 2 : 1, size = 0;
    for (int shift = 0; shift < 35 && at < packet.size(); shift += 7) {
      const uint8_t byte = packet[at++];
      size |= static_cast<size_t>(byte & 0x7F) << shift;
      if ((byte & 0x80) == 0) break;
    }
    if (size >= packet.size() - at) return {};
    packet = packet.subspan(at + size);
  }
  return {};
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

void hideInHeaders(std::span<uint8_t> headers) {
  const LightBytes wanted = bytesOf(kPlaceholder), hidden = bytesOf(kHidden);
  const auto found = std::ranges::search(headers, wanted);
  if (!found.empty()) std::ranges::copy(hidden, found.begin());
}

Status writeSegmentLight(const std::string& path, const ContentLight& light) {
  const Replacement changes[] = {replacement(bytesOf(kPlaceholder), bytesOf(withoutEmulation(light)), true)};
  return replaceInFile(path, changes);
}

std::optional<ContentLight> takeContentLight(std::span<uint8_t> packet, AVCodecID codec) {
  const std::span<uint8_t> bytes = codec == AV_CODEC_ID_HEVC ? lightInHevc(packet) : lightInAv1(packet);
  if (bytes.empty()) return std::nullopt;
  const ContentLight light = lightOf(bytes.data());
  std::ranges::copy(bytesOf(kPlaceholder), bytes.begin());
  return light;
}

Status appendContentLight(AVPacket& packet) {
  const LightBytes placeholder = bytesOf(kPlaceholder);
  const int size = packet.size;
  if (av_grow_packet(&packet, static_cast<int>(kBox.size() + placeholder.size())) < 0)
    return outOfMemory("packet");
  std::ranges::copy(placeholder, std::ranges::copy(kBox, packet.data + size).out);
  return {};
}

std::optional<ContentLight> removeContentLight(AVPacket& packet) {
  constexpr int kAppended = kPrefixBytes + sizeof(LightBytes);
  if (packet.size <= kAppended) return std::nullopt;
  const uint8_t* const appended = packet.data + packet.size - kAppended;
  if (!std::equal(kBox.begin(), kBox.end(), appended)) return std::nullopt;
  const ContentLight light = lightOf(appended + kBox.size());
  av_shrink_packet(&packet, packet.size - kAppended);
  return light;
}

Status writeContentLight(const std::string& path, const ContentLight& light) {
  const ContentLight written = withoutEmulation(light);
  const Replacement changes[] = {replacement(bytesOf(kPlaceholder), bytesOf(written), true),
                                 replacement(bytesOf(kHidden), bytesOf(written), true),
                                 replacement(elementsOf(kPlaceholder), elementsOf(written), false)};
  return replaceInFile(path, changes);
}

}  // namespace framewright
