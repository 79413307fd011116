#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "core/result.h"

namespace framewright {

struct ProbeOutcome {
  std::string reason;        // why the device is rejected; empty: it works
  bool isTemporary = false;  // all sessions are in use: probe again next time
};

// Results of probes of graphics devices in this process: the rejection reason by key, empty for devices that
// work. Any thread.
class ProbeCache {
 public:
  static ProbeCache& ofProcess() {
    static ProbeCache instance;
    return instance;
  }

  // The reason of `key`. On a miss runs `probe`, which returns a Result<ProbeOutcome>; its errors are
  // returned and not cached. Probes run one at a time: parallel ones would distort their timing and repeat
  // each other.
  template <typename Probe>
  Result<std::string> findOrProbe(const std::string& key, const Probe& probe) {
    if (const auto known = find(key)) return *known;
    const std::lock_guard lock(probeMutex_);
    if (const auto known = find(key)) return *known;
    FW_ASSIGN_OR_RETURN(const ProbeOutcome outcome, probe());
    if (!outcome.isTemporary) store(key, outcome.reason);
    return outcome.reason;
  }

  // Replaces the reason after a failure in use.
  void store(const std::string& key, const std::string& reason) {
    const std::lock_guard lock(mutex_);
    reasons_[key] = reason;
  }

 private:
  std::optional<std::string> find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto known = reasons_.find(key);
    return known == reasons_.end() ? std::nullopt : std::optional(known->second);
  }

  std::mutex mutex_, probeMutex_;
  std::map<std::string, std::string> reasons_;
};

// The message of an error with its detail in parentheses.
inline std::string reasonOf(const Error& error) {
  return error.message + (error.detail.empty() ? "" : " (" + error.detail + ")");
}

}  // namespace framewright
