#pragma once

#include <optional>
#include <string>

#include "core/mastering_display.h"
#include "core/result.h"
#include "libav/av_handle.h"

namespace framewright {

// Writes the packets of one stream to a NUT file. NUT stores no dts and no negative pts, so pts are relative
// to the first packet's dts; PacketFile undoes that. Without finish() the file is removed. Not thread-safe.
class PacketWriter {
 public:
  PacketWriter() = default;
  ~PacketWriter();
  PacketWriter(const PacketWriter&) = delete;
  PacketWriter& operator=(const PacketWriter&) = delete;

  // Creates the file for an encoder's stream. `maxReorderFrames` > 0 replaces the encoder's dts by a count
  // that starts this many frames before pts 0. `mastering`: of PQ; key
  // frames of VP9 then get the placeholder of their light. Fails with IO_FAILED.
  Status open(const std::string& path, const AVCodecContext& encoder, int maxReorderFrames = 0,
              const std::optional<MasteringDisplay>& mastering = std::nullopt);
  // Creates the file for an existing stream; `tick` is the duration of a frame.
  Status open(const std::string& path, const AVCodecParameters& parameters, AVRational tick);
  // Sends a frame (null: drain) to the encoder and writes its packets. `failure` is the message of an
  // ENCODE_FAILED error.
  Status encode(AVCodecContext& encoder, const AVFrame* frame, const char* failure);
  // Writes and empties the packet. Its timestamps are in the encoder's time base or in ticks.
  Status write(AVPacket& packet);
  // Completes the file and returns its size in bytes.
  Result<int64_t> finish();

 private:
  Status openStream(const std::string& path, const AVCodecParameters& parameters, AVRational timeBase,
                    AVRational rate, const std::optional<MasteringDisplay>& mastering = std::nullopt);

  std::string path_;
  OutputContextPtr output_;
  AVRational timeBase_{0, 1};
  int64_t firstDts_ = AV_NOPTS_VALUE;
  int maxReorderFrames_ = 0;
  int64_t written_ = 0;
  bool appendsLight_ = false;  // to key frames of VP9 with PQ
};

}  // namespace framewright
