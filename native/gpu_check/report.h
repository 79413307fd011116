#pragma once

#include <string>

#include "gpu_check/codec_report.h"
#include "gpu_check/device_checks.h"

namespace framewright {

// The results of one device as text and as a JSON object. Text is printed immediately, so that earlier
// results remain when a driver crashes.
class Report {
 public:
  explicit Report(bool printsText) : printsText_(printsText) {}

  void addDevice(size_t index, const vulkan::DeviceProperties& device);
  void addOpening(const OpeningResult& opening);
  void addParity(const ParityResult& parity);
  void addDeepParity(const DeepParityResult& parity);
  // Missing support for sharing is not a failure.
  void addSharing(const SharingResult& sharing);
  void addDecodeInterop(const CodecReport& paths);
  // Bytes per second.
  void addCopies(double within, double readBack);
  void addSpeed(const SpeedResult& speed);
  // `part`: the measurement that failed.
  void addFailure(const std::string& part, const Error& error);

  bool isGood() const { return good_; }
  std::string json() const;

 private:
  void print(const std::string& text) const;

  const bool printsText_;
  bool good_ = true;
  std::string json_, speeds_, errors_;
};

// A line of a report, by a pattern of printf; at most 511 bytes.
[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...);
// `text` as a JSON string literal.
std::string quoted(const std::string& text);

}  // namespace framewright
