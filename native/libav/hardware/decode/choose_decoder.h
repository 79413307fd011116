#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/cancel_token.h"
#include "core/hardware_decode.h"
#include "libav/hardware/decode/decode_backend.h"
#include "libav/hardware/decode/frame_decoder.h"

namespace framewright {

struct VideoToDecode {
  const std::string& path;
  const AVStream& stream;
  int threads = 0;       // of the software decoder
  int64_t playedUs = 0;  // approximate duration of the part that will be shown
  HardwareDecode mode = HardwareDecode::kOff;
  std::shared_ptr<const DecodeTarget> target = nullptr;  // null: frames are used in main memory
};

// The chosen decoder; null: decode in software.
struct DecodeChoice {
  std::unique_ptr<FrameDecoder> decoder;
  std::string backend, device;
  std::shared_ptr<const DecodeDevice> opened;
  std::string reason;  // why the examined backends were rejected
};

// Chooses the first device of this host that decodes the codec bit-exactly (probed once per process) and this
// video too and, unless the mode is kOn, faster (probed once per video). Any thread.
DecodeChoice chooseDecoder(const VideoToDecode& video, const CancelToken& cancel);

// Sends a chosen decoder's frames to another compositor; null: to main memory. `decoder` is the one of the
// choice. Any thread.
void setDecodeTarget(FrameDecoder& decoder, const DecodeChoice& choice, const VideoToDecode& video,
                     const CancelToken& cancel);

// After a fault: this process decodes the video in software from now on, or all videos of its codec if the
// device is at fault. Any thread.
void disableDecoder(const DecodeChoice& choice, const VideoToDecode& video, const DecoderFault& fault);

}  // namespace framewright
