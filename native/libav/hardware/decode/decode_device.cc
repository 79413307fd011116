#include "libav/hardware/decode/decode_device.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "libav/hardware/decode/decode_probe.h"
#include "libav/hardware/decode/probe_clip.h"

namespace framewright {
namespace {

constexpr int kFrames = 24;

// Devices stay open because driver threads may outlive whoever opened them.
struct OpenDevices {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<const DecodeDevice>> devices;
  std::map<std::string, int> sessionCounts;  // open sessions by device
};

OpenDevices& openDevices() {
  static OpenDevices& all = *new OpenDevices;
  return all;
}

int sessionCount(const std::string& name) {
  OpenDevices& all = openDevices();
  const std::lock_guard lock(all.mutex);
  return all.sessionCounts[name];
}

Result<std::shared_ptr<const DecodeDevice>> openOnce(const DecodeDeviceId& id) {
  OpenDevices& all = openDevices();
  {
    const std::lock_guard lock(all.mutex);
    const auto known = all.devices.find(id.name());
    if (known != all.devices.end()) return known->second;
  }
  FW_ASSIGN_OR_RETURN(auto device, id.backend->open(id.device));
  const std::lock_guard lock(all.mutex);
  return all.devices[id.name()] = device;
}

// Checks that the device decodes the format bit-exactly.
Status probeFormat(const std::shared_ptr<const DecodeDevice>& device, const DecodeFormat& format,
                   const CancelToken& cancel) {
  FW_ASSIGN_OR_RETURN(const ProbeClip clip, makeProbeClip(format, kProbeWidth, kProbeHeight, kFrames));
  auto comparison = compareDecoders(clip.head, device, 0, cancel);
  if (!comparison.ok()) return comparison.error();
  return {};
}

}  // namespace

std::vector<DecodeDeviceId> decodeDevices() {
  std::vector<DecodeDeviceId> devices;
  for (const DecodeBackend* const backend : decodeBackends()) {
    std::vector<std::pair<int, DecodeDeviceId>> candidates;
    for (const std::string& device : backend->devices()) {
      const DecodeDeviceId id{backend, device};
      candidates.emplace_back(sessionCount(id.name()), id);
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [count, id] : candidates) devices.push_back(id);
  }
  return devices;
}

ProbeOutcome decodeFailure(const std::string& reason) {
  // CUDA's, then libva's texts of VA_STATUS_ERROR_ALLOCATION_FAILED, _MAX_NUM_EXCEEDED and _HW_BUSY.
  constexpr std::string_view kSessionLimits[] = {"OUT_OF_MEMORY", "out of memory",
                                                 "resource allocation failed",
                                                 "list argument exceeds maximum number", "HW busy now"};
  const bool isTemporary =
      std::any_of(std::begin(kSessionLimits), std::end(kSessionLimits),
                  [&](std::string_view message) { return reason.find(message) != std::string::npos; });
  return {reason, isTemporary};
}

std::string formatKey(const std::string& id, const DecodeFormat& format) { return id + '\n' + format.name(); }

DecodeSession::DecodeSession(std::string name, std::shared_ptr<const DecodeDevice> device)
    : name_(std::move(name)), device_(std::move(device)) {}

DecodeSession::~DecodeSession() {
  OpenDevices& all = openDevices();
  const std::lock_guard lock(all.mutex);
  --all.sessionCounts[name_];
}

Result<std::shared_ptr<DecodeSession>> DecodeSession::acquire(const DecodeDeviceId& id,
                                                              const DecodeFormat& format,
                                                              const CancelToken& cancel) {
  OpenDevices& all = openDevices();
  {
    const std::lock_guard lock(all.mutex);
    int& count = all.sessionCounts[id.name()];
    if (count >= kMaxSessionsPerDevice)
      return Error{ErrorCode::ENCODER_BUSY, "all its decoder sessions are in use", ""};
    ++count;
  }
  const auto releaseSession = [&](const Error& error) {
    const std::lock_guard lock(all.mutex);
    --all.sessionCounts[id.name()];
    return Error{error.code, reasonOf(error), ""};
  };
  const auto probe = [&]() -> Result<ProbeOutcome> {
    const auto device = openOnce(id);
    const Status probed = device.ok() ? probeFormat(device.value(), format, cancel) : Status(device.error());
    if (probed.ok()) return ProbeOutcome{};
    if (probed.error().code == ErrorCode::CANCELLED) return probed.error();
    return decodeFailure(reasonOf(probed.error()));
  };
  const auto reason = ProbeCache::ofProcess().findOrProbe(formatKey(id.name(), format), probe);
  if (!reason.ok()) return releaseSession(reason.error());
  if (!reason.value().empty()) return releaseSession({ErrorCode::DECODE_FAILED, reason.value(), ""});
  auto device = openOnce(id);
  if (!device.ok()) return releaseSession(device.error());
  return std::shared_ptr<DecodeSession>(new DecodeSession(id.name(), device.take()));
}

}  // namespace framewright
