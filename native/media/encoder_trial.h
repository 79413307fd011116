#pragma once

#include <string>
#include <vector>

namespace framewright {

struct EncoderVerdict {
  std::string name;
  bool available = false;
  std::string reason;  // why not, in the words of the library or driver
};

// Encodes one small picture with each encoder the engine knows. Being compiled in proves nothing: only the
// driver can say. Takes some 100 ms; any thread.
std::vector<EncoderVerdict> tryEncoders();

// Versions of the linked libav libraries, e.g. {"libavcodec", "59.37.100"}.
std::vector<std::pair<std::string, std::string>> libraryVersions();

}  // namespace framewright
