#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "libav/av_handle.h"

namespace framewright {

// An opened device that decodes. Stays open for as long as the process lives; any thread.
class DecodeDevice {
 public:
  virtual ~DecodeDevice() = default;
  // What its pictures are called among the formats that a decoder offers.
  virtual AVPixelFormat surface() const = 0;
  // Gives the device to a decoder that is about to be opened; libav's status.
  virtual int attach(AVCodecContext& decoder) const = 0;
  // A surface's samples as NV12 in main memory, in `to`, which is empty; libav's status.
  virtual int bring(AVFrame& to, const AVFrame& from) const = 0;
};

struct DecodeWay {
  const char* name;
  // Those that this host has nodes of. Nothing is opened for it.
  std::vector<std::string> (*devices)();
  // Whether libav's decoder of a codec can be given such a device.
  bool (*serves)(const AVCodec& codec);
  // Fails with ENCODER_UNAVAILABLE; the detail has the driver's words.
  Result<std::shared_ptr<const DecodeDevice>> (*open)(const std::string& device);
};

extern const DecodeWay kNvdecWay, kVaapiDecodeWay;

// Best first.
const std::vector<const DecodeWay*>& decodeWays();
// Puts one before all others, which must live as long as the process; not while others look. For tests.
void addDecodeWay(const DecodeWay& way);

}  // namespace framewright
