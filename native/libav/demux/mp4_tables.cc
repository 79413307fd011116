#include "libav/demux/mp4_tables.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "libav/av_error.h"

namespace framewright {
namespace {

constexpr uint32_t name(const char (&text)[5]) {
  uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 8 | static_cast<uint8_t>(text[i]);
  return value;
}

// Container boxes that libav descends into, at any level.
constexpr uint32_t kParents[] = {name("moov"), name("trak"), name("edts"), name("mdia"), name("minf"),
                                 name("dinf"), name("stbl"), name("mvex"), name("moof"), name("traf"),
                                 name("udta"), name("tref"), name("ilst"), name("wave")};
constexpr int kMaxDepth = 10;
// Index entries moved by insertions: about 10 GB of copying.
constexpr int64_t kMaxMovedEntries = 500'000'000;
// libav splits the chunks of raw audio into packets of at least this many samples.
constexpr int64_t kMinRawPacketSamples = 160;
constexpr int64_t kEditBytes = 12, kChunkRunBytes = 12;

// What the tables of one track declare.
struct Track {
  bool isAudio = false;
  int64_t samples = 0;
  int64_t timeRuns = 0;
  uint32_t timeStep = 0;
  // Packets of raw audio in all chunks before the last run of stsc, which lasts up to the last chunk.
  int64_t rawPackets = 0;
  int64_t lastFirstChunk = 0, lastPacketsPerChunk = 0;
  int64_t chunks = 0;
  int64_t edits = 0;

  int64_t entries() const {
    const bool isRaw = isAudio && timeRuns == 1 && timeStep == 1;
    const int64_t once =
        isRaw ? rawPackets + std::max<int64_t>(0, chunks - lastFirstChunk + 1) * lastPacketsPerChunk
              : samples;
    return std::min(once, kMaxMp4Samples + 1) * std::max<int64_t>(1, edits);
  }
};

class Mp4Tables {
 public:
  explicit Mp4Tables(AVIOContext* io) : io_(io) {}

  Status check() {
    FW_RETURN_IF_ERROR(walk(INT64_MAX, 0));
    return endTrack();
  }

 private:
  Status walk(int64_t end, int depth) {
    while (avio_tell(io_) + 8 <= end) {
      const int64_t start = avio_tell(io_);
      int64_t size = avio_rb32(io_);
      const uint32_t type = avio_rb32(io_);
      const int64_t header = size == 1 ? 16 : 8;
      if (size == 1) size = static_cast<int64_t>(avio_rb64(io_));
      if (avio_feof(io_)) return {};
      if (size == 0) size = end - start;
      if (size < header) return {};
      const int64_t boxEnd = size > end - start ? end : start + size;
      FW_RETURN_IF_ERROR(read(type, boxEnd, depth));
      if (boxEnd == INT64_MAX || avio_seek(io_, boxEnd, SEEK_SET) < 0) return {};
    }
    return {};
  }

  Status read(uint32_t type, int64_t end, int depth) {
    if (type == name("cmov"))
      return unsupportedMedia("QuickTime files with a compressed header are not supported");
    if (type == name("trak")) FW_RETURN_IF_ERROR(endTrack());
    if (type == name("moof") && ++fragments_ > kMaxMp4Fragments) {
      return unsupportedMedia("the file has more than " + std::to_string(kMaxMp4Fragments) + " fragments");
    }
    if (std::find(std::begin(kParents), std::end(kParents), type) != std::end(kParents)) {
      return depth < kMaxDepth ? walk(end, depth + 1) : Status();
    }
    if (type == name("meta")) return depth < kMaxDepth ? walkMeta(end, depth + 1) : Status();
    readTable(type, end);
    if (type == name("trun")) FW_RETURN_IF_ERROR(count(avio_rb32(skip(4))));
    if (type == name("tfhd")) fragmentTrack_ = avio_rb32(skip(4));
    if (type == name("tfdt")) return addTime({type, fragmentTrack_}, time(avio_r8(io_), 3));
    if (type == name("sidx")) {
      const int version = avio_r8(io_);
      const uint32_t track = avio_rb32(skip(3));
      return addTime({type, track}, time(version, 4));
    }
    return {};
  }

  // QuickTime's meta box has no version field, so search for its first child, hdlr.
  Status walkMeta(int64_t end, int depth) {
    while (avio_tell(io_) + 8 <= end && !avio_feof(io_)) {
      if (avio_rb32(io_) != name("hdlr")) continue;
      avio_skip(io_, -8);
      return walk(end, depth);
    }
    return {};
  }

  void readTable(uint32_t type, int64_t end) {
    if (type == name("hdlr")) track_.isAudio |= avio_rb32(skip(8)) == name("soun");
    if (type == name("elst")) {
      const int64_t edits = avio_rb32(skip(4));
      track_.edits = std::max(track_.edits, std::min(edits, (end - avio_tell(io_)) / kEditBytes));
    }
    if (type == name("stco") || type == name("co64")) {
      track_.chunks = std::max<int64_t>(track_.chunks, avio_rb32(skip(4)));
    }
    if (type == name("stsz") || type == name("stz2")) {
      track_.samples = std::max<int64_t>(track_.samples, avio_rb32(skip(8)));
    }
    if (type == name("stts")) {
      track_.timeRuns = avio_rb32(skip(4));
      track_.timeStep = avio_rb32(skip(4));
    }
    if (type == name("stsc")) readChunkRuns(end);
  }

  void readChunkRuns(int64_t end) {
    const int64_t runs = std::min<int64_t>(avio_rb32(skip(4)), (end - avio_tell(io_)) / kChunkRunBytes);
    for (int64_t i = 0; i < runs && !avio_feof(io_); ++i) {
      const int64_t first = avio_rb32(io_);
      track_.rawPackets += std::max<int64_t>(0, first - track_.lastFirstChunk) * track_.lastPacketsPerChunk;
      track_.lastFirstChunk = first;
      track_.lastPacketsPerChunk = avio_rb32(io_) / kMinRawPacketSamples + 1;
      avio_rb32(io_);
      if (track_.rawPackets > kMaxMp4Samples) return;
    }
  }

  Status endTrack() {
    const int64_t entries = track_.entries();
    track_ = {};
    return count(entries);
  }

  Status count(int64_t entries) {
    entries_ += entries;
    if (entries_ <= kMaxMp4Samples) return {};
    return unsupportedMedia("the file's tables declare more than " + std::to_string(kMaxMp4Samples) +
                            " samples");
  }

  // An entry earlier than its predecessors makes libav move all later entries.
  Status addTime(std::pair<uint32_t, uint32_t> key, int64_t time) {
    int64_t& latest = latest_[key];
    if (time < latest) movedEntries_ += entries_;
    latest = std::max(latest, time);
    if (movedEntries_ <= kMaxMovedEntries && latest_.size() <= 1000) return {};
    return unsupportedMedia("the file's fragments are out of order");
  }

  int64_t time(int version, int before) {
    skip(before);
    return version == 0 ? int64_t{avio_rb32(io_)} : static_cast<int64_t>(avio_rb64(io_));
  }

  AVIOContext* skip(int bytes) {
    avio_skip(io_, bytes);
    return io_;
  }

  AVIOContext* io_;
  Track track_;
  int64_t entries_ = 0, fragments_ = 0, movedEntries_ = 0;
  uint32_t fragmentTrack_ = 0;
  std::map<std::pair<uint32_t, uint32_t>, int64_t> latest_;
};

}  // namespace

Status checkMp4Tables(AVIOContext* io) {
  const int64_t rewound = avio_seek(io, 0, SEEK_SET);
  const Status checked = rewound < 0 ? Status() : Mp4Tables(io).check();
  const int64_t status = avio_seek(io, 0, SEEK_SET);
  if (status < 0)
    return avError(ErrorCode::MEDIA_UNREADABLE, "the file cannot be read", static_cast<int>(status));
  return checked;
}

}  // namespace framewright
