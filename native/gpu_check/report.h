#pragma once

#include <string>

#include "gpu_check/device_checks.h"

namespace framewright {

// What one device answered: lines for people, told as they come so that a driver that ends the program leaves
// what was found before, and one JSON object.
class Report {
 public:
  explicit Report(bool tells) : tells_(tells) {}

  void addDevice(size_t index, const vulkan::DeviceProperties& facts);
  void addParity(const ParityResult& parity);
  // What a device does not share is no failure.
  void addSharing(const SharingResult& sharing);
  // Bytes per second.
  void addCopies(double within, double readBack);
  void addSpeed(const SpeedResult& speed);
  // `part`: what could not be found out.
  void addFailure(const std::string& part, const Error& error);

  bool isGood() const { return good_; }
  std::string json() const;

 private:
  void tell(const std::string& text) const;

  const bool tells_;
  bool good_ = true;
  std::string facts_, speeds_, errors_;
};

// As a JSON string.
std::string quoted(const std::string& text);

}  // namespace framewright
