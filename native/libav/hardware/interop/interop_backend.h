#pragma once

#include <memory>
#include <vector>

#include "core/image.h"
#include "core/result.h"
#include "libav/av_handle.h"

namespace framewright {

struct EncoderFamily;

// An opened way for frames of one size from one device. Used by one thread at a time.
class FrameHandover {
 public:
  virtual ~FrameHandover() = default;
  // What the encoder gets.
  virtual AVPixelFormat format() const = 0;
  virtual AVBufferRef* pool() const = 0;  // its AVHWFramesContext; null: frames in main memory
  // `image` stands on the device and is drawn; it is kept for as long as somebody reads it. Fails with
  // ENCODE_FAILED or OUT_OF_MEMORY.
  virtual Result<FramePtr> frame(const ImagePtr& image) = 0;
};

struct HandoverWay {
  const char* name;
  FramePlace place;
  bool (*serves)(const EncoderFamily& family);
  Result<std::unique_ptr<FrameHandover>> (*open)(const DeviceIdentity& device, int width, int height);
};

extern const HandoverWay kCudaHandover, kVaapiHandover;

// Best first.
const std::vector<const HandoverWay*>& handoverWays();
// Puts one before all others, which must live as long as the process; not while others look. For tests.
void addHandoverWay(const HandoverWay& way);

}  // namespace framewright
