#include "formats/incomplete_file.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <vector>

#include "core/byte_reader.h"

namespace framewright {
namespace {

constexpr uint32_t kFragmentBox = 0x6D6F6F66;  // moof
constexpr int kMaxBoxes = 1'000'000;
constexpr int64_t kMaxOggPageBytes = 27 + 255 + 255 * 255;

// Calls `visit` with the type and the end of each box that is not inside of others, until it returns false.
void forEachBox(int64_t fileBytes, const ReadAt& read, const std::function<bool(uint32_t, int64_t)>& visit) {
  int64_t at = 0;
  for (int i = 0; i < kMaxBoxes && at < fileBytes; ++i) {
    std::array<uint8_t, 16> bytes{};
    ByteReader header(std::span<const uint8_t>(bytes.data(), read(at, bytes)));
    int64_t size = header.u32();
    const uint32_t type = header.u32();
    if (size == 1) size = static_cast<int64_t>(uint64_t{header.u32()} << 32 | header.u32());
    if (size == 0) size = fileBytes - at;  // the last box
    if (!header.ok()) size = fileBytes - at + 1;
    if (size < 8 || size > INT64_MAX - at || !visit(type, at + size)) return;
    at += size;
  }
}

bool stopsWithinBox(int64_t fileBytes, const ReadAt& read) {
  int64_t lastEnd = 0;
  forEachBox(fileBytes, read, [&](uint32_t, int64_t end) {
    lastEnd = end;
    return true;
  });
  return lastEnd > fileBytes;
}

// MPEG-TS consists of packets of 188 bytes, on Blu-ray with 4 bytes before and on DVB with 16 after each.
bool stopsWithinPacket(int64_t fileBytes, const ReadAt& read) {
  constexpr uint8_t kSync = 0x47;
  const auto isSync = [&](int64_t at) {
    std::array<uint8_t, 1> byte{};
    return read(at, byte) == 1 && byte[0] == kSync;
  };
  struct Layout {
    int64_t packetBytes, syncOffset;
  };
  for (const Layout& layout : {Layout{188, 0}, Layout{192, 4}, Layout{204, 0}}) {
    const int64_t packets = fileBytes / layout.packetBytes;
    bool fits = packets > 2;
    for (const int64_t packet : {int64_t{0}, int64_t{1}, int64_t{2}, packets - 1})
      fits = fits && isSync(packet * layout.packetBytes + layout.syncOffset);
    if (fits) return fileBytes % layout.packetBytes != 0;
  }
  return false;
}

bool stopsWithinTag(int64_t fileBytes, const ReadAt& read) {
  int64_t at = 9;  // after the header; each tag has the size of the one before it, and a header of 11 bytes
  while (at + 4 < fileBytes) {
    std::array<uint8_t, 15> bytes{};
    ByteReader tag(std::span<const uint8_t>(bytes.data(), read(at, bytes)));
    tag.skip(5);
    at += 15 + tag.read(3);
    if (!tag.ok() || at > fileBytes) return true;
  }
  return false;
}

bool stopsWithinAdtsFrame(int64_t fileBytes, const ReadAt& read) {
  int64_t at = 0;
  while (at < fileBytes) {
    std::array<uint8_t, 10> bytes{};
    const size_t count = read(at, bytes);
    if (count < 7) return count > 1 && bytes[0] == 0xFF && bytes[1] >= 0xF0;
    const bool isId3 = at == 0 && count == 10 && std::equal(bytes.begin(), bytes.begin() + 3, "ID3");
    const bool isFrame = bytes[0] == 0xFF && bytes[1] >= 0xF0;
    // Seven bits of each byte of an ID3v2 size.
    const int64_t tag = 10 + (bytes[6] << 21 | bytes[7] << 14 | bytes[8] << 7 | bytes[9]);
    const int64_t frame = (bytes[3] & 3) << 11 | bytes[4] << 3 | bytes[5] >> 5;
    if (!isId3 && (!isFrame || frame < 7)) return false;
    at += isId3 ? tag : frame;
  }
  return at > fileBytes;
}

// Whether the last page of an Ogg file ends after the file.
bool stopsWithinPage(int64_t fileBytes, const ReadAt& read) {
  constexpr std::array<uint8_t, 4> kPage{'O', 'g', 'g', 'S'};
  constexpr size_t kSegmentCount = 26, kHeaderBytes = 27;
  const int64_t from = std::max<int64_t>(0, fileBytes - kMaxOggPageBytes);
  std::vector<uint8_t> tail(static_cast<size_t>(fileBytes - from));
  tail.resize(read(from, tail));
  const auto found = std::find_end(tail.begin(), tail.end(), kPage.begin(), kPage.end());
  if (found == tail.end()) return false;
  const std::span<const uint8_t> page(found, tail.end());
  if (page.size() < kHeaderBytes + page[std::min(kSegmentCount, page.size() - 1)]) return true;
  const auto segments = page.subspan(kHeaderBytes, page[kSegmentCount]);
  const size_t content = std::accumulate(segments.begin(), segments.end(), size_t{0});
  return kHeaderBytes + segments.size() + content > page.size();
}

// The tail of an MPEG-PS file: packs and packets, each with its length.
bool stopsWithinPack(int64_t fileBytes, const ReadAt& read) {
  constexpr int64_t kTailBytes = 256 * 1024;
  constexpr std::array<uint8_t, 4> kPack{0, 0, 1, 0xBA};
  constexpr uint32_t kPackCode = 0x1BA, kFirstPacketCode = 0x1BB, kLastPacketCode = 0x1FF;
  const int64_t from = std::max<int64_t>(0, fileBytes - kTailBytes);
  std::vector<uint8_t> tail(static_cast<size_t>(fileBytes - from));
  tail.resize(read(from, tail));
  const auto first = std::search(tail.begin(), tail.end(), kPack.begin(), kPack.end());
  auto at = static_cast<size_t>(first - tail.begin());
  while (at + 4 < tail.size()) {
    ByteReader element(std::span<const uint8_t>(tail).subspan(at));
    const uint32_t code = element.u32();
    if (code == kPackCode) {
      constexpr size_t kMpeg1Bytes = 12, kMpeg2Bytes = 14;
      const bool isMpeg2 = (tail[at + 4] & 0xC0) == 0x40;
      at += isMpeg2 ? kMpeg2Bytes : kMpeg1Bytes;
      if (isMpeg2 && at <= tail.size()) at += tail[at - 1] & 7;  // stuffing
    } else if (code >= kFirstPacketCode && code <= kLastPacketCode) {
      at += 6 + element.u16();
      if (!element.ok()) return true;
    } else {
      return false;
    }
  }
  return at != tail.size();
}

// WAV, W64, AIFF and AU files begin with their size; programs that write to a pipe leave it open.
bool stopsBeforeDeclaredSize(std::string_view container, int64_t fileBytes, const ReadAt& read) {
  std::array<uint8_t, 28> bytes{};
  const size_t count = read(0, bytes);
  const bool isBig = container == "aiff" || container == "au";
  ByteReader header(std::span<const uint8_t>(bytes.data(), count), isBig);
  const auto number64 = [&] {
    const uint64_t low = header.u32();
    return static_cast<int64_t>(std::min<uint64_t>(uint64_t{header.u32()} << 32 | low, INT64_MAX / 2));
  };
  constexpr int64_t kOpen = 0xFFFFFFFF;
  const char* const names[] = {container == "aiff" ? "FORM"
                               : container == "au" ? ".snd"
                                                   : "riff",
                               "RIFF", "RF64"};
  const bool isNamed = std::any_of(std::begin(names), std::end(names),
                                   [&](const char* name) { return header.startsWith(name, 4); });
  if (!isNamed) return false;
  if (container == "w64") {
    header.skip(16);
    return number64() > fileBytes && header.ok();
  }
  if (container == "wav" && header.startsWith("RF64", 4)) {
    header.skip(20);  // to the size in the chunk ds64
    return number64() + 8 > fileBytes && header.ok();
  }
  header.skip(4);
  if (container == "au") {
    const int64_t offset = header.u32(), size = header.u32();
    return header.ok() && size != kOpen && offset + size > fileBytes;
  }
  const int64_t size = header.u32();
  // Some writers count the padding of the last chunk without writing it.
  return header.ok() && size < kOpen - 1 && size + 8 > fileBytes + 1;
}

}  // namespace

bool stopsWithinElement(std::string_view container, int64_t fileBytes, const ReadAt& read) {
  if (container == "mp4") return stopsWithinBox(fileBytes, read);
  if (container == "matroska") return readMatroskaStructure(fileBytes, read).isIncomplete;
  if (container == "mpegts") return stopsWithinPacket(fileBytes, read);
  if (container == "flv") return stopsWithinTag(fileBytes, read);
  if (container == "mpeg") return stopsWithinPack(fileBytes, read);
  if (container == "wav" || container == "w64" || container == "aiff" || container == "au")
    return stopsBeforeDeclaredSize(container, fileBytes, read);
  if (container == "aac") return stopsWithinAdtsFrame(fileBytes, read);
  return container == "ogg" && stopsWithinPage(fileBytes, read);
}

bool isFragmentedMp4(int64_t fileBytes, const ReadAt& read) {
  bool isFragmented = false;
  forEachBox(fileBytes, read, [&](uint32_t type, int64_t) {
    isFragmented = type == kFragmentBox;
    return !isFragmented;
  });
  return isFragmented;
}

}  // namespace framewright
