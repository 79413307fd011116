#include "libav/hardware/interop/choose_interop.h"

#include <algorithm>

#include "devices/probe_cache.h"
#include "libav/encode/video/families.h"
#include "libav/hardware/interop/interop_backend.h"
#include "libav/hardware/interop/interop_probe.h"

namespace framewright {
namespace {

std::vector<const InteropBackend*>& backends() {
  static std::vector<const InteropBackend*> all{&kCudaDirectSemaphoreInterop,
                                                &kCudaDirectInterop,
                                                &kCudaSemaphoreInterop,
                                                &kCudaInterop,
                                                &kVaapiInterop,
                                                &kVaapiCopyInterop};
  return all;
}

std::string keyOf(const std::string& backend, const VideoEncoderSettings& settings,
                  const DeviceIdentity& device) {
  return backend + " " + settings.encoder + " " + std::to_string(settings.width) + "x" +
         std::to_string(settings.height) + " " + std::string(device.uuid.begin(), device.uuid.end());
}

// Returns why the backend is rejected, or an empty string.
std::string rejectionReason(const InteropBackend& backend, const EncoderFamily& family,
                            const VideoEncoderSettings& settings, const FrameSource& source) {
  const auto probe = [&]() -> Result<ProbeOutcome> {
    const Status probed = probeInterop(backend, family, settings, source);
    if (probed.ok()) return ProbeOutcome{};
    return ProbeOutcome{reasonOf(probed.error()), probed.error().code == ErrorCode::ENCODER_BUSY};
  };
  return ProbeCache::ofProcess().findOrProbe(keyOf(backend.name, settings, source.device), probe).take();
}

}  // namespace

const std::vector<const InteropBackend*>& interopBackends() { return backends(); }

void addInteropBackend(const InteropBackend& backend) { backends().insert(backends().begin(), &backend); }

std::vector<std::string> interopBackendNames() {
  std::vector<std::string> names;
  for (const InteropBackend* const backend : backends()) names.emplace_back(backend->name);
  return names;
}

bool interopSupportsEncoder(const std::string& backend, const std::string& encoder) {
  const EncoderFamily* const family = findEncoderFamily(encoder);
  return family != nullptr &&
         std::any_of(backends().begin(), backends().end(), [&](const InteropBackend* each) {
           return each->name == backend && each->supports(*family);
         });
}

InteropChoice chooseInterop(const VideoEncoderSettings& settings, const FrameSource& source,
                            bool allowsInPlace) {
  InteropChoice choice;
  const EncoderFamily* const family = findEncoderFamily(settings.encoder);
  if (family == nullptr) return choice;
  const auto addReason = [&choice](const InteropBackend& backend, const std::string& reason) {
    choice.reason += (choice.reason.empty() ? "" : "; ") + std::string(backend.name) + ": " + reason;
  };
  for (const InteropBackend* const backend : interopBackends()) {
    if (!backend->supports(*family) || (backend->isInPlace && !allowsInPlace)) continue;
    const std::string reason = rejectionReason(*backend, *family, settings, source);
    if (!reason.empty()) {
      addReason(*backend, reason);
      continue;
    }
    auto opened = backend->open(source.device, settings.width, settings.height);
    if (!opened.ok()) {
      addReason(*backend, reasonOf(opened.error()));
      continue;
    }
    choice.name = backend->name;
    choice.place = backend->place;
    choice.interop = opened.take();
    return choice;
  }
  return choice;
}

void disableInterop(const std::string& name, const VideoEncoderSettings& settings,
                    const DeviceIdentity& device, const std::string& why) {
  ProbeCache::ofProcess().store(keyOf(name, settings, device), why);
}

}  // namespace framewright
