#include "formats/matroska_structure.h"

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <initializer_list>
#include <optional>

namespace framewright {
namespace {

constexpr uint32_t kEbmlHeader = 0x1A45DFA3, kSegment = 0x18538067, kCluster = 0x1F43B675;
constexpr uint32_t kTracks = 0x1654AE6B, kTrackEntry = 0xAE, kTrackNumber = 0xD7;
constexpr uint32_t kVoid = 0xEC, kSimpleBlock = 0xA3, kBlockGroup = 0xA0;
constexpr int64_t kUnknownSize = -1;
constexpr size_t kMaxHeaderBytes = 12;  // an id of 4 bytes and a size of 8
constexpr int64_t kSearchBytes = 64 * 1024;
constexpr size_t kMaxDamagedRanges = 10'000;
// A day of video has fewer; a file that is made of tiny elements is given up.
constexpr int kMaxHeaders = 8'000'000;
// Intact elements that must follow each other where reading continues behind damage.
constexpr int kElementsInRow = 3;

// Children of the segment: seek head, info, tracks, cues, attachments, chapters, tags, clusters, Void,
// CRC-32.
bool isInSegment(uint32_t id) {
  constexpr std::array<uint32_t, 10> kIds{0x114D9B74, 0x1549A966, kTracks,  0x1C53BB6B, 0x1941A469,
                                          0x1043A770, 0x1254C367, kCluster, kVoid,      0xBF};
  return std::find(kIds.begin(), kIds.end(), id) != kIds.end();
}

// Children of a cluster: timestamp, silent tracks, position, size of the previous one, blocks, Void, CRC-32.
bool isInCluster(uint32_t id) {
  constexpr std::array<uint32_t, 9> kIds{0xE7,         0x5854, 0xA7,  0xAB, kBlockGroup,
                                         kSimpleBlock, 0xAF,   kVoid, 0xBF};
  return std::find(kIds.begin(), kIds.end(), id) != kIds.end();
}

struct Element {
  uint32_t id = 0;
  int64_t start = 0, content = 0;
  int64_t size = kUnknownSize;  // of the content

  int64_t end() const { return content + size; }
};

class StructureReader {
 public:
  StructureReader(int64_t fileBytes, const ReadAt& read) : fileBytes_(fileBytes), read_(read) {}

  MatroskaStructure run() {
    int64_t at = 0;
    while (const auto element = elementAt(at)) {
      if (element->id == kSegment) {
        const bool isBounded = element->size != kUnknownSize;
        if (isBounded && element->end() > fileBytes_) structure_.isIncomplete = true;
        readSegment(element->content, isBounded ? std::min(element->end(), fileBytes_) : fileBytes_);
        break;
      }
      if (element->id != kEbmlHeader && element->id != kVoid) break;
      if (element->size == kUnknownSize) break;
      at = element->end();
    }
    return headers_ > kMaxHeaders ? MatroskaStructure() : std::move(structure_);
  }

 private:
  // The header at an offset; nothing where there is none.
  std::optional<Element> elementAt(int64_t at) const {
    std::array<uint8_t, kMaxHeaderBytes> bytes{};
    if (++headers_ > kMaxHeaders) return std::nullopt;
    const size_t count = read_(at, bytes);
    if (count < 2 || bytes[0] < 0x10) return std::nullopt;
    const auto idBytes = static_cast<size_t>(std::countl_zero(bytes[0])) + 1;
    if (idBytes >= count || bytes[idBytes] == 0) return std::nullopt;
    const auto sizeBytes = static_cast<size_t>(std::countl_zero(bytes[idBytes])) + 1;
    if (idBytes + sizeBytes > count) return std::nullopt;
    Element element;
    element.start = at;
    element.content = at + static_cast<int64_t>(idBytes + sizeBytes);
    for (size_t i = 0; i < idBytes; ++i) element.id = element.id << 8 | bytes[i];
    uint64_t size = bytes[idBytes] & (0xFFu >> sizeBytes);
    bool isUnknown = size == 0xFFu >> sizeBytes;
    for (size_t i = 1; i < sizeBytes; ++i) {
      const uint8_t byte = bytes[idBytes + i];
      size = size << 8 | byte;
      isUnknown = isUnknown && byte == 0xFF;
    }
    if (!isUnknown) element.size = static_cast<int64_t>(size);
    return element;
  }

  // The number of the track of a block; 0: none, or one that needs more than a byte.
  int trackOf(const Element& block) const {
    std::array<uint8_t, 1> first{};
    if (block.id == kBlockGroup) {
      // Muxers write the block first.
      const auto inner = elementAt(block.content);
      if (!inner || inner->id != 0xA1 || read_(inner->content, first) == 0) return 0;
    } else if (read_(block.content, first) == 0) {
      return 0;
    }
    return first[0] >= 0x81 ? first[0] & 0x7F : 0;
  }

  static bool isBlock(const Element& element) {
    return element.id == kSimpleBlock || element.id == kBlockGroup;
  }

  void readSegment(int64_t at, int64_t end) {
    while (at < end) {
      const auto element = elementAt(at);
      const bool isKnown = element && isInSegment(element->id);
      const bool isCluster = isKnown && element->id == kCluster;
      if (isCluster) {
        const bool isBounded = element->size != kUnknownSize && element->end() <= end;
        if (element->size != kUnknownSize && !isBounded) structure_.isIncomplete = true;
        at = readCluster(element->content, isBounded ? element->end() : end, !isBounded);
      } else if (isKnown && element->size != kUnknownSize && element->end() <= end) {
        if (element->id == kTracks) readTracks(*element);
        at = element->end();
      } else {
        const int64_t next = findNext(at + 1, end, false);
        leaveOut(at, next, end, isKnown);
        at = next;
      }
    }
  }

  void readTracks(const Element& parent) {
    for (int64_t at = parent.content; at < parent.end();) {
      const auto element = elementAt(at);
      if (!element || element->size == kUnknownSize || element->end() > parent.end()) return;
      if (element->id == kTrackEntry) readTracks(*element);
      std::array<uint8_t, 1> number{};
      const bool isNumber = element->id == kTrackNumber && element->size == 1;
      if (isNumber && read_(element->content, number) == 1 && number[0] < tracks_.size())
        tracks_.set(number[0]);
      at = element->end();
    }
  }

  // Returns the end of the cluster. `isOpen`: it ends with an element of the segment or with the file.
  int64_t readCluster(int64_t at, int64_t end, bool isOpen) {
    while (at < end) {
      const auto element = elementAt(at);
      if (isOpen && element && !isInCluster(element->id) && isInSegment(element->id)) return at;
      const bool isKnown = element && isInCluster(element->id) && element->size != kUnknownSize;
      if (isKnown && element->end() <= end && (!isBlock(*element) || isOfKnownTrack(*element))) {
        at = element->end();
        continue;
      }
      const int64_t next = findNext(at + 1, end, true);
      leaveOut(at, next, isOpen ? end : fileBytes_ + 1, isKnown);
      at = next;
    }
    return at;
  }

  // Notes damage from `at` to `next`. What reaches up to `fileEnd` is cut off if a header is intact or too
  // short to be one.
  void leaveOut(int64_t at, int64_t next, int64_t fileEnd, bool hasHeader) {
    const bool isCutOff = next >= fileEnd && (hasHeader || next - at < static_cast<int64_t>(kMaxHeaderBytes));
    if (isCutOff) structure_.isIncomplete = true;
    const bool isHidable = next - at >= 2 && structure_.damaged.size() < kMaxDamagedRanges;
    if (!isCutOff && isHidable) structure_.damaged.push_back({at, next});
  }

  // The first offset from `at` on where elements follow each other without a gap; `end` if there is none.
  int64_t findNext(int64_t at, int64_t end, bool isCluster) const {
    std::vector<uint8_t> window(kSearchBytes);
    while (at < end) {
      const auto wanted = static_cast<size_t>(std::min(kSearchBytes, end - at));
      const size_t count = read_(at, std::span(window).first(wanted));
      if (count == 0) return end;
      for (size_t i = 0; i < count; ++i) {
        const bool isCandidate = window[i] == kCluster >> 24 ||
                                 (isCluster && (window[i] == kSimpleBlock || window[i] == kBlockGroup));
        const int64_t found = at + static_cast<int64_t>(i);
        if (isCandidate && continuesAt(found, end, isCluster)) return found;
      }
      at += static_cast<int64_t>(count);
    }
    return end;
  }

  bool continuesAt(int64_t at, int64_t end, bool isCluster) const {
    for (int i = 0; i < kElementsInRow && at < end; ++i) {
      const auto element = elementAt(at);
      if (!element) return false;
      if (element->id == kCluster) return true;
      const bool fits = element->size != kUnknownSize && element->end() <= end;
      if (!fits || !isCluster) return false;
      const bool isIntact = isBlock(*element) ? isOfKnownTrack(*element) : i > 0 && isInCluster(element->id);
      // A cluster without a size ends with elements of the segment.
      if (!isIntact) return i > 0 && isInSegment(element->id);
      at = element->end();
    }
    return true;
  }

  bool isOfKnownTrack(const Element& block) const {
    const int track = trackOf(block);
    return track > 0 && (tracks_.none() || tracks_.test(static_cast<size_t>(track)));
  }

  const int64_t fileBytes_;
  const ReadAt& read_;
  mutable int headers_ = 0;  // read so far
  std::bitset<128> tracks_;  // the file's numbers; none: its tracks cannot be read
  MatroskaStructure structure_;
};

}  // namespace

MatroskaStructure readMatroskaStructure(int64_t fileBytes, const ReadAt& read) {
  return StructureReader(fileBytes, read).run();
}

void hideElements(const std::vector<ByteRange>& ranges, int64_t offset, std::span<uint8_t> to) {
  for (const ByteRange& range : ranges) {
    // A short range has a size of one byte, others have one of 8.
    std::array<uint8_t, 9> header{kVoid};
    const bool isShort = range.size() < static_cast<int64_t>(header.size());
    const size_t headerBytes = isShort ? 2 : header.size();
    const auto size = static_cast<uint64_t>(range.size()) - headerBytes;
    if (isShort) {
      header[1] = static_cast<uint8_t>(0x80 | size);
    } else {
      header[1] = 0x01;
      for (int i = 0; i < 7; ++i) header[static_cast<size_t>(8 - i)] = static_cast<uint8_t>(size >> (8 * i));
    }
    for (size_t i = 0; i < headerBytes; ++i) {
      const int64_t at = range.first + static_cast<int64_t>(i) - offset;
      if (at >= 0 && at < static_cast<int64_t>(to.size())) to[static_cast<size_t>(at)] = header[i];
    }
  }
}

}  // namespace framewright
