#pragma once

#include <memory>
#include <string>

#include "libav/hardware/decode/decode_backend.h"
#include "libav/hardware/decode/frame_decoder.h"

namespace framewright {

// Decides for each surface of a decoder whether it stays on the compositor's card. Used by one thread.
class FrameKeeper {
 public:
  explicit FrameKeeper(std::shared_ptr<const DecodeDevice> device) : device_(std::move(device)) {}

  // See FrameDecoder::setOutput() and useHostMemory().
  void setOutput(const DecoderOutput& output);
  void useHostMemory(const std::string& reason);

  // Makes the surface a frame without data, of the software decoder's format. False: it must be downloaded.
  bool keep(AVFrame& frame, const AVFrame& surface, AVPixelFormat software);
  // Counts a frame that was downloaded instead.
  void addDownload() { ++copies_->host; }
  FrameTransfers transfers() const;

 private:
  Result<ImagePtr> keepChecked(const AVFrame& surface, const FrameShape& shape);
  Status compare(const Image& image, const AVFrame& surface) const;

  const std::shared_ptr<const DecodeDevice> device_;
  std::shared_ptr<FrameCopies> copies_ = std::make_shared<FrameCopies>();  // since setOutput()
  std::string key_, name_, reason_;
  std::unique_ptr<DecodeInterop> frames_;  // null: all are downloaded
  int checksLeft_ = 0;
  bool hasStayed_ = false;
};

}  // namespace framewright
