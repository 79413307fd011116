#pragma once

#include <string>
#include <utility>
#include <vector>

namespace framewright {

struct EncoderProbeResult {
  std::string name;
  bool available = false;
  std::string reason;  // why not, in the words of the library or driver
  // The kind of reason: "not-built", "no-device", "no-session" or "refused"; empty when available.
  std::string refusal;
};

// Encodes one small picture, as a render would. Being compiled in proves nothing: only the driver can say.
// Takes some 10 ms on a processor, up to a second where a driver has to be started; any thread.
EncoderProbeResult probeEncoder(const std::string& name);

// All that the engine knows.
std::vector<EncoderProbeResult> probeEncoders();

// Of an encoder's own words, one that is fast.
std::string fastPreset(const std::string& encoder);

// Versions of the linked libav libraries, e.g. {"libavcodec", "59.37.100"}.
std::vector<std::pair<std::string, std::string>> libraryVersions();

}  // namespace framewright
