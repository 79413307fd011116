#pragma once

#include <memory>
#include <string>

#include "core/result.h"
#include "libav/av_handle.h"
#include "libav/demux/byte_source.h"

namespace framewright {

// A media file opened through the container whitelist, giving packets of one stream. Used by one thread.
class Demuxer {
 public:
  // Fails with MEDIA_UNREADABLE (missing, empty, damaged) or MEDIA_UNSUPPORTED (naming what was found).
  static Result<std::unique_ptr<Demuxer>> open(const std::string& path);

  AVFormatContext& context() { return *context_; }
  const char* container() const { return container_; }
  // The main picture (cover art does not count) and sound; nullptr without.
  AVStream* videoStream() const { return video_; }
  AVStream* audioStream() const { return audio_; }

  // From here on read() gives packets of this stream only.
  void select(const AVStream& stream);
  // False at the end of the file.
  Result<bool> read(AVPacket& packet);
  // To the last random access point at or before `timeUs` (from the media's zero) of the stream.
  Status seek(const AVStream& stream, int64_t timeUs);

  // A timestamp of the stream in microseconds from the media's zero: the container's start time, or 0 when
  // that is negative (codec priming, which is never shown or heard). A picture that starts less than one
  // frame later counts from its own start: muxers push it there to make room for the sound's priming, and
  // on a canvas of the same rate every picture would come one frame late.
  int64_t toMediaUs(const AVStream& stream, int64_t timestamp) const;

  // Where the stream ends, in microseconds from the media's zero. Exact where the container says so,
  // otherwise (mp3, adts) from reading every packet; call it before the first read().
  Result<int64_t> findEndUs(AVStream& stream);

 private:
  Demuxer() = default;
  Result<int64_t> scanEndUs(AVStream& stream);
  void findZero();
  int64_t zeroUs(const AVStream& stream) const;

  std::unique_ptr<ByteSource> source_;
  InputContextPtr context_;
  const char* container_ = "";
  AVStream* video_ = nullptr;
  AVStream* audio_ = nullptr;
  int selected_ = -1;
  int64_t containerZeroUs_ = 0;
  int64_t pictureZeroUs_ = 0;
  int64_t orderDelayUs_ = 0;  // how much later than its packet a picture's own time is
};

}  // namespace framewright
