#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "libav/av_handle.h"
#include "libav/hardware/interop/decode_interop.h"

namespace framewright {

// An open decoding device. It stays open as long as the process lives; any thread.
class DecodeDevice {
 public:
  virtual ~DecodeDevice() = default;
  // The pixel format of its surfaces.
  virtual AVPixelFormat surface() const = 0;
  // Attaches the device to a decoder before it is opened; returns libav's status.
  virtual int attach(AVCodecContext& decoder) const = 0;
  // Downloads a surface as NV12 or P010 into the empty frame `to`; returns libav's status.
  virtual int download(AVFrame& to, const AVFrame& from) const = 0;
  // Opens the path on which its NV12 frames stay on the compositor's card. `name`: the device's, of
  // DecodeBackend::devices(). Fails with ENCODER_UNAVAILABLE.
  virtual Result<std::unique_ptr<DecodeInterop>> openDecodeInterop(
      const std::string& name, const std::shared_ptr<const DecodeTarget>& target,
      const std::shared_ptr<FrameCopies>& copies) const {
    static_cast<void>(name), static_cast<void>(target), static_cast<void>(copies);
    return Error{ErrorCode::ENCODER_UNAVAILABLE, "its frames are in main memory", ""};
  }
  // Surfaces that the path uses at once, besides those of the decoder.
  virtual int extraSurfaces() const { return 0; }
};

struct DecodeBackend {
  const char* name;
  // Devices of this host, found by their nodes without opening them.
  std::vector<std::string> (*devices)();
  // Whether libav's decoder supports this device type.
  bool (*supports)(const AVCodec& codec);
  // Opens a device. Fails with ENCODER_UNAVAILABLE; the detail has the driver's message.
  Result<std::shared_ptr<const DecodeDevice>> (*open)(const std::string& device);
};

extern const DecodeBackend kNvdecBackend, kVaapiDecodeBackend;

// All backends, best first.
const std::vector<const DecodeBackend*>& decodeBackends();
// Registers a backend before all others, for tests. It must live as long as the process; not thread-safe.
void addDecodeBackend(const DecodeBackend& backend);

}  // namespace framewright
