#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/cancel_token.h"
#include "core/result.h"
#include "devices/probe_cache.h"
#include "libav/hardware/decode/decode_backend.h"
#include "libav/hardware/decode/frame_decoder.h"

namespace framewright {

// Identifies a device of this host and the backend that opens it.
struct DecodeDeviceId {
  const DecodeBackend* backend = nullptr;
  std::string device;

  std::string name() const { return std::string(backend->name) + " " + device; }
};

// Best backend first; within a backend the device with the fewest open sessions first.
std::vector<DecodeDeviceId> decodeDevices();

// The outcome of a failed probe; temporary when the reason is that all sessions of the device are in use.
ProbeOutcome decodeFailure(const std::string& reason);

// The ProbeCache key of a format on a device.
std::string formatKey(const std::string& id, const DecodeFormat& format);

// Maximum number of open decoder sessions per device.
inline constexpr int kMaxSessionsPerDevice = 4;

// One of the limited decoder sessions of a device that decodes a format bit-exactly. Released by its
// destructor.
class DecodeSession {
 public:
  // Opens and probes the device at first use. Fails with ENCODER_BUSY, ENCODER_UNAVAILABLE or DECODE_FAILED,
  // with the whole reason in the message, or CANCELLED.
  static Result<std::shared_ptr<DecodeSession>> acquire(const DecodeDeviceId& id, const DecodeFormat& format,
                                                        const CancelToken& cancel);
  ~DecodeSession();
  DecodeSession(const DecodeSession&) = delete;
  DecodeSession& operator=(const DecodeSession&) = delete;

  const std::string& name() const { return name_; }
  const std::shared_ptr<const DecodeDevice>& device() const { return device_; }

 private:
  DecodeSession(std::string name, std::shared_ptr<const DecodeDevice> device);

  const std::string name_;
  const std::shared_ptr<const DecodeDevice> device_;
};

}  // namespace framewright
