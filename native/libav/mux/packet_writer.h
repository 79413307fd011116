#pragma once

#include <string>

#include "core/result.h"
#include "libav/av_handle.h"

namespace framewright {

// Encoded packets of one stream in a NUT file. NUT keeps presentation times only and none below zero, so
// they are stored counted from the first packet's decoding time; PacketFile puts them right again. The file
// is removed unless finish() was reached. Used by one thread.
class PacketWriter {
 public:
  PacketWriter() = default;
  ~PacketWriter();
  PacketWriter(const PacketWriter&) = delete;
  PacketWriter& operator=(const PacketWriter&) = delete;

  // For the stream that `encoder` makes. `maxReorderFrames`: for an encoder whose decoding times are not to
  // be relied on, the pictures by which decoding runs ahead of showing at most; they are counted then. Fails
  // with IO_FAILED.
  Status open(const std::string& path, const AVCodecContext& encoder, int maxReorderFrames = 0);
  // For a stream that is there already: its parameters, and the length of a frame.
  Status open(const std::string& path, const AVCodecParameters& parameters, AVRational tick);
  // Gives the encoder a frame (null: there are no more) and writes what comes out. `refused` says what went
  // wrong when the encoder does not take it.
  Status encode(AVCodecContext& encoder, const AVFrame* frame, const char* refused);
  // Takes the packet's content. Its times are in the time base of the encoder, or in ticks.
  Status write(AVPacket& packet);
  // The file's size.
  Result<int64_t> finish();

 private:
  // `describe` fills the stream's parameters.
  template <class Describe>
  Status openStream(const std::string& path, AVRational timeBase, AVRational rate, const Describe& describe);

  std::string path_;
  OutputContextPtr output_;
  PacketPtr packet_;
  AVRational timeBase_{0, 1};
  int64_t firstDts_ = AV_NOPTS_VALUE;
  int maxReorderFrames_ = 0;
  int64_t written_ = 0;
};

}  // namespace framewright
