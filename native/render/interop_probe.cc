#include "render/interop_probe.h"

#include <algorithm>
#include <memory>

#include "compositor/choose_compositor.h"
#include "libav/hardware/decode/decode_device.h"
#include "libav/hardware/interop/choose_interop.h"
#include "render/decode_target.h"

namespace framewright {
namespace {

constexpr int kProbeWidth = 330, kProbeHeight = 194;  // rows that are shorter than their pitch

InteropReport probeBackend(const std::string& backend, const std::vector<EncoderProbeResult>& encoders) {
  const auto encoder = std::find_if(encoders.begin(), encoders.end(), [&](const EncoderProbeResult& probed) {
    return probed.available && interopSupportsEncoder(backend, probed.name);
  });
  if (encoder == encoders.end()) return {backend, false, "no encoder that it supports is available"};
  auto compositor = createCompositor(CompositorChoice::kAuto);
  if (!compositor.ok() || !compositor.value()->device())
    return {backend, false, "no graphics device composes on this host"};
  Compositor& device = *compositor.value();
  VideoEncoderSettings settings;
  settings.encoder = encoder->name;
  settings.preset = fastPreset(encoder->name);
  settings.width = kProbeWidth;
  settings.height = kProbeHeight;
  const InteropChoice choice =
      chooseInterop(settings, {*device.device(), [&](FramePlace place, int width, int height) {
                                 return device.createDeviceFrame(place, width, height);
                               }});
  if (choice.name == backend) return {backend, true, encoder->name};
  // A better one works; the others are not probed.
  if (!choice.name.empty() && choice.reason.find(backend + ": ") == std::string::npos)
    return {backend, false, "not needed, because " + choice.name + " works"};
  return {backend, false, choice.reason};
}

}  // namespace

std::vector<InteropReport> probeInteropBackends(const std::vector<EncoderProbeResult>& encoders) {
  std::vector<InteropReport> reports;
  for (const std::string& backend : interopBackendNames()) reports.push_back(probeBackend(backend, encoders));
  return reports;
}

std::vector<DecodeInteropProbe> probeDecodeInterops() {
  const std::vector<DecodeDeviceId> devices = decodeDevices();
  if (devices.empty()) return {};
  const auto compositor = createCompositor(CompositorChoice::kAuto);
  if (const auto target = compositor.ok() ? decodeTargetOf(*compositor.value()) : nullptr)
    return probeDecodeInterops(*target);
  std::vector<DecodeInteropProbe> results;
  for (const DecodeDeviceId& id : devices)
    results.push_back({id.name(), false, "no graphics device composes on this host"});
  return results;
}

}  // namespace framewright
