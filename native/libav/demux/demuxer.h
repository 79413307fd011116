#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"
#include "formats/matroska_structure.h"
#include "libav/av_handle.h"
#include "libav/demux/byte_source.h"

namespace framewright {

// Time base of media times.
inline constexpr AVRational kMicroseconds{1, 1'000'000};

// An open media file of an allowed container, which outputs the packets of one stream. Used by one thread.
class Demuxer {
 public:
  // `damage`: what another demuxer of the file has hidden. Fails with MEDIA_UNREADABLE (missing, empty,
  // damaged) or MEDIA_UNSUPPORTED (naming what was found).
  static Result<std::unique_ptr<Demuxer>> open(const std::string& path, std::vector<ByteRange> damage = {});

  AVFormatContext& context() { return *context_; }
  const char* container() const { return container_; }
  // The main video (not cover art) and audio streams; null: none.
  AVStream* videoStream() const { return video_; }
  AVStream* audioStream() const { return audio_; }
  int audioStreamCount() const;

  // Makes read() return packets of this stream only.
  void select(const AVStream& stream);
  // False at the end of the file. Skips damaged data.
  Result<bool> read(AVPacket& packet);
  // Whether read() has skipped damaged data since the last call.
  bool takeDamage() { return std::exchange(isDamaged_, false); }
  // Searches a Matroska file in which packets are missing for damaged elements, because of which libav skips
  // the rest of their cluster, and hides them from it. True at the first call if there are any: seek, and
  // packets behind them are read.
  bool hideDamage();
  const std::vector<ByteRange>& hiddenDamage() const { return damaged_; }
  // Seeks to the stream's last random access point at or before media time `timeUs`.
  Status seek(const AVStream& stream, int64_t timeUs);

  // Converts a timestamp of the stream to media time in microseconds. Media time 0, the same for all streams,
  // is the container's start time, or timestamp 0 if that is negative and the container's times start at 0
  // (codec priming, which players skip). If the video starts up to one and a half frames later, it is the
  // first frame: muxers delay video by the audio's priming, which would make every frame one frame late at an
  // equal rate.
  int64_t toMediaUs(const AVStream& stream, int64_t timestamp) const;

  // End of the stream in microseconds of media time: as declared by the container or, where that is
  // imprecise, by reading packets. Call it before the first read().
  Result<int64_t> findEndUs(AVStream& stream);
  // After findEndUs(): whether the file stops within its data, although none of its headers says how long it
  // is.
  bool stopsEarly() const { return stopsEarly_; }

 private:
  Demuxer() = default;
  static constexpr int kAllStreams = -2;

  Result<int64_t> scanEndUs(AVStream& stream);
  Result<int64_t> scanDeclaredEndUs(AVStream& stream);
  Result<int64_t> findTailEndUs(AVStream& stream, int64_t containerEndUs);
  Result<std::vector<int64_t>> readEndsUs();
  void initMediaZero();
  void noteHiddenDamage(int64_t position);
  ReadAt fileReader() const;
  bool stopsWithinElement() const;
  bool isContainer(std::initializer_list<std::string_view> names) const;
  // Whether timestamps start anywhere, also below 0 after a correction of wraps.
  bool hasArbitraryStart() const { return isContainer({"mpegts", "mpeg", "asf"}); }

  std::unique_ptr<ByteSource> source_;
  InputContextPtr context_;
  const char* container_ = "";
  AVStream* video_ = nullptr;
  AVStream* audio_ = nullptr;
  int selected_ = -1;
  bool isDamaged_ = false;
  bool stopsEarly_ = false;
  bool isSearched_ = false;         // by hideDamage()
  std::vector<ByteRange> damaged_;  // hidden
  int64_t lastPosition_ = -1;       // in bytes; of the last packet read; -1: none since a seek
  bool awaitsKeyFrame_ = false;     // after a seek, read() discards packets up to a key frame
  bool awaitsTimestamp_ = false;    // after a seek, read() discards the packets of the first coded position
  int64_t firstPosition_ = -1;      // in bytes; of the first packet after a seek
  int64_t zeroUs_ = 0;              // timestamp of media time 0
  // Presentation time minus packet time in containers without presentation times.
  int64_t reorderDelayUs_ = 0;
};

}  // namespace framewright
