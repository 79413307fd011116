#include "render/handover_trial.h"

#include <algorithm>
#include <memory>

#include "compositor/choose_compositor.h"
#include "libav/hardware/interop/choose_interop.h"

namespace framewright {
namespace {

constexpr int kWidth = 330, kHeight = 194;  // rows that do not fill their pitch

HandoverVerdict tryWay(const std::string& way, const std::vector<EncoderProbeResult>& encoders) {
  const auto served = std::find_if(encoders.begin(), encoders.end(), [&](const EncoderProbeResult& encoder) {
    return encoder.available && interopSupportsEncoder(way, encoder.name);
  });
  if (served == encoders.end()) return {way, false, "no encoder opens here that it would serve"};
  auto compositor = createCompositor(CompositorChoice::kAuto);
  if (!compositor.ok() || !compositor.value()->device()) return {way, false, "no graphics device draws here"};
  Compositor& drawing = *compositor.value();
  VideoEncoderSettings settings;
  settings.encoder = served->name;
  settings.preset = fastPreset(served->name);
  settings.width = kWidth;
  settings.height = kHeight;
  const InteropChoice choice =
      chooseInterop(settings, {*drawing.device(), [&](FramePlace place, int width, int height) {
                                 return drawing.createDeviceFrame(place, width, height);
                               }});
  if (choice.name == way) return {way, true, served->name};
  return {way, false, choice.reason};
}

}  // namespace

std::vector<HandoverVerdict> tryHandovers(const std::vector<EncoderProbeResult>& encoders) {
  std::vector<HandoverVerdict> verdicts;
  for (const std::string& way : interopBackendNames()) verdicts.push_back(tryWay(way, encoders));
  return verdicts;
}

}  // namespace framewright
