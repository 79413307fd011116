#pragma once

#include <memory>
#include <string>

#include "core/result.h"
#include "libav/av_handle.h"
#include "libav/demux/byte_source.h"

namespace framewright {

// An open media file of an allowed container, which outputs the packets of one stream. Used by one thread.
class Demuxer {
 public:
  // Fails with MEDIA_UNREADABLE (missing, empty, damaged) or MEDIA_UNSUPPORTED (naming what was found).
  static Result<std::unique_ptr<Demuxer>> open(const std::string& path);

  AVFormatContext& context() { return *context_; }
  const char* container() const { return container_; }
  // The main video (not cover art) and audio streams; null: none.
  AVStream* videoStream() const { return video_; }
  AVStream* audioStream() const { return audio_; }

  // Makes read() return packets of this stream only.
  void select(const AVStream& stream);
  // False at the end of the file.
  Result<bool> read(AVPacket& packet);
  // Seeks to the stream's last random access point at or before media time `timeUs`.
  Status seek(const AVStream& stream, int64_t timeUs);

  // Converts a timestamp of the stream to media time in microseconds. Media time 0 is the container's start
  // time, or timestamp 0 if that is negative (codec priming, which players skip). Video that starts less than
  // one frame later has its own zero at its first frame: muxers delay it by the audio's priming, which would
  // make every frame one frame late at an equal frame rate.
  int64_t toMediaUs(const AVStream& stream, int64_t timestamp) const;

  // End of the stream in microseconds of media time: as declared by the container or, for MP3 and ADTS, by
  // reading every packet. Call it before the first read().
  Result<int64_t> findEndUs(AVStream& stream);

 private:
  Demuxer() = default;
  Result<int64_t> scanEndUs(AVStream& stream);
  void initMediaZero();
  int64_t zeroUs(const AVStream& stream) const;

  std::unique_ptr<ByteSource> source_;
  InputContextPtr context_;
  const char* container_ = "";
  AVStream* video_ = nullptr;
  AVStream* audio_ = nullptr;
  int selected_ = -1;
  int64_t containerZeroUs_ = 0;
  int64_t videoZeroUs_ = 0;
  // Presentation time minus packet time in containers without presentation times.
  int64_t reorderDelayUs_ = 0;
};

}  // namespace framewright
