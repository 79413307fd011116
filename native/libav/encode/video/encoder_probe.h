#pragma once

#include <string>
#include <utility>
#include <vector>

namespace framewright {

struct EncoderProbeResult {
  std::string name;
  bool available = false;
  std::string reason;  // why not: the library's or driver's message
  // Category of the reason: "not-built", "no-device", "no-session" or "refused"; empty when available.
  std::string refusal;
  int variant = 0;                          // configuration that opened (VideoEncoderSettings::variant)
  std::vector<std::string> ignoredOptions;  // options that this libav does not know
};

// Encodes one small frame: only that shows whether the driver supports the encoder. Takes about 10 ms for
// software encoders, up to 1 s where a driver has to start. Any thread.
EncoderProbeResult probeEncoder(const std::string& name);

// Probes all families.
std::vector<EncoderProbeResult> probeEncoders();

// Name of a fast preset of the encoder; empty: none or unknown encoder.
std::string fastPreset(const std::string& encoder);

// Versions of the linked libav libraries, e.g. {"libavcodec", "59.37.100"}.
std::vector<std::pair<std::string, std::string>> libraryVersions();

}  // namespace framewright
